"""Nothing goes wrong: start, run with checkpoints, finish by itself, stop."""

CAUSE = "none"
GZIP = True
SYMPTOMS = [r"Job \w+ .* switched from state RUNNING to FINISHED"]
JOB = ["--name", "orders", "--stages", "2,2,2", "--rate", "200", "--records", "4000", "--state-bytes", "64"]
LINGER = 2


def conf(dist):
    return {
        "taskmanager.numberOfTaskSlots": "2",
        dist.key("execution.checkpointing.dir"): "file://{work}/checkpoints",
        "execution.checkpointing.interval": "2 s",
    }
