"""A hash exchange of 8 x 8 on one TaskManager needs 8 * (8 + 1) + 8 = 80 buffers; it has 64."""

CAUSE = "insufficient-network-buffers"
SYMPTOMS = [r"Insufficient number of network buffers: required \d+, but only \d+ available"]
JOB = ["--stages", "8,8", "--rate", "10"]


def conf(dist):
    return {
        "taskmanager.numberOfTaskSlots": "8",
        "taskmanager.memory.network.min": "2m",
        "taskmanager.memory.network.max": "2m",
        dist.key("restart-strategy.type"): "fixed-delay",
        "restart-strategy.fixed-delay.attempts": "2",
        "restart-strategy.fixed-delay.delay": "1 s",
    }


def fix(_):
    # 80 buffers of 32 KiB are required; 256 (8 MiB) let every pool reach its target size.
    return {"taskmanager.memory.network.min": "8m", "taskmanager.memory.network.max": "8m"}
