"""2.x does not read flink-conf.yaml: with that file alone nothing starts."""

import cluster

CAUSE = "configuration-file-not-read"
SYMPTOMS = [r"The Flink config file '.*config\.yaml' .* does not exist"]
JOB = ["--stages", "2,2", "--rate", "10"]
since = (2, 0)


def act(run):
    run.start_job_manager(wait=False)
    run.start_task_manager(wait=False)


def conf(_):
    return {"taskmanager.numberOfTaskSlots": "2"}


def files(dist):
    options = {**cluster.BASE, **dist.java_opts(), **conf(dist)}
    return {"flink-conf.yaml": "".join(f"{key}: {value}\n" for key, value in options.items())}


def fix(_):
    # The same options in config.yaml: the cluster writes the file that the release reads.
    return {}
