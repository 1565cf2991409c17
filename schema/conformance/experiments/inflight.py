#!/usr/bin/env python3
"""Measures the in-flight data of unaligned checkpoints on a real Flink against the bound.

    inflight.py --dist DIR [--java-home DIR] [CASE...]

Each case runs source(P) -hash-> ... -hash-> sink(P) with an unlimited source and a slow sink, so that every queue is
full, and takes the largest persisted in-flight data that Flink reports for a checkpoint, for the job and for the
TaskManager with the most. The output is one line of the Markdown table in RESULTS.md for each case.
"""

import argparse
import collections
import math
import os
import sys
import tempfile
import time

import cluster as flink
import run as runner

SEGMENT = 32 * 1024
EXCLUSIVE = 2  # taskmanager.network.memory.buffers-per-channel; fixed from 2.0
FLOATING = 8  # taskmanager.network.memory.floating-buffers-per-gate; fixed from 2.0

# Completed checkpoints to look at. With debloating the first ones are passed over: a buffer's size changes by at most
# a factor per period of 200 ms, and 1 KiB to 32 KiB (or back) takes about 8 s.
CHECKPOINTS = 4
WARM_UP_SECONDS = 5
DEBLOAT_WARM_UP_SECONDS = 25

# name: TaskManagers, slots, stages, network memory in buffers, debloating, payload bytes, sink milliseconds per record
Case = collections.namedtuple("Case", "task_managers slots stages buffers debloat record delay")
CASES = {
    "p4-one-tm": Case(1, 4, 2, 2048, False, 1000, 20),
    "p4-two-tm": Case(2, 2, 2, 2048, False, 1000, 20),
    "p8-two-tm": Case(2, 4, 2, 2048, False, 1000, 20),
    "p16-two-tm": Case(2, 8, 2, 2048, False, 1000, 20),
    "p8-three-stages": Case(2, 4, 3, 2048, False, 1000, 20),
    "p8-small-pool": Case(2, 4, 2, 96, False, 1000, 20),
    "p8-large-record": Case(2, 4, 2, 2048, False, 50_000, 100),
    "p8-debloat": Case(2, 4, 2, 2048, True, 1000, 20),
    "p16-debloat": Case(2, 8, 2, 2048, True, 1000, 20),
}


def overdraft(minor):
    """Overdraft buffers per result partition: the default of 1.16-1.20, and the fixed value of 2.x."""
    if minor < (1, 16):
        return 0
    return 5 if minor < (2, 0) else 20


def bound(case, minor):
    """The most buffers that the subtasks of one TaskManager can hold: every slot has one subtask of each stage."""
    parallelism = case.task_managers * case.slots
    exchanges = case.stages - 1
    remote = parallelism - case.slots
    partition = parallelism * EXCLUSIVE + FLOATING + overdraft(minor)
    gate = FLOATING + EXCLUSIVE * remote
    return case.slots * exchanges * (partition + gate)


def unfinished(case):
    """Bytes of half-read records outside buffers: at most one in every channel of every gate, where it spans buffers."""
    if case.record < SEGMENT:
        return 0
    parallelism = case.task_managers * case.slots
    return case.slots * (case.stages - 1) * parallelism * case.record


def cap(case, minor):
    """The bound of one TaskManager in bytes: its pools, or all of its network memory if that is less."""
    return min(bound(case, minor), case.buffers) * SEGMENT + unfinished(case)


def conf(case, dist):
    network = f"{case.buffers * SEGMENT}b"
    return {
        "taskmanager.numberOfTaskSlots": str(case.slots),
        "taskmanager.memory.network.min": network,
        "taskmanager.memory.network.max": network,
        "taskmanager.network.memory.buffer-debloat.enabled": str(case.debloat).lower(),
        dist.key("execution.checkpointing.dir"): "file://{work}/checkpoints",
        "execution.checkpointing.interval": "3 s",
        dist.key("execution.checkpointing.unaligned.enabled"): "true",
    }


def measure(case, dist, java_home):
    work = os.path.join(tempfile.gettempdir(), f"flink-inflight-{os.getpid()}")
    with flink.Cluster(dist, work, conf(case, dist), java_home) as run:
        run.start_job_manager()
        for _ in range(case.task_managers):
            run.start_task_manager()
        stages = ",".join([str(case.task_managers * case.slots)] * case.stages)
        job = run.submit("--stages", stages, "--record-size", str(case.record), "--delay", str(case.delay))
        run.until(lambda: runner.all_running(run, job), "all subtasks run", flink.PATIENCE)
        time.sleep(DEBLOAT_WARM_UP_SECONDS if case.debloat else WARM_UP_SECONDS)
        first = completed(run, job)
        run.until(lambda: completed(run, job) >= first + CHECKPOINTS, "checkpoints complete", flink.PATIENCE)
        return largest(run, job, first)


def completed(run, job):
    return run.checkpoints(job)["counts"]["completed"]


def largest(run, job, first):
    """(job bytes, bytes of the fullest TaskManager, checkpoint id) of the checkpoint with the most in-flight data."""
    done = [c for c in run.checkpoints(job)["history"] if c["status"] == "COMPLETED" and c["id"] > first]
    most = max(done, key=lambda c: c["persisted_data"])
    per_worker = collections.Counter()
    for vertex in run.rest(f"/jobs/{job}")["vertices"]:
        places = {}
        for subtask in run.rest(f"/jobs/{job}/vertices/{vertex['id']}")["subtasks"]:
            places[subtask["subtask"]] = subtask["taskmanager-id"]
        details = run.rest(f"/jobs/{job}/checkpoints/details/{most['id']}/subtasks/{vertex['id']}")
        for subtask in details["subtasks"]:
            if subtask["status"] == "completed":
                per_worker[places[subtask["index"]]] += subtask["alignment"]["persisted"]
    return most["persisted_data"], max(per_worker.values()), most["id"]


def row(name, case, dist, java_home):
    job_bytes, worker_bytes, _ = measure(case, dist, java_home)
    parallelism = case.task_managers * case.slots
    limit = cap(case, dist.minor)
    share = worker_bytes / limit
    verdict = "inside" if worker_bytes <= limit and job_bytes <= limit * case.task_managers else "OUTSIDE"
    print(f"| {name} | {dist.version} | {parallelism} ({case.task_managers} x {case.slots}) | {case.stages - 1} "
          f"| {'on' if case.debloat else 'off'} | {case.buffers} | {bound(case, dist.minor)} | {limit:,} "
          f"| {worker_bytes:,} | {math.floor(share * 100)} % | {job_bytes:,} | {verdict} |", flush=True)
    return verdict == "inside"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dist", required=True)
    parser.add_argument("--java-home", default=flink.default_java_home())
    parser.add_argument("case", nargs="*")
    args = parser.parse_args()
    runner.isolate()
    dist = flink.Distribution(args.dist)
    ok = True
    for name in args.case or CASES:
        try:
            ok = row(name, CASES[name], dist, args.java_home) and ok
        except TimeoutError as missed:
            print(f"| {name} | {dist.version} | FAILED: {missed} |", flush=True)
            ok = False
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
