#!/usr/bin/env python3
"""Runs incidents on a real Flink and says whether each shows the symptom it is made for.

    run.py --dist DIR [--java-home DIR] [--save DIR] [--fix | --advisor BIN] [--after-only] [INCIDENT...]

DIR is an unpacked Flink distribution (see fetch.sh). Without names every incident that the release can show is run.
--fix applies the incident's edits afterwards and runs the job again, which must then succeed.
--advisor takes the edits from the flinkadvise binary instead: it gets the faulty file and what is known of the job. Where 2.x is given a
flink-conf.yaml, `flinkadvise upgrade --write` makes the file that it reads.
--after-only leaves out the failing run.
--save writes the logs, shortened and with neutral paths, for the log reader's fixtures.
"""

import argparse
import importlib
import os
import shutil
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


def advised(advisor, dist, incident, conf, work):
    """The configuration file after `flinkadvise check --fix`, and the difference it made."""
    folder = tempfile.mkdtemp(prefix="flink-advice-")
    path = os.path.join(folder, dist.conf_file)
    facts = os.path.join(folder, "job.yaml")
    with open(path, "w", encoding="utf-8") as out:
        out.write(flink.render(dist, conf, work))
    with open(facts, "w", encoding="utf-8") as out:
        out.write(job_facts(dist, incident))
    command = [advisor, "check", "--isolated", "--unsafe-fixes", "--job", facts]
    diff = subprocess.run([*command, "--diff", path], capture_output=True, text=True, check=False).stdout
    done = subprocess.run([*command, "--fix", path], capture_output=True, text=True, check=False)
    if done.returncode > 1:
        raise SystemExit(f"flinkadvise: {done.stderr}")
    with open(path, encoding="utf-8") as fixed:
        return {dist.conf_file: fixed.read()}, [l for l in diff.splitlines() if l[:1] in "+-" and l[1:2] not in "+-"]


def upgraded(advisor, dist, incident):
    """The file that `flinkadvise upgrade --write` makes of a flink-conf.yaml that this release does not read."""
    folder = tempfile.mkdtemp(prefix="flink-advice-")
    old, new = os.path.join(folder, "flink-conf.yaml"), os.path.join(folder, dist.conf_file)
    with open(old, "w", encoding="utf-8") as out:
        out.write(incident.files(dist)["flink-conf.yaml"])
    command = [advisor, "upgrade", "--isolated", "--from", "1.20", "--to", "%d.%d" % dist.minor, "--write=" + new, old]
    subprocess.run(command, check=True, capture_output=True)
    with open(new, encoding="utf-8") as written:
        return {dist.conf_file: written.read()}, [f"{dist.conf_file} written by flinkadvise upgrade"]


def job_facts(dist, incident):
    """The job as job.yaml tells it: the stages of the command line and what the incident adds."""
    stages = incident.JOB[incident.JOB.index("--stages") + 1].split(",")
    lines = ["version: 1", f"flink: {dist.version}"]
    lines += ["deployment: {target: standalone, mode: session, taskManagers: %d}" % getattr(incident, "TASK_MANAGERS", 1)]
    lines += ["job:", f"  parallelism: {max(map(int, stages))}", "  vertices:"]
    lines += [f"    - {{id: stage-{i}, parallelism: {p}}}" for i, p in enumerate(stages)]
    lines += ["  edges:"]
    lines += [f"    - {{from: stage-{i}, to: stage-{i + 1}, shipStrategy: HASH}}" for i in range(len(stages) - 1)]
    return "\n".join(lines) + "\n" + getattr(incident, "FACTS", "")


def fail(name, dist, incident, conf, work, args):
    """The faulty run; True when every symptom shows."""
    ok = True
    files = incident.files(dist) if hasattr(incident, "files") else None
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
        ended = [p for p in run.processes if p.popen.poll() not in (None, 0)]
        run.stop()
        for process in ended:
            print(f"{name} {dist.version} before: {process.name} ended by itself, exit code {process.popen.returncode}")
        if args.save and ok:
            shorten.save(run, name + ("-json" if args.json_log else ""), incident, args.save)
    return ok


def mend(name, dist, incident, conf, work, args):
    """The run with the edits applied; True when the job runs."""
    if args.advisor and hasattr(incident, "files") and "flink-conf.yaml" in incident.files(dist):
        files, edits = upgraded(args.advisor, dist, incident)
    elif args.advisor:
        files, edits = advised(args.advisor, dist, incident, conf, work)
    else:
        files, edits = None, [f"{key}: {value}" for key, value in incident.fix(dist).items()]
        conf = {**conf, **incident.fix(dist)}
    for edit in edits:
        print(f"{name} {dist.version} edit: {edit}")
    with flink.Cluster(dist, work, conf, args.java_home, files=files) as run:
        try:
            for where, line in filter(None, prove(run, incident)):
                print(f"{name} {dist.version} after: {where}: {line.strip()}")
        except TimeoutError as missed:
            print(f"{name} {dist.version}: FIX FAILED: {missed}")
            return False
    print(f"{name} {dist.version} after: all subtasks RUNNING")
    return True


def one(name, dist, args):
    incident = load(name)
    if not getattr(incident, "since", (0, 0)) <= dist.minor <= getattr(incident, "until", (99, 0)):
        print(f"{name} {dist.version}: not for this release")
        return True
    work = os.path.join(tempfile.gettempdir(), f"flink-experiment-{os.getpid()}")
    conf = incident.conf(dist)
    ok = args.after_only or fail(name, dist, incident, conf, work, args)
    if ok and (args.fix or args.advisor) and hasattr(incident, "fix"):
        ok = mend(name, dist, incident, conf, work, args)
    shutil.rmtree(work, ignore_errors=True)
    return ok


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dist", required=True)
    parser.add_argument("--java-home", default=flink.default_java_home())
    parser.add_argument("--save")
    parser.add_argument("--fix", action="store_true")
    parser.add_argument("--advisor")
    parser.add_argument("--after-only", action="store_true")
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
