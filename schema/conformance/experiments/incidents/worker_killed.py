"""One of two TaskManagers is killed from outside, as by the container's memory limit."""

import signal

import cluster

CAUSE = "task-manager-lost"
SYMPTOMS = [r"Connection unexpectedly closed by remote task manager"]
TASK_MANAGERS = 2
LINGER = 4
JOB = ["--stages", "2,2", "--rate", "1000"]


def act(run):
    run.start_job_manager()
    workers = [run.start_task_manager(), run.start_task_manager()]
    job = run.submit(*JOB)
    run.until(lambda: all(v["status"] == "RUNNING" for v in run.rest(f"/jobs/{job}")["vertices"]), "the job runs", cluster.PATIENCE)
    workers[1].popen.send_signal(signal.SIGKILL)


def conf(dist):
    return {
        "slot.request.timeout": "10000",
        dist.key("restart-strategy.type"): "fixed-delay",
        "restart-strategy.fixed-delay.attempts": "1",
        "restart-strategy.fixed-delay.delay": "1 s",
    }
