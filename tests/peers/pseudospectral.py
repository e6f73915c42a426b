#!/usr/bin/env python3
"""Pseudospectral code in numpy, written from the equations (docs/methods/spectral.md and spectral-sets.md) without Triad's
sources: velocity in a rotating frame, buoyancy, magnetic field. Advection is in its rotational form, u x omega, which shares no product
with Triad's; modes are those of numpy.fft; steps are those of the classical Runge-Kutta method with the exact decay (integrating factor).

tests/peers/pseudospectral.py [STEPS]   computes the flow of flow.py and writes series/numpy.csv; 400 steps need ten minutes"""

import platform
import sys

import numpy as np

import flow

try:
    from scipy import fft  # the faster of the two
except ImportError:
    from numpy import fft


class Box:
    """Wavenumbers and transforms of n^3 points in a box of side 2 pi; arrays are [z][y][x]. kept: a sphere or a box of modes."""

    def __init__(self, n, truncation="box"):
        along = np.fft.fftfreq(n, 1 / n)
        self.n = n
        self.k = np.array(np.meshgrid(along, along, np.arange(n // 2 + 1), indexing="ij"))[::-1]  # kx, ky, kz
        self.k2 = (self.k**2).sum(axis=0)
        largest = (n - 1) // 3
        self.kept = self.k2 <= largest**2 if truncation == "sphere" else (abs(self.k) <= largest).all(axis=0)
        self.weight = np.where((self.k[0] == 0) | (2 * self.k[0] == n), 1.0, 2.0)  # modes with kx < 0 are conjugates

    def points(self):
        """x, y, z"""
        x = 2 * np.pi * np.arange(self.n) / self.n
        return np.meshgrid(x, x, x, indexing="ij")[::-1]

    def to_modes(self, fields):
        return fft.rfftn(fields, axes=(-3, -2, -1), norm="forward") * self.kept

    def to_points(self, modes):
        return fft.irfftn(modes, s=(self.n,) * 3, axes=(-3, -2, -1), norm="forward")

    def curl(self, a):
        return 1j * np.cross(self.k, a, axis=0)

    def solenoidal(self, a):
        """The part without divergence."""
        return a - self.k * ((self.k * a).sum(axis=0) / np.where(self.k2 > 0, self.k2, 1))

    def mean(self, a, b):
        """Of the product of two fields, by their modes."""
        return float((self.weight * (a * b.conj()).real).sum())


class Flow:
    """state: modes of u, v, w, then of theta, or of bx, by, bz. decay: the diffusivity of each."""

    def __init__(self, box, state, decay, rotation=(0, 0, 0), buoyancy_frequency=0.0, magnetic=False):
        self.box, self.state, self.magnetic = box, np.array(state, dtype=complex), magnetic
        self.decay = np.array(decay)[:, None, None, None] * box.k2
        self.rotation, self.buoyancy_frequency = np.array(rotation, dtype=float), buoyancy_frequency

    def rate(self, s):
        """Of all modes, without the decay."""
        box, u = self.box, s[:3]
        v, w = box.to_points(u), box.to_points(box.curl(u))
        force = np.cross(v, w + 2 * self.rotation[:, None, None, None], axis=0)
        if self.magnetic:
            b = box.to_points(s[3:6])
            force += np.cross(box.to_points(box.curl(s[3:6])), b, axis=0)
        rates = box.to_modes(force)
        if len(s) == 4:
            rates[2] -= self.buoyancy_frequency * s[3]
            advected = 1j * (box.k * box.to_modes(v * box.to_points(s[3]))).sum(axis=0)
            rest = [self.buoyancy_frequency * u[2] - advected]
        else:
            rest = list(box.curl(box.to_modes(np.cross(v, b, axis=0)))) if self.magnetic else []
        rates = box.solenoidal(rates)
        rates[:, 0, 0, 0] = 0  # the mean flow stays 0
        return np.array([*rates, *rest])

    def step(self, dt):
        half, s = np.exp(-self.decay * dt / 2), self.state
        k1 = self.rate(s)
        k2 = self.rate(half * (s + dt / 2 * k1))
        k3 = self.rate(half * s + dt / 2 * k2)
        k4 = self.rate(half**2 * s + dt * half * k3)
        self.state = half**2 * (s + dt / 6 * k1) + dt / 3 * half * (k2 + k3) + dt / 6 * k4

    def advance(self, dt, steps):
        for _ in range(steps):
            self.step(dt)
        return self

    def numbers(self):
        """Means of u.u/2, omega.omega/2, u.omega, and of theta^2/2 or b.b/2 and u.b."""
        box, u = self.box, self.state[:3]
        w = box.curl(u)
        found = {"energy": box.mean(u, u) / 2, "enstrophy": box.mean(w, w) / 2, "helicity": box.mean(u, w)}
        if len(self.state) > 3:
            other = self.state[3:]
            found["other_energy"] = box.mean(other, other) / 2
        if self.magnetic:
            found["cross_helicity"] = box.mean(u, self.state[3:])
        return found


def peers_flow(n=flow.POINTS):
    box = Box(n)
    return Flow(box, box.to_modes(np.array(flow.velocity(*box.points(), np.cos))), [flow.VISCOSITY] * 3)


def main():
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    f, rows, each = peers_flow(), [], len(flow.TIMES) - 1
    for t in flow.TIMES:
        f.advance(flow.END / steps, steps // each if t > 0 else 0)
        rows.append((t, *(f.numbers()[column] for column in flow.COLUMNS)))
        print(*rows[-1], flush=True)
    flow.write("numpy", f"tests/peers/pseudospectral.py, numpy {np.__version__}, {fft.__name__}, Python {platform.python_version()}; "
               f"{flow.POINTS}^3 points, Runge-Kutta of order 4, {steps} steps", rows)


if __name__ == "__main__":
    main()
