#!/usr/bin/env python3
"""Writes INDEX.tsv for a folder of fixtures: how each log was made, and what the truth is.

    index.py FOLDER

It fails when the logs of an incident no longer show its symptoms, or those of a healthy run show one.
"""

import collections
import gzip
import os
import re
import sys

import run as runner

NAME = re.compile(r"^(?P<incident>.+?)(?P<json>-json)?-(?P<version>\d+\.\d+\.\d+)-(?P<process>[a-z]+(?:-\d)?)\.log(?:\.gz)?$")


def read(path):
    opened = gzip.open(path, "rt", encoding="utf-8") if path.endswith(".gz") else open(path, encoding="utf-8")
    with opened as log:
        return log.read()


def faults(texts):
    """What is wrong with the fixtures; texts has all logs of one run joined, by (incident, version)."""
    symptoms = {s for name in runner.incidents() for s in runner.load(name).SYMPTOMS if runner.load(name).CAUSE != "none"}
    for (name, version), text in sorted(texts.items()):
        incident = runner.load(name.removesuffix("-json"))
        for pattern in incident.SYMPTOMS:
            if not re.search(pattern, text):
                yield f"{name} {version} does not show {pattern!r}"
        if incident.CAUSE == "none":
            for pattern in sorted(symptoms):
                if re.search(pattern, text):
                    yield f"{name} {version} shows {pattern!r}"


def main(folder):
    rows = []
    texts = collections.defaultdict(str)
    for file in sorted(os.listdir(folder)):
        match = NAME.match(file)
        if not match:
            continue
        incident = runner.load(match["incident"])
        about = " ".join(incident.__doc__.split())
        flags = " --json-log" if match["json"] else ""
        command = f"run.py --dist DIR{flags} {match['incident']}"
        rows.append((file, match["version"], match["process"], match["incident"], incident.CAUSE, command, about))
        texts[match["incident"] + (match["json"] or ""), match["version"]] += read(os.path.join(folder, file))
    with open(os.path.join(folder, "INDEX.tsv"), "w", encoding="utf-8") as out:
        out.write("file\tflink\tprocess\tincident\tcause\tcommand\tabout\n")
        for row in rows:
            out.write("\t".join(row) + "\n")
    wrong = list(faults(texts))
    for fault in wrong:
        print(fault)
    print(f"{len(rows)} fixtures")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
