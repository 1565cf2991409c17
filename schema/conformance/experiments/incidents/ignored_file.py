"""Options go into flink-conf.yaml, which 2.x passes over without a word beside its own config.yaml."""

import cluster

CAUSE = "configuration-file-not-read"
SYMPTOMS = [r"NoResourceAvailableException"]
JOB = ["--stages", "2,2", "--rate", "10"]
since = (2, 0)


def conf(_):
    return {"taskmanager.numberOfTaskSlots": "2"}


def files(dist):
    # As the release ships it, with the slot timeout of 5 minutes shortened.
    read = {**cluster.BASE, **dist.java_opts(), "slot.request.timeout": "15000", "restart-strategy.type": "none"}
    return {
        "config.yaml": "".join(f"{key}: {value}\n" for key, value in read.items()),
        "flink-conf.yaml": "".join(f"{key}: {value}\n" for key, value in {**read, **conf(dist)}.items()),
    }


def fix(_):
    # The same options in config.yaml: the cluster writes the file that the release reads.
    return {}
