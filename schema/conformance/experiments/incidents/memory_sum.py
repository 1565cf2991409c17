"""The parts that are set do not leave room for the others within the process size."""

CAUSE = "memory-sum-refused"
SYMPTOMS = [r"IllegalConfigurationException: (TaskManager memory configuration failed: )?Sum of configured"]
JOB = ["--stages", "1,1", "--rate", "10"]


def act(run):
    run.start_job_manager()
    run.start_task_manager(wait=False)


def conf(_):
    return {
        "taskmanager.memory.process.size": "1728m",
        "taskmanager.memory.managed.size": "900m",
        "taskmanager.memory.task.off-heap.size": "256m",
    }


def fix(_):
    # Task heap would be 1280m - 900m - 256m - 128m - 128m - 128m < 0: the fraction gives a size that fits.
    return {"taskmanager.memory.managed.size": None, "taskmanager.memory.managed.fraction": "0.2"}
