"""Gases with known answers that take minutes: rows of tests/long/check."""

import subprocess

import h5py
import numpy as np

import outputs
from verification import noted

OCTANT = """[equations]
solver = "compressible"
flux = "hybrid"
weights = "teno"
viscosity = 0.0025
viscosity_law = "constant"
[grid]
n = [{n}, {n}, {n}]
length = ["pi", "pi", "pi"]
[boundaries]
x = ["reflecting", "reflecting"]
y = ["reflecting", "reflecting"]
z = ["reflecting", "reflecting"]
[initial]
kind = "file"
file = "{file}"
[time]
scheme = "rk4"
end = 5.25
cfl = 0.8
[output]
series_interval = 0.05
report = false
slices = []
"""
HD = """[equations]
solver = "hd"
viscosity = 0.0025
[grid]
n = [{n}, {n}, {n}]
[initial]
kind = "taylor-green"
[time]
end = 5.25
cfl = 0.5
[output]
series_interval = 0.05
report = false
slices = []
"""


def run(options, folder, text):
    case = folder.with_suffix(".toml")
    case.write_text(text)
    launcher = ["mpirun", "--oversubscribe", "-n", str(options.ranks)] if options.ranks > 1 else []
    subprocess.run([*launcher, options.triad, "run", "-q", case, "--dir", folder], check=True)
    return outputs.series(folder)


def vortex(options, name, folder, note):
    """Taylor-Green's at Mach 0.1, Re = 400 by hybrid fluxes (an octant of 64^3 points, which its symmetries allow) against solver
    hd on 96^3: dissipation, and the fall of kinetic energy less pressure's work, means over half a time unit, until t = 5."""
    x = (np.arange(32) + 0.5) * np.pi / 32
    z, y, x = np.meshgrid(x, x, x, indexing="ij")
    p0 = 1 / (1.4 * 0.1**2)
    p = p0 + (np.cos(2 * x) + np.cos(2 * y)) * (np.cos(2 * z) + 2) / 16
    with h5py.File(folder / "octant.h5", "w") as f:
        for field, value in (("rho", p / p0), ("u", np.sin(x) * np.cos(y) * np.cos(z)), ("v", -np.cos(x) * np.sin(y) * np.cos(z)),
                             ("w", 0 * p), ("p", p)):
            f[field] = value
    gas = run(options, folder / "gas", OCTANT.format(n=32, file=folder / "octant.h5"))
    hd = run(options, folder / "hd", HD.format(n=96))
    work = np.diff(gas["t"]) * (gas["pressure_dilatation"][1:] + gas["pressure_dilatation"][:-1]) / 2
    kept = gas["kinetic_energy"] - np.concatenate([[0], np.cumsum(work)])
    t, window = np.arange(0.5, 5.01, 0.5), np.linspace(-0.25, 0.25, 21)
    fall = [np.interp(t - 0.25, s["t"], e) - np.interp(t + 0.25, s["t"], e) for s, e in ((gas, kept), (hd, hd["energy"]))]
    taken = [np.array([np.interp(i + window, s["t"], s["dissipation"]).mean() for i in t]) for s in (gas, hd)]
    for what, pair in (("dissipation", taken), ("fall of kinetic energy", fall)):
        worst = abs(pair[0] / pair[1] - 1).max()
        note(f"{name}: {what} to t = 5", f"{100 * worst:.2f} %", "1 %", worst < 0.01)
        if what == "dissipation":
            noted(note, "compressible-taylor-green-hybrid", worst)
