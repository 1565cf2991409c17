"""Parallelism 4 and two slots."""

CAUSE = "not-enough-slots"
SYMPTOMS = [r"NoResourceAvailableException"]
JOB = ["--stages", "4,4", "--rate", "10"]


def conf(dist):
    return {
        "taskmanager.numberOfTaskSlots": "2",
        # The default of 5 minutes, shortened. Milliseconds: 1.x before 1.20 takes a number here.
        "slot.request.timeout": "15000",
        dist.key("restart-strategy.type"): "none",
    }


def fix(_):
    return {"taskmanager.numberOfTaskSlots": "4"}
