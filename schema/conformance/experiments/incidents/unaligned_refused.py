"""Unaligned checkpoints exclude concurrent ones; the client refuses to build the job."""

CAUSE = "unaligned-with-concurrent-checkpoints"
SYMPTOMS = [r"maxConcurrentCheckpoints can't be > 1 if UnalignedCheckpoints enabled"]
JOB = ["--stages", "1,1", "--rate", "10"]
FIXED = r"Completed checkpoint \d+ for job"


def conf(dist):
    return {
        dist.key("execution.checkpointing.dir"): "file://{work}/checkpoints",
        "execution.checkpointing.interval": "2 s",
        dist.key("execution.checkpointing.unaligned.enabled"): "true",
        "execution.checkpointing.max-concurrent-checkpoints": "2",
    }


def fix(_):
    return {"execution.checkpointing.max-concurrent-checkpoints": "1"}
