"""The flow that every code of this folder computes: plane waves without any symmetry, viscosity 0.02, a box of side 2 pi, to t = 2.

Each wave is a cos(k.x + phase) with a.k = 0, so the start has no divergence. All codes keep the modes |k_i| <= 21 along each axis,
those of 64 points by the 2/3 rule, and remove aliasing: they solve the same equations, and differ by their steps in time."""

import csv
from pathlib import Path

POINTS, KEPT, VISCOSITY, END = 64, 21, 0.02, 2.0
TIMES = (0.0, 0.5, 1.0, 1.5, 2.0)
COLUMNS = ("energy", "enstrophy", "helicity")  # means of u.u/2, omega.omega/2, u.omega
# wavenumber, amplitude, phase
WAVES = (((1, 2, 0), (0.6, -0.3, 0.3), 0.3), ((0, 1, -1), (0.35, 0.3, 0.3), 1.1), ((1, 0, 1), (0.3, 0.15, -0.3), 2.0),
         ((2, -1, 1), (0.25, 0.2, -0.3), 0.7), ((1, 2, 0), (0.2, -0.1, -0.4), 1.9), ((1, 0, 1), (0.1, 0.4, -0.1), 0.2))

SERIES = Path(__file__).resolve().parent / "series"


def velocity(x, y, z, cos):
    """u, v, w at points; cos: that of the library whose arrays they are."""
    return [sum(a[i] * cos(k[0] * x + k[1] * y + k[2] * z + phase) for k, a, phase in WAVES) for i in range(3)]


def formulas():
    """u, v, w as texts for a case of Triad."""
    return [" + ".join(f"({a[i]})*cos({k[0]}*x + ({k[1]})*y + ({k[2]})*z + {phase})" for k, a, phase in WAVES) for i in range(3)]


def write(name, heading, rows):
    """series/NAME.csv: a line on code, versions and method, then t and the columns. rows: [(t, energy, enstrophy, helicity)]"""
    with (SERIES / f"{name}.csv").open("w") as file:
        print(f"# {heading}", file=file)
        print("t", *COLUMNS, sep=",", file=file)
        for row in rows:
            print(f"{row[0]:g}", *(f"{value:.15e}" for value in row[1:]), sep=",", file=file)


def read(name):
    """(the first line without its #, {column: [value at each of TIMES]})"""
    first, *lines = (SERIES / f"{name}.csv").read_text().splitlines()
    table = list(csv.DictReader(lines))
    return first.removeprefix("# "), {column: [float(row[column]) for row in table] for column in ("t", *COLUMNS)}
