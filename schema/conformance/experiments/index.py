#!/usr/bin/env python3
"""Writes INDEX.tsv for a folder of fixtures: how each log was made, and what the truth is.

    index.py FOLDER
"""

import os
import re
import sys

import run as runner

NAME = re.compile(r"^(?P<incident>.+?)(?P<json>-json)?-(?P<version>\d+\.\d+\.\d+)-(?P<process>[a-z]+(?:-\d)?)\.log(?:\.gz)?$")


def main(folder):
    rows = []
    for file in sorted(os.listdir(folder)):
        match = NAME.match(file)
        if not match:
            continue
        incident = runner.load(match["incident"])
        about = " ".join(incident.__doc__.split())
        flags = " --json-log" if match["json"] else ""
        command = f"run.py --dist DIR{flags} {match['incident']}"
        rows.append((file, match["version"], match["process"], match["incident"], incident.CAUSE, command, about))
    with open(os.path.join(folder, "INDEX.tsv"), "w", encoding="utf-8") as out:
        out.write("file\tflink\tprocess\tincident\tcause\tcommand\tabout\n")
        for row in rows:
            out.write("\t".join(row) + "\n")
    print(f"{len(rows)} fixtures")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
