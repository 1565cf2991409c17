"""The TaskManager looks for the JobManager on the wrong port and gives up."""

CAUSE = "job-manager-unreachable"
SYMPTOMS = [r"Could not register at the ResourceManager within the specified maximum registration duration"]
LINGER = 3
JOB = []


def act(run):
    run.start_task_manager(wait=False)


def conf(_):
    return {
        "jobmanager.rpc.port": "6124",
        # The default of 5 minutes, shortened.
        "taskmanager.registration.timeout": "20 s",
    }
