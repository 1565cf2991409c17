"""A library takes direct buffers that the configuration does not provide for (task off-heap memory is 0)."""

CAUSE = "direct-memory-exhausted"
SYMPTOMS = [r"OutOfMemoryError: (Direct buffer memory|Cannot reserve \d+ bytes of direct buffer memory)"]
JOB = ["--stages", "1,1", "--act", "direct", "--act-after", "100"]


def conf(dist):
    return {dist.key("restart-strategy.type"): "none"}
