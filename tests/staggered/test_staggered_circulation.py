"""Circulation in inviscid flow: pressure makes none around any loop of the mesh, and a loop that moves with the fluid keeps its own."""

import math

import numpy as np
import pytest

from staggered import run, state  # noqa: F401

N, DT = 12, 0.05
X, Y, Z = 2, 1, 0  # axes of arrays; component a is on the lower face of a cell across axis a
AXIS = {0: X, 1: Y, 2: Z}
H = 2 * math.pi / N


def difference(f, axis, up):
    """(f[i + 1] - f[i])/h, at the upper side, or (f[i] - f[i - 1])/h."""
    return (np.roll(f, -1, axis) - f if up else f - np.roll(f, 1, axis)) / H


def advection(u):
    """div (u u_a) at the faces of component a: two-point means of the velocity that carries, and of what it carries."""
    out = []
    for a in range(3):
        sum_ = 0
        for b in range(3):
            if a == b:
                centre = (u[a] + np.roll(u[a], -1, AXIS[a])) / 2
                sum_ = sum_ + difference(centre * centre, AXIS[a], up=False)
            else:
                edge = (u[b] + np.roll(u[b], 1, AXIS[a])) / 2 * (u[a] + np.roll(u[a], 1, AXIS[b])) / 2
                sum_ = sum_ + difference(edge, AXIS[b], up=True)
        out.append(sum_)
    return np.array(out)


def without_divergence(u):
    """u less the gradient of the mesh that takes its divergence away, by the transform."""
    k2 = sum(((2 * np.sin(np.pi * np.fft.fftfreq(N)) / H)**2).reshape([-1 if i == axis else 1 for i in range(3)]) for axis in range(3))
    div = np.fft.fftn(sum(difference(u[a], AXIS[a], up=True) for a in range(3)))
    k2[0, 0, 0] = 1
    p = np.fft.ifftn(-div / k2).real
    return np.array([u[a] - difference(p, AXIS[a], up=False) for a in range(3)])


def circulation(u):
    """Around the loops of four faces about each edge of the cells along x, y and z."""
    return np.array([H * H * (difference(u[c], AXIS[b], up=False) - difference(u[b], AXIS[c], up=False))
                     for b, c in ((1, 2), (2, 0), (0, 1))])


def test_pressure_makes_no_circulation_around_any_loop_of_the_mesh(run):
    """The last stage is u - dt C(u'') less a gradient: its circulation is that of u - dt C(u''), with u'' of a model in numpy."""
    tight = {"viscosity": 0, "time": f"dt = {DT}", "solver__tolerance": 1e-13, "initial__seed": 3, "initial__amplitude": 0.5}
    u, after = (state(run("random", (N, N, N), steps * DT, **tight))[:3] for steps in (1, 2))
    half = without_divergence(u - DT / 2 * advection(u))
    half = without_divergence(u - DT / 2 * advection(half))
    expected = circulation(u - DT * advection(half))
    change = np.abs(expected - circulation(u)).max()
    assert change > 1e-3, "the flow does change"
    assert np.abs(circulation(after) - expected).max() < 1e-9 * change
    # ... and no loop of the mesh, of any size, gains or loses: circulations add up to those of their outlines
    assert np.abs(circulation(after).sum(axis=(1, 2, 3))).max() < 1e-12


def test_a_loop_that_moves_with_the_fluid_keeps_its_circulation(run):
    """Kelvin's theorem: vortices sin(x - t) cos(y) that a uniform flow carries. The square around one of them, of side pi, is a
    line of the fluid; its circulation is 8 at all times, but for the mesh's error of second order."""
    lost = []
    for n in (16, 32):
        h, shift = 2 * math.pi / n, n // 4
        folder = run("formula", (n, n, 1), shift * h, viscosity=0, time=f"dt = {h / 8}", solver__tolerance=1e-12,
                     initial__u="1 + sin(x)*cos(y)", initial__v="-cos(x)*sin(y)")
        u, v = state(folder)[:2, 0]
        vorticity = (v - np.roll(v, 1, 1) - u + np.roll(u, 1, 0)) * h  # circulation about the lower corner of each cell
        inside = np.roll(vorticity, -shift, 1)[:n // 2 + 1, :n // 2 + 1]
        weight = np.ones(n // 2 + 1)
        weight[[0, -1]] = 0.5  # half of a mesh loop lies outside the square
        lost.append(abs(weight @ inside @ weight - 8))
    assert lost[1] < 0.01 * 8, lost
    assert lost[0] / lost[1] > 3.6, lost
