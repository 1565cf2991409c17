"""A line of flink-conf.yaml has no blank after the colon: Flink warns, skips it, and offers one slot instead of two."""

import cluster

CAUSE = "configuration-line-skipped"
SYMPTOMS = [
    r"Error while trying to split key and value in configuration file",
    r"NoResourceAvailableException",
]
JOB = ["--stages", "2,2", "--rate", "10"]
until = (1, 18)


def conf(dist):
    return {"slot.request.timeout": "15000", dist.key("restart-strategy.type"): "none"}


def files(dist):
    options = {**cluster.BASE, **dist.java_opts(), **conf(dist)}
    del options["taskmanager.numberOfTaskSlots"]
    lines = [f"{key}: {value}\n" for key, value in options.items()]
    return {"flink-conf.yaml": "".join(lines) + "taskmanager.numberOfTaskSlots:2\n"}


def fix(_):
    return {"taskmanager.numberOfTaskSlots": "2"}
