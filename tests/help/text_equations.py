"""Cases of solver text, their runs, and what `triad case --equations` prints of them."""
import csv
import subprocess

import numpy as np

CASE = """
[parameters]
{parameters}
[equations]
solver = "text"
{equations}
[grid]
n = {n}
{grid}
[initial]
kind = "formula"
fields = {start}
[time]
end = {end}
dt = {dt}
scheme = "{scheme}"
[output]
series_interval = {interval}
spectra_interval = 0
fields_interval = {fields}
slices = []
report = false
"""


def write(folder, equations, n, start, end, dt, parameters=None, grid="", scheme="rk4", interval=None, fields=0, name="case"):
    path = folder / f"{name}.toml"
    numbers = "\n".join(f"{k} = {float(v)!r}" for k, v in (parameters or {}).items())
    path.write_text(CASE.format(parameters=numbers, equations=equations, n=n, grid=grid, start=start, end=end, dt=dt, scheme=scheme,
                                interval=interval or end / 4, fields=fields))
    return path


def series(mpirun, triad, case, ranks=1):
    folder = case.with_suffix("") if ranks == 1 else case.with_name(f"{case.stem}-{ranks}")
    mpirun(ranks, triad, "run", case, "--dir", folder, expect=0)
    with open(folder / "series.csv") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    return {name: np.array([float(row[name]) for row in rows]) for name in rows[0]}


def explained(triad, case, *arguments):
    done = subprocess.run([triad, "case", case, "--equations", *arguments], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout
