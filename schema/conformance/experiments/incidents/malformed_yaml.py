"""config.yaml with a tab in the indentation, which YAML forbids."""

import cluster

CAUSE = "configuration-malformed"
SYMPTOMS = [r"Error parsing YAML configuration|Failed to parse YAML|while scanning"]
JOB = ["--stages", "1,1", "--rate", "10"]
since = (1, 19)


def act(run):
    run.start_job_manager(wait=False)
    run.start_task_manager(wait=False)


def conf(_):
    return {}


def files(dist):
    flat = "".join(f"{key}: {value}\n" for key, value in {**cluster.BASE, **dist.java_opts()}.items())
    return {"config.yaml": flat + "state:\n\tbackend:\n\t\ttype: rocksdb\n"}


def fix(_):
    return {}
