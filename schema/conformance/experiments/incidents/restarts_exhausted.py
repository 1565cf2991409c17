"""User code fails on every attempt until the restart strategy gives up."""

CAUSE = "restarts-exhausted"
SYMPTOMS = [r"Recovery is suppressed by FixedDelayRestartBackoffTimeStrategy"]
JOB = ["--stages", "1,1", "--rate", "100", "--act", "fail", "--act-after", "50"]
GZIP = True


def conf(dist):
    return {
        dist.key("restart-strategy.type"): "fixed-delay",
        "restart-strategy.fixed-delay.attempts": "3",
        "restart-strategy.fixed-delay.delay": "1 s",
    }
