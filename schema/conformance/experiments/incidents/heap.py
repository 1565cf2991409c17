"""The job keeps every record's working set on the heap."""

CAUSE = "heap-exhausted"
SYMPTOMS = [r"OutOfMemoryError: Java heap space"]
JOB = ["--stages", "1,1", "--act", "heap", "--act-after", "100"]


def conf(dist):
    return {
        "taskmanager.memory.process.size": "1200m",
        dist.key("restart-strategy.type"): "none",
    }
