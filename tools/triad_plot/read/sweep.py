"""Times of a step against the chunks in flight: the table that `triad tune` prints, or files of `triad bench --json`."""
import re
from typing import NamedTuple

from triad_plot.problem import Problem, of_reading
from triad_plot.read.records import Bench
from triad_plot.read.run import read_json

HEAD = re.compile(r"transport +nstreams +threads +total((?: +[a-z_]+)+) +\[ms\]")
ROW = r"(\(?[a-z][\w-]*\)?) +(\d+) +(\d+)" + r"{times}\s*(?:$|\"|\\n)"
LIMIT = 64 << 20  # bytes: no table of a tuner is so long


class Row(NamedTuple):
    transport: str
    nstreams: int
    threads: int
    total: float     # [s], as are the phases
    phases: dict


def of_text(path, text):
    """Rows of the table, from what was printed, or from a log in either format."""
    head = HEAD.search(text)
    if not head:
        raise Problem(f"{path}: neither a table of triad tune nor a file of triad bench --json")
    rows, phases = [], head.group(1).split()
    row = re.compile(ROW.replace("{times}", r" +(\d+\.\d+)" * (1 + len(phases))))
    for line in text[head.end():].splitlines():
        found = row.search(line)
        if found:
            total, *times = (float(x) / 1e3 for x in found.groups()[3:])
            rows.append(Row(found.group(1), int(found.group(2)), int(found.group(3)), total, dict(zip(phases, times))))
    if not rows:
        raise Problem(f"{path}: the table of triad tune has no rows")
    return rows


def of_bench(path, data):
    bench = Bench(path, data)
    try:
        return Row(str(data.get("transport", "")), int(data["nstreams"]), bench.threads, bench.median, bench.phases)
    except (KeyError, TypeError, ValueError):
        raise Problem(f"{path}: not a file of triad bench --json ('nstreams' is missing)") from None


def of_path(path):
    """Rows of one file."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read(LIMIT)
    except OSError as error:
        raise of_reading(path, error) from None
    if text.lstrip().startswith("{") and not HEAD.search(text):
        data = read_json(path)
        return [of_bench(path, data)]
    return of_text(path, text)
