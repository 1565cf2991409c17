#!/usr/bin/env python3
"""Runs incidents on a real Flink and says whether each shows the symptom it is made for.

    run.py --dist DIR [--java-home DIR] [--save DIR] [--fix] [--keep] [INCIDENT...]

DIR is an unpacked Flink distribution (see fetch.sh). Without names every incident that the release can show is run.
--fix applies the incident's edits afterwards and runs the job again, which must then succeed.
--save writes the logs, shortened and with neutral paths, for the log reader's fixtures.
"""

import argparse
import importlib
import os
import subprocess
import sys
import tempfile
import time

import cluster as flink
import shorten

HERE = os.path.dirname(os.path.abspath(__file__))


def isolate():
    """Starts this program again where only the loopback interface exists, if the machine allows it."""
    if os.environ.get("EXPERIMENT_ISOLATED"):
        return
    if subprocess.run(["unshare", "--net", "--uts", "true"], capture_output=True, check=False).returncode != 0:
        return
    os.environ["EXPERIMENT_ISOLATED"] = "1"
    inner = 'ip link set lo up && hostname localhost && exec "$@"'
    os.execvp("unshare", ["unshare", "--net", "--uts", "sh", "-c", inner, "sh", sys.executable, *sys.argv])


def incidents():
    names = sorted(f[:-3] for f in os.listdir(os.path.join(HERE, "incidents")) if f.endswith(".py"))
    return [name.replace("_", "-") for name in names if name != "__init__"]


def load(name):
    return importlib.import_module("incidents." + name.replace("-", "_"))


def act(run, incident):
    """The usual course: cluster, job, symptom. An incident with its own course has a function `act`."""
    if hasattr(incident, "act"):
        incident.act(run)
        return
    run.start_job_manager()
    for _ in range(getattr(incident, "TASK_MANAGERS", 1)):
        run.start_task_manager()
    run.submit(*incident.JOB)


def prove(run, incident):
    """With the edits applied the job must run, and complete a checkpoint where the incident is about checkpoints."""
    run.start_job_manager()
    for _ in range(getattr(incident, "TASK_MANAGERS", 1)):
        run.start_task_manager()
    job = run.submit(*incident.JOB)
    if job is None:
        raise TimeoutError("the client could not submit the job")
    run.until(lambda: all_running(run, job), "all subtasks run", flink.PATIENCE)
    evidence = [run.find(r"switched from \w+ to RUNNING|from INITIALIZING to RUNNING")]
    if getattr(incident, "FIXED", None):
        evidence.append(run.until_logged(incident.FIXED, flink.PATIENCE))
    time.sleep(3)
    if not all_running(run, job):
        raise TimeoutError("the job did not keep running")
    return evidence


def all_running(run, job):
    vertices = run.rest(f"/jobs/{job}")["vertices"]
    return all(v["status"] == "RUNNING" for v in vertices) and run.job_state(job) == "RUNNING"


def one(name, dist, args):
    incident = load(name)
    if not getattr(incident, "since", (0, 0)) <= dist.minor <= getattr(incident, "until", (99, 0)):
        print(f"{name} {dist.version}: not for this release")
        return True
    work = os.path.join(tempfile.gettempdir(), f"flink-experiment-{os.getpid()}")
    conf = incident.conf(dist)
    files = incident.files(dist) if hasattr(incident, "files") else None
    ok = True
    with flink.Cluster(dist, work, conf, args.java_home, files=files, json_log=args.json_log) as run:
        try:
            act(run, incident)
            for pattern in incident.SYMPTOMS:
                where, line = run.until_logged(pattern, getattr(incident, "SECONDS", flink.PATIENCE))
                print(f"{name} {dist.version} before: {where}: {line.strip()}")
            time.sleep(getattr(incident, "LINGER", 1))
        except TimeoutError as missed:
            print(f"{name} {dist.version}: FAILED: {missed}")
            ok = False
        run.stop()
        for process in run.processes:
            if process.popen.returncode not in (0, 143, -15):
                print(f"{name} {dist.version} before: {process.name} exit code {process.popen.returncode}")
        if args.save and ok:
            shorten.save(run, name + ("-json" if args.json_log else ""), incident, args.save)
    if args.fix and ok and hasattr(incident, "fix"):
        fixed = {**conf, **incident.fix(dist)}
        with flink.Cluster(dist, work, fixed, args.java_home) as run:
            try:
                for where, line in filter(None, prove(run, incident)):
                    print(f"{name} {dist.version} after: {where}: {line.strip()}")
                print(f"{name} {dist.version} after: {incident.fix(dist)} -> RUNNING")
            except TimeoutError as missed:
                print(f"{name} {dist.version}: FIX FAILED: {missed}")
                ok = False
    return ok


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dist", required=True)
    parser.add_argument("--java-home", default=os.environ.get("JAVA_HOME") or "/usr/lib/jvm/java-17-openjdk-amd64")
    parser.add_argument("--save")
    parser.add_argument("--fix", action="store_true")
    parser.add_argument("--json-log", action="store_true")
    parser.add_argument("incident", nargs="*")
    args = parser.parse_args()
    isolate()
    sys.stdout.reconfigure(line_buffering=True)
    dist = flink.Distribution(args.dist)
    results = [one(name, dist, args) for name in args.incident or incidents()]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
