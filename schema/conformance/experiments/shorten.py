"""Makes fixtures of logs: neutral paths, and no more than a reader needs."""

import gzip
import os
import re

# A fixture stays below this size: what is left out is never the first part, the end, or a line near trouble.
LIMIT = 58_000
# Compressed ones may be longer, and JSON lines are.
COMPRESSED_LIMIT = 4 * LIMIT
HEAD_LINES = 140
TAIL_LINES = 60
AROUND = 12
TROUBLE = re.compile(r" (WARN|ERROR) |Exception|OutOfMemory|to FAILED|checkpoint|exit code|Fatal", re.IGNORECASE)

# Flags that open modules to reflection: the same thousand characters several times in each log of 1.18 and later.
MODULE_FLAGS = re.compile(r'(?: ?--add-(?:exports|opens)=[^\s"]+)+')
MODULE_FLAG_LINE = re.compile(r'(?:\] -|"message":") +--add-(?:exports|opens)=[^\s"]+(?:$|")')


def shorten(text, limit=LIMIT):
    """The whole text if it fits, else its head, its tail, and windows around trouble, nearest to the start first."""
    lines = [MODULE_FLAGS.sub("", line) for line in text.splitlines() if not MODULE_FLAG_LINE.search(line)]
    out = "\n".join(lines) + "\n"
    if len(out) <= limit:
        return out
    keep = set(range(min(HEAD_LINES, len(lines)))) | set(range(max(0, len(lines) - TAIL_LINES), len(lines)))
    size = sum(len(lines[i]) + 1 for i in keep)
    for i, line in enumerate(lines):
        if i in keep or not TROUBLE.search(line):
            continue
        window = [j for j in range(i, min(len(lines), i + AROUND)) if j not in keep]
        more = sum(len(lines[j]) + 1 for j in window)
        if size + more > limit:
            break
        keep.update(window)
        size += more
    return "".join(lines[i] + "\n" for i in sorted(keep))


def save(run, name, incident, folder):
    """Writes a file per process: <incident>-<version>-<process>.log, .gz for JSON and where the incident says so.

    Of the client only what it says when it fails.
    """
    os.makedirs(folder, exist_ok=True)
    for process in run.processes:
        text = process.text()
        if not text.strip() or (process.name == "client" and process.popen.returncode == 0):
            continue
        compressed = name.endswith("-json") or getattr(incident, "GZIP", False)
        text = shorten(run.neutral(text), COMPRESSED_LIMIT if compressed else LIMIT)
        path = os.path.join(folder, f"{name}-{run.dist.version}-{process.name}.log")
        if compressed:
            # No name and no time in the header: the same log gives the same bytes.
            with open(path + ".gz", "wb") as raw, gzip.GzipFile("", "wb", mtime=0, fileobj=raw) as out:
                out.write(text.encode())
        else:
            with open(path, "w", encoding="utf-8") as out:
                out.write(text)
