"""Classes are defined without end, as by a session cluster whose jobs leak their class loaders."""

CAUSE = "metaspace-exhausted"
SYMPTOMS = [r"OutOfMemoryError: Metaspace"]
JOB = ["--stages", "1,1", "--act", "metaspace", "--act-after", "100"]


def conf(dist):
    return {
        "taskmanager.memory.jvm-metaspace.size": "80m",
        dist.key("restart-strategy.type"): "none",
    }
