"""Checkpoints go to S3, and no S3 plugin is installed."""

CAUSE = "missing-file-system"
SYMPTOMS = [r"Could not find a file system implementation for scheme 's3'"]
JOB = ["--stages", "1,1", "--rate", "10"]


def conf(dist):
    return {
        dist.key("execution.checkpointing.dir"): "s3://bucket/checkpoints",
        "execution.checkpointing.interval": "10 s",
    }
