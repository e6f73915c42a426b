"""Flows with known answers that have nothing else in common: rows of tests/long/check."""

import ast
import math
import re
import subprocess
from pathlib import Path

import h5py
import numpy as np

import outputs
from verification import noted

ROOT = Path(__file__).resolve().parents[2]


def off_ghia(f):
    """The largest difference from tables I and II of Ghia, Ghia and Shin (1982) for Re = 100, which docs/benchmarks.py draws."""
    script = (ROOT / "docs/benchmarks.py").read_text()
    tables = [np.array(ast.literal_eval(text)) for text in re.findall(r"^GHIA_[UV] = np\.array\((\[.*?\])\)$", script, re.M | re.S)]
    n = len(f["x"])
    u, v = (f["u"][0][:, n // 2 - 1] + f["u"][0][:, n // 2]) / 2, (f["v"][0][n // 2 - 1] + f["v"][0][n // 2]) / 2
    lines = [(np.array([0, *f["y"], 1]), np.array([0, *u, 1])), (np.array([0, *f["x"], 1]), np.array([0, *v, 0]))]
    return max(abs(np.interp(table[:, 0], *line) - table[:, 1]).max() for table, line in zip(tables, lines))


def run(options, folder, text, *arguments):
    case = folder.with_suffix(".toml")
    case.write_text(text)
    launcher = ["mpirun", "--oversubscribe", "-n", str(options.ranks)] if options.ranks > 1 else []
    subprocess.run([*launcher, options.triad, "run", "-q", case, "--dir", folder, *arguments], check=True)
    return folder


def density(folder):
    with h5py.File(sorted((folder / "fields").glob("*.h5"))[-1]) as f:
        return f["rho"][:].ravel()


def shu_osher(options, name, folder, note):
    """Points are in the middle of cells: a mean over ten of the fine ones belongs to one of the coarse. Its own case but for the points."""
    text, found = (ROOT / "runs/shu-osher/case.toml").read_text(), {}
    for n in (400, 4000):
        found[n] = density(run(options, folder / f"{name}-{n}", text, "--set", f"grid.n=[{n},1,1]", "--set", f"time.dt={1.0 / n}",
                               "--set", "output.report=false"))
    error = 10 * abs(found[400] - found[4000].reshape(400, 10).mean(axis=1)).mean()
    note(f"{name}: integral of the error of density, 400 points", f"{error:.3f}", "0.2", error < 0.2)
    noted(note, "compressible-shu-osher", error)


BLAST = """[equations]
solver = "compressible"
[grid]
n = [{n}, 1, 1]
length = [1, 1, 1]
[boundaries]
x = ["reflecting", "reflecting"]
[initial]
kind = "formula"
rho = "1"
u = "0"
p = "1000*step(0.1 - x) + 0.01*step(x - 0.1)*step(0.9 - x) + 100*step(x - 0.9)"
[time]
end = 0.038
cfl = 0.4
[output]
report = false
series_interval = 0
fields_interval = 0.038
"""


def blast_waves(options, name, folder, note):
    found = {n: density(run(options, folder / f"{name}-{n}", BLAST.format(n=n))) for n in (800, 3200)}
    error = abs(found[800] - found[3200].reshape(800, 4).mean(axis=1)).mean()
    x = (np.arange(3200) + 0.5) / 3200
    note(f"{name}: largest density of 3200 points, its place", f"{found[3200].max():.3f}, {x[found[3200].argmax()]:.3f}", "6.3 to 6.6, 0.78",
         6.3 < found[3200].max() < 6.6)
    noted(note, "compressible-blast-waves", error, found[800].max())


SHOCK_VORTEX = """[equations]
solver = "compressible"
[grid]
n = [{n}, {half}, 1]
length = [2, 1, 1]
[boundaries]
x = ["extrapolate", "extrapolate"]
y = ["reflecting", "reflecting"]
[initial]
kind = "shock-vortex"
[time]
end = 0.35
[output]
report = false
slices = []
series_interval = 0
spectra_interval = 0
fields_interval = 0.35
"""


def shock_vortex(options, name, folder, note):
    """The case of Jiang and Shu (1996, J. Comput. Phys. 126, 202), about their grid. Points are in the middle of cells: the mean over four of
    the fine ones belongs to one of the coarse."""
    found = {}
    for n in (240, 480):
        folder_n = run(options, folder / f"{name}-{n}", SHOCK_VORTEX.format(n=n, half=n // 2))
        with h5py.File(sorted((folder_n / "fields").glob("*.h5"))[-1]) as f:
            found[n] = f["p"][0].astype(float)
    fine = found[480].reshape(120, 2, 240, 2).mean(axis=(1, 3))
    error = abs(found[240] - fine).mean()
    note(f"{name}: pressure, largest and smallest of 480 x 240", f"{found[480].max():.4f}, {found[480].min():.4f}", "no reference", True)
    noted(note, "compressible-shock-vortex", error)


SPHERES = """[equations]
solver = "staggered"
viscosity = 1
[grid]
n = [{n}, {n}, {n}]
length = [1, 1, 1]
[initial]
kind = "rest"
[solids]
kind = "formula"
formula = "(x - 0.5)^2 + (y - 0.5)^2 + (z - 0.5)^2 < {square!r}"
[forcing]
kind = "pressure-gradient"
amplitude = 0.01
[time]
end = 0.2
dt = 0.001
[output]
series_interval = 0.1
report = false
"""


def spheres(options, name, folder, note):
    """The force on a sphere, which is that of the pressure gradient on the whole box, over 6 pi mu a U, with U the flux through the box; of a
    sphere of the volume that its cells have."""
    n = min(32, options.largest)
    folder = run(options, folder / name, SPHERES.format(n=n, square=(0.3 / (4 * math.pi))**(2 / 3)))
    x = (np.arange(n) + 0.5) / n - 0.5
    part = (x[:, None, None]**2 + x[:, None]**2 + x**2 < (0.3 / (4 * math.pi))**(2 / 3)).mean()
    exact = 1 / (1 - 1.7601 * part**(1 / 3) + part - 1.5593 * part**2 + 3.9799 * part**(8 / 3) - 3.0734 * part**(10 / 3))
    found = 0.01 / (6 * math.pi * (3 * part / (4 * math.pi))**(1 / 3) * outputs.points(folder, ("u",))[0].mean())
    note(f"{name}, {n}^3: drag over Stokes' drag", f"{found:.4f}", f"{exact:.4f} to 10 %", n < 32 or abs(found / exact - 1) < 0.1)
    if n == 32:
        noted(note, "staggered-spheres", abs(found / exact - 1), found)


FLOWS = {"spheres": spheres, "shu-osher": shu_osher, "blast-waves": blast_waves, "shock-vortex": shock_vortex}
