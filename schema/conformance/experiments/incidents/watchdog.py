"""A task swallows interrupts, so cancelling the job ends with the TaskManager's suicide."""

import time

import cluster

CAUSE = "cancellation-watchdog"
SYMPTOMS = [r"did not react to cancelling signal", r"Task did not exit gracefully within"]
LINGER = 6
JOB = ["--stages", "1,1", "--rate", "100", "--act", "ignore-interrupts", "--act-after", "100"]


def act(run):
    run.start_job_manager()
    run.start_task_manager()
    job = run.submit(*JOB)
    run.until(lambda: run.job_state(job) == "RUNNING", "the job runs", cluster.PATIENCE)
    run.until(lambda: run.find(r"sink.*to RUNNING"), "the sink runs", cluster.PATIENCE)
    # The source sends 100 records per second: after this the sink is in its loop.
    time.sleep(5)
    run.cancel(job)


def conf(dist):
    return {
        # Defaults 30 s and 180 s, shortened.
        "task.cancellation.interval": "5000",
        "task.cancellation.timeout": "20000",
        dist.key("restart-strategy.type"): "none",
    }
