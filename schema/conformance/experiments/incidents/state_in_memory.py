"""No checkpoint directory: checkpoints live on the JobManager, which takes 5 MiB of state per task."""

CAUSE = "checkpoint-state-too-large-for-job-manager"
SYMPTOMS = [r"Size of the state is larger than the maximum permitted memory-backed state"]
JOB = ["--stages", "1,1", "--rate", "4000", "--keys", "1024", "--state-bytes", "16384"]


def conf(dist):
    return {
        "execution.checkpointing.interval": "2 s",
        dist.key("restart-strategy.type"): "fixed-delay",
        "restart-strategy.fixed-delay.attempts": "2",
        "restart-strategy.fixed-delay.delay": "1 s",
    }
