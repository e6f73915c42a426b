"""log.txt: when the run ran, what it warned of, how fast its steps were. Text lines or JSON ones (--log-format=jsonl)."""
import json
import os
import re
from datetime import datetime

HEAD, TAIL = 1 << 16, 1 << 20
LINE = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3})Z (\w+)\s+(.*)")
OPENS = re.compile(r"triad \S+ \(")
ACCEPTED = "the start is accepted"
SPEED = re.compile(r"([\d.eE+-]+) ms/step")


def text_of(path):
    """The file, or its first 64 KiB and last 1 MiB where it is long."""
    size = os.path.getsize(path)
    with open(path, "rb") as file:
        if size <= HEAD + TAIL:
            return file.read().decode("utf-8", "replace")
        head = file.read(HEAD)
        file.seek(size - TAIL)
        tail = file.read(TAIL)
    return head.rpartition(b"\n")[0].decode("utf-8", "replace") + "\n" + tail.partition(b"\n")[2].decode("utf-8", "replace")


def entry(line):
    """(time, level, text) of a line, or None."""
    if line.startswith("{"):
        try:
            found = json.loads(line)
            return when(found["time"].rstrip("Z")), str(found["level"]), str(found["text"])
        except (ValueError, KeyError, TypeError, AttributeError):
            return None
    found = LINE.match(line)
    return (when(found.group(1)), found.group(2), found.group(3)) if found else None


def when(text):
    try:
        return datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%f")
    except ValueError:
        return None


def split(entries):
    """The entries of each start. Its memory is written before its first line, with one of which a list may begin."""
    starts = [i for i, (_time, level, text) in enumerate(entries) if level == "info" and OPENS.match(text)]
    for n, i in enumerate(starts):
        while i > 0 and entries[i - 1][2].startswith("memory of a rank: "):
            i -= 1
        starts[n] = i
    edges = sorted({0, *starts, len(entries)})
    return [entries[a:b] for a, b in zip(edges[:-1], edges[1:])]


def is_accepted(session):
    """By its line (src/command/session/start.c); logs of earlier versions have none, and a step shows it too."""
    return any(text.startswith(ACCEPTED) or level == "progress" for _time, level, text in session)


def accepted(sessions):
    """Those that were accepted; all where none was: the log is of a run that never began, or has lost its lines."""
    return [s for s in sessions if is_accepted(s)] or sessions


class Log:
    """entries (time, level, text) of the starts that were accepted; "triad 0.1.0 (commit ..): case" opens one. A start that was refused,
    as one with another case, has changed nothing of the run, and its lines are left out."""

    def __init__(self, path):
        try:
            lines = text_of(path).splitlines()
        except OSError:
            lines = []
        entries = [e for e in map(entry, lines) if e and e[0]]
        # what an earlier report has written is no part of the run: its failed checks may pass by now
        entries = [e for e in entries if not e[2].startswith(("report: ", "no report.html: ", "check failed: "))]
        self.entries = [e for session in accepted(split(entries)) for e in session]

    def of_level(self, *levels):
        return [text for _time, level, text in self.entries if level in levels]

    @property
    def started(self):
        return self.entries[0][0] if self.entries else None

    @property
    def ended(self):
        return self.entries[-1][0] if self.entries else None

    def speed(self):
        """ms/step as the last progress line has it, or None."""
        for text in reversed(self.of_level("progress")):
            found = SPEED.search(text)
            if found:
                return float(found.group(1))
        return None

    def sessions(self):
        return sum(1 for text in self.of_level("info") if OPENS.match(text))

    def found(self, pattern):
        """The last match of a pattern in a line of the log; None."""
        return next(filter(None, (re.search(pattern, text) for text in reversed(self.of_level("info")))), None)
