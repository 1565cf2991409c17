"""The TaskManager stands still (SIGSTOP), as under a long garbage collection or a starved CPU."""

import signal

import cluster

CAUSE = "heartbeat-timeout"
SYMPTOMS = [r"Heartbeat of TaskManager with id .* timed out"]
LINGER = 8
JOB = ["--stages", "1,1", "--rate", "100"]


def act(run):
    run.start_job_manager()
    worker = run.start_task_manager()
    job = run.submit(*JOB)
    run.until(lambda: run.job_state(job) == "RUNNING" and run.find(r"sink.*to RUNNING"), "the job runs", cluster.PATIENCE)
    worker.popen.send_signal(signal.SIGSTOP)
    run.until_logged(SYMPTOMS[0], cluster.PATIENCE)
    worker.popen.send_signal(signal.SIGCONT)


def conf(dist):
    return {
        # Defaults 10 s and 50 s, shortened.
        "heartbeat.interval": "2000",
        "heartbeat.timeout": "10000",
        dist.key("restart-strategy.type"): "fixed-delay",
        "restart-strategy.fixed-delay.attempts": "1",
        "restart-strategy.fixed-delay.delay": "1 s",
    }
