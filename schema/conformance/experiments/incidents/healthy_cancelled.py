"""Nothing goes wrong: RocksDB, unaligned checkpoints with a timeout, cancelled by its owner."""

import time

CAUSE = "none"
SYMPTOMS = [r"Completed checkpoint 2 ", r"from state CANCELLING to CANCELED"]
JOB = ["--name", "payments", "--stages", "2,2", "--rate", "500", "--state-bytes", "256"]
LINGER = 2
GZIP = True


def act(run):
    run.start_job_manager()
    run.start_task_manager()
    job = run.submit(*JOB)
    run.until_logged(SYMPTOMS[0], 60)
    time.sleep(1)
    run.cancel(job)


def conf(dist):
    return {
        "taskmanager.numberOfTaskSlots": "2",
        dist.key("state.backend.type"): "rocksdb",
        "state.backend.incremental": "true",
        dist.key("execution.checkpointing.dir"): "file://{work}/checkpoints",
        "execution.checkpointing.interval": "2 s",
        dist.key("execution.checkpointing.unaligned.enabled"): "true",
        dist.key("execution.checkpointing.aligned-checkpoint-timeout"): "10 s",
    }
