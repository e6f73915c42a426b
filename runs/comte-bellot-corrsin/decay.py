#!/usr/bin/env python3
"""Decay from the spectrum that Comte-Bellot and Corrsin measured at 42 M, compared with theirs at 98 M and 171 M.

    PYTHONPATH=build/python python3 runs/comte-bellot-corrsin/decay.py --model sigma --seeds 4

For 0.5 units of time the flow runs while each shell of wavenumbers is scaled to the measured spectrum every 0.02, until
its phases are those of turbulence. Then the clock starts. Prints the energy of each shell over the measured one, a mean
over seeds, and writes it as JSON with --out."""
import argparse
import json
import shutil
from pathlib import Path

import numpy as np
import triad

# k [1/cm], E at 42, 98, 171 M [cm^3/s^2]: table 3 of J. Fluid Mech. 48, 273 (1971)
TABLE = np.array([
    [0.20, 129, 106, 92.0], [0.25, 230, 196, 120], [0.30, 322, 195, 125], [0.40, 435, 202, 98.0], [0.50, 457, 168, 81.5],
    [0.70, 380, 127, 60.2], [1.00, 270, 79.2, 39.4], [1.50, 168, 47.8, 24.1], [2.00, 120, 34.6, 16.5], [2.50, 89.0, 28.6, 12.5],
    [3.00, 70.3, 23.1, 9.12], [4.00, 47.0, 14.3, 5.62]])
LENGTH, SPEED = 55.88 / (2 * np.pi), np.sqrt(1.5) * 22.2
START, STATIONS = 0.5, (0.8697, 2.0034)


def slopes(x, y):
    """Of a monotone cubic through the points (Fritsch and Carlson 1980)."""
    d = np.diff(y) / np.diff(x)
    h = np.diff(x)
    m = np.concatenate([[d[0]], np.zeros(len(d) - 1), [d[-1]]])
    for i in range(1, len(d)):
        if d[i - 1] * d[i] > 0:
            a, b = 2 * h[i] + h[i - 1], h[i] + 2 * h[i - 1]
            m[i] = (a + b) / (a / d[i - 1] + b / d[i])
    return m


def measured(station, shells):
    """E of these shells: a monotone cubic in the logarithms; shell 1 lies below the table, and continues it as k^2."""
    x, y = np.log(TABLE[:, 0]), np.log(TABLE[:, station])
    m, at = slopes(x, y), np.log(shells / LENGTH)
    i = np.clip(np.searchsorted(x, at) - 1, 0, len(x) - 2)
    h = x[i + 1] - x[i]
    t = (at - x[i]) / h
    values = (y[i] * (1 + 2 * t) * (1 - t)**2 + y[i + 1] * t * t * (3 - 2 * t)
              + h * m[i] * t * (1 - t)**2 - h * m[i + 1] * t * t * (1 - t))
    values = np.where(at < x[0], y[0] + 2 * (at - x[0]), values)
    return np.exp(values) / (LENGTH * SPEED**2)


class Shells:
    def __init__(self, flow):
        m = flow.modes
        size = np.sqrt(m.kx**2 + m.ky**2 + m.kz**2) + np.zeros(m["u"].shape)
        self.shell = np.rint(size).astype(int)
        self.kept = m.kept & (self.shell > 0)
        self.number = np.arange(1, self.shell[self.kept].max() + 1)
        # modes of a shell over those that its volume would have; the sphere cuts the last shell
        self.part = self.sums(m.weight) / (4 * np.pi / 3 * ((self.number + 0.5)**3 - (self.number - 0.5)**3))

    def sums(self, values):
        kept = np.where(self.kept, values, 0).ravel()
        return np.bincount(self.shell.ravel(), kept, len(self.number) + 1)[1:len(self.number) + 1]

    def energy(self, flow):
        m = flow.modes
        return self.sums(sum(m.weight * abs(m[c])**2 for c in "uvw") / 2)

    def scale(self, flow, wanted):
        have = self.energy(flow)
        factor = np.concatenate([[0], np.sqrt(wanted / np.maximum(have, 1e-30)), np.zeros(self.shell.max())])[self.shell]
        m = flow.modes
        scaled = {c: m[c] * np.where(self.kept, factor, 0) for c in "uvw"}  # all of them before one is changed
        for c in "uvw":
            m[c] = scaled[c]


def skewness(flow):
    u = flow.points("u")
    k = np.fft.fftfreq(u.shape[2], 1 / u.shape[2])
    g = np.fft.ifft(1j * k * np.fft.fft(np.asarray(u), axis=2), axis=2).real
    return (g**3).mean() / (g**2).mean()**1.5


def run(model, seed, folder, keys, grid):
    flow = triad.Flow(Path(__file__).parent / "case.toml", dir=folder, from_start=True, initial={"seed": seed},
                      closure={"model": model, **keys},
                      grid=grid, output={"report": False})
    shells = Shells(flow)
    wanted = measured(1, shells.number) * shells.part
    for i in range(26):
        flow.advance(to=0.02 * i)
        shells.scale(flow, wanted)
    s, out = skewness(flow), []
    for station in STATIONS:
        flow.advance(to=START + station)
        out.append(shells.energy(flow))
    flow.close()
    return np.array(out), s, np.array([measured(2, shells.number), measured(3, shells.number)]) * shells.part


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--model", default="spectral", help="a word of closure.model")
    p.add_argument("--seeds", type=int, default=4, help="number of runs")
    p.add_argument("--dir", default="cbc", help="folder of the runs")
    p.add_argument("--key", action="append", default=[], help="NAME=NUMBER, a key of [closure]")
    p.add_argument("--phase-shifts", action="store_true", help="keep the modes up to k = 30 of the same points")
    p.add_argument("--out", help="file for the result")
    a = p.parse_args()
    grid = {"dealiasing": "phase-shift", "radius": 30} if a.phase_shifts else {}
    keys = {k: float(v) for k, v in (word.split("=") for word in a.key)}
    runs = []
    for seed in range(1, a.seeds + 1):
        folder = Path(a.dir) / f"{a.model}-{seed}"
        shutil.rmtree(folder, ignore_errors=True)
        folder.parent.mkdir(parents=True, exist_ok=True)
        energy, skew, want = run(a.model, seed, folder, keys, grid)
        runs.append(energy)
        print(f"seed {seed}: skewness {skew:.3f} at the start, energy {energy[0].sum():.4f} {energy[1].sum():.4f}", flush=True)
    mean, error = np.mean(runs, axis=0), np.std(runs, axis=0, ddof=1) / np.sqrt(len(runs)) if len(runs) > 1 else np.zeros_like(want)
    ratio = mean / want
    print(" k   98 M          171 M")
    for i, k in enumerate(range(1, want.shape[1] + 1)):
        print(f"{k:2d}  {ratio[0, i]:.3f} +- {error[0, i] / want[0, i]:.3f}  {ratio[1, i]:.3f} +- {error[1, i] / want[1, i]:.3f}")
    print("resolved energy over the measured:", mean.sum(1) / want.sum(1))
    if a.out:
        Path(a.out).write_text(json.dumps({"model": a.model, "seeds": a.seeds, "ratio": ratio.tolist(), "error": (error / want).tolist()}))


main()
