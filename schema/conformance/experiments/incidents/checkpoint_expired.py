"""24 MiB of state over a line of 1 MiB/s take 24 s; the checkpoint times out after 10 s."""

CAUSE = "checkpoint-expired"
SYMPTOMS = [r"Checkpoint \d+ of job \w+ expired before completing|Checkpoint expired before completing"]
LINGER = 4
JOB = ["--stages", "1,1", "--rate", "4000", "--keys", "1024", "--state-bytes", "24576"]
FACTS = """state: {size: 24mb, changedPerCheckpoint: 24mb}
checkpointStorage: {throughput: 1mb/s}
"""
FIXED = r"Completed checkpoint \d+ for job"


def conf(dist):
    return {
        dist.key("execution.checkpointing.dir"): "slow://{work}/checkpoints",
        "fs.slow.bytes-per-second": "1048576",
        "execution.checkpointing.interval": "5 s",
        "execution.checkpointing.timeout": "10 s",
        dist.key("restart-strategy.type"): "fixed-delay",
        "restart-strategy.fixed-delay.attempts": "3",
        "restart-strategy.fixed-delay.delay": "1 s",
    }


def fix(_):
    # 24 s at the line's rate, and as much again in reserve.
    return {"execution.checkpointing.timeout": "1 min"}
