"""A case whose grid follows the flow, and what its directory tells: for test_follow.py, test_python_follow.py and long/follow.py."""
import csv

import numpy as np

CASE = """
[equations]
solver = "hd"
viscosity = 0.01
[grid]
n = [40, 40, 40]
[initial]
kind = "taylor-green"
[target]
grid = "follow"
kmax_eta = 2.0
empty = 3e-4
n_least = 24
[time]
end = 12.0
cfl = 0.7
dt_max = 0.1
[parallel]
reproducible = true
[output]
series_interval = 0
spectra_interval = 0
slices = []
report = false
"""


def changes(at):
    """[(step, n before, n after)] of case.changes.csv."""
    with open(at / "case.changes.csv", encoding="utf-8", newline="") as file:
        lines = list(csv.reader(line for line in file if not line.startswith("#")))[1:]
    return [(int(line[0]), *(tuple(map(int, text.strip("[]").split(","))) for text in line[3:5])) for line in lines if line[2] == "grid.n"]


def at_times(series, column, times):
    """Cubic, through the four rows nearest to a time."""
    t, y = series["t"], series[column]
    first = np.clip(np.searchsorted(t, times) - 2, 0, len(t) - 4)
    out = np.zeros_like(times)
    for i in range(4):
        others = [first + j for j in range(4) if j != i]
        out += y[first + i] * np.prod([(times - t[o]) / (t[first + i] - t[o]) for o in others], axis=0)
    return out
