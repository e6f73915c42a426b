"""Flows of the staggered solver whose answer is known: from theory, or by the spectral solver. Longer ones: tests/long."""

import math

import numpy as np
import pytest

import outputs
from staggered import fields, run, state  # noqa: F401
from verification import record


def slopes(errors):
    return [math.log2(a / b) for a, b in zip(errors, errors[1:])]


def test_taylor_green_in_two_dimensions_is_of_order_two_in_h_and_in_the_step(run):
    """In h against the plane's exp(-2 nu t); in the step against the mesh's own exp(-8 nu t sin^2(h/2)/h^2)."""
    nu, t = 0.05, 2
    by_h = []
    for n in (8, 16, 32):
        energy = outputs.series(run("taylor-green-2d", (n, n, 1), t, viscosity=nu, time="dt = 0.005"))["energy"][-1]
        by_h.append(abs(math.sqrt(energy / 0.25) - math.exp(-2 * nu * t)))
    assert all(1.9 < slope < 2.1 for slope in slopes(by_h)), by_h
    by_step, h = [], 2 * math.pi / 16
    for dt in (0.25, 0.125, 0.0625):
        energy = outputs.series(run("taylor-green-2d", (16, 16, 1), t, viscosity=nu, time=f"dt = {dt}"))["energy"][-1]
        by_step.append(abs(math.sqrt(energy / 0.25) - math.exp(-8 * nu * t * math.sin(h / 2)**2 / h**2)))
    assert all(1.9 < slope < 2.1 for slope in slopes(by_step)), by_step
    record("staggered-plane-space", by_h[-1], order=slopes(by_h)[-1])
    record("staggered-plane-time", by_step[-1], order=slopes(by_step)[-1])


def duct(y, z):
    """-lap u = 1 in the square 0 < y, z < 1 with u = 0 around: the parabola in y, and what the walls across z take."""
    u = y * (1 - y) / 2
    for k in range(1, 200, 2):
        beta = k * math.pi
        # cosh(beta (z - 1/2))/cosh(beta/2), without overflow
        ratio = (np.exp(beta * (z - 1)) + np.exp(-beta * z)) / (1 + math.exp(-beta))
        u = u - 4 / beta**3 * np.sin(beta * y) * ratio
    return u


def test_flow_in_a_square_duct_is_of_order_two(run):
    errors = []
    for n, dt in ((8, 0.02), (16, 0.006), (32, 0.002)):
        u = state(run("rest", (1, n, n), 12, length=(1, 1, 1), viscosity=0.1, time=f"dt = {dt}", output__series_interval=12,
                      more='[boundaries]\ny = ["wall", "wall"]\nz = ["wall", "wall"]\n'
                           '[forcing]\nkind = "pressure-gradient"\namplitude = 0.1\n'))[0][:, :, 0]
        z, y = np.meshgrid((np.arange(n) + 0.5) / n, (np.arange(n) + 0.5) / n, indexing="ij")
        errors.append(np.abs(u - duct(y, z)).max() / 0.0737)  # of the speed in the middle
    assert all(1.9 < slope < 2.1 for slope in slopes(errors)), errors
    assert errors[2] < 2e-3
    record("staggered-duct", errors[2], order=slopes(errors)[-1])


@pytest.mark.limit(300)
def test_taylor_green_at_re_400_nears_the_spectral_solver_with_order_two(run, mpirun, triad, tmp_path):
    """Dissipation at t = 2, where the spectral flow of 64^3 is exact beside differences of second order."""
    found = []
    for n in (32, 64):
        found.append(outputs.series(run("taylor-green", (n, n, n), 2, viscosity=1 / 400, ranks=2, time=f"dt = {1.6 / n}",
                                        output__series_interval=2))["dissipation"][-1])
    case = tmp_path / "hd.toml"
    case.write_text('[equations]\nsolver = "hd"\nviscosity = "1/400"\n[grid]\nn = [64, 64, 64]\n[initial]\n'
                    'kind = "taylor-green"\n[time]\nend = 2\ndt = 0.025\n[output]\nseries_interval = 2\nreport = false\n')
    mpirun(2, triad, "run", "-q", case, "--dir", tmp_path / "hd", expect=0, threads=1, timeout=300)
    exact = outputs.series(tmp_path / "hd")["dissipation"][-1]
    errors = [abs(value / exact - 1) for value in found]
    assert all(1.8 < slope < 2.2 for slope in slopes(errors)), (errors, exact)
    assert errors[1] < 0.03
    record("staggered-taylor-green-400", errors[1], found[1], order=slopes(errors)[-1])


@pytest.mark.parametrize("pressure", ["cg", "pcg-polynomial"])
@pytest.mark.parametrize("blocks", [(2, 2, 2), (8, 1, 1), (1, 4, 2)])
def test_no_division_into_blocks_changes_the_answer(run, blocks, pressure):
    values = dict(solver__pressure=pressure, solver__tolerance=1e-12, more='[boundaries]\nz = ["wall", "slip"]\n[solids]\n'
                  'kind = "boxes"\nboxes = [3, 4, 2, 4, 3, 3]\n')
    one = state(run("random", (16, 12, 8), 0.1, **values))
    other = state(run("random", (16, 12, 8), 0.1, ranks=8, parallel__blocks=list(blocks), **values))
    assert np.abs(one - other).max() < 1e-10 * np.abs(one).max()
