"""Acceleration and heat by formula in the multi-block solver: exact flows, orders, restarts, refusals."""

import numpy as np
import pytest

import outputs
from formula_force import COLUMN, manufactured
from multiblock import orders, run, state  # noqa: F401

UNIT = "gas_constant = 1"
FLOW = 'kind = "uniform"\nmach = {}\npressure = 1\ntemperature = 1'
PERIODIC = "period = [1, 1, 0]"
SOUND = 1.4**0.5


def primitive(u):
    return u[0], u[1:4] / u[0], 0.4 * (u[4] - (u[1:4]**2).sum(axis=0) / u[0] / 2)


def test_a_uniform_acceleration_and_heat_are_exact(run):
    """rho = 1 stays, u = U + a t, and p grows by (gamma - 1) q t: to rounding, on skew blocks and with forces that follow the gas."""
    folder = run(grid=f"n = [12, 8, 1]\nblocks = [2, 1, 1]\nsmooth = 0.03\nturned = true\n{PERIODIC}", solution=FLOW.format(0.5),
                 equations=UNIT, time="end = 0.3\ncfl = 0.8", forcing__kind="formula", forcing__u="0.4*rho", forcing__v="-0.2", forcing__heat="2")
    rho, u, p = primitive(state(folder))
    assert np.abs(rho - 1).max() < 1e-12
    assert np.abs(u[0] - (0.5 * SOUND + 0.4 * 0.3)).max() < 1e-12
    assert np.abs(u[1] + 0.2 * 0.3).max() < 1e-12
    assert np.abs(p - (1 + 0.4 * 2 * 0.3)).max() < 1e-12
    series = outputs.series(folder)
    assert np.ptp(series["mass"]) < 1e-13


def test_a_manufactured_flow_in_time_is_of_order_two(run):
    keys, exact = manufactured(0.1 * SOUND)
    errors = []
    for n in (16, 32, 64):
        u = state(run(grid=f"n = [{n}, 1, 1]\n{PERIODIC}", solution=FLOW.format(0.1), equations=UNIT + '\nlimiter = "none"\nkappa = 0',
                      time="end = 0.4\ncfl = 0.5", **keys))
        rho, v, p = primitive(u)
        x = (np.arange(n) + 0.5) / n
        errors.append([np.abs(a - b(x, 0.4)).mean() for a, b in zip((rho, v[0], p), exact)])
    assert (orders(errors)[-1] > 1.85).all(), errors


def test_a_column_at_rest_carries_its_weight(run):
    """Linear slopes of the pressure are exact on even cells, at slip walls too."""
    folder = run(grid="n = [4, 16, 1]\nperiod = [1, 0, 0]", patches='"*: slip"', solution=FLOW.format(1e-9), equations=UNIT + '\nlimiter = "none"',
                 time="end = 0.5\ncfl = 0.8", **COLUMN)
    rho, u, p = primitive(state(folder))
    y = (np.arange(16) + 0.5) / 16
    assert np.abs(p.reshape(16, 4) - (1 - 0.5 * y)[:, None]).max() < 1e-3
    assert np.abs(u[1]).max() < 1e-3


def test_a_run_with_a_force_resumes_and_is_the_same_on_any_ranks(run):
    keys, _ = manufactured(0.1 * SOUND)
    common = dict(grid=f"n = [12, 6, 1]\nblocks = [2, 1, 1]\n{PERIODIC}", solution=FLOW.format(0.1), equations=UNIT, **keys)
    whole = state(run(time="end = 0.2\ndt = 0.01", **common))
    assert np.abs(state(run(time="end = 0.2\ndt = 0.01", ranks=2, **common)) - whole).max() < 1e-13
    half = run(time="end = 0.2\ndt = 0.01\nmax_steps = 7", **common)
    assert np.abs(state(half) - whole).max() > 1e-6
    assert (state(run(time="end = 0.2\ndt = 0.01", folder=half, **common)) == whole).all()


def test_a_steady_flow_under_a_force_converges_implicitly(run):
    """A source of momentum and energy in a supersonic stream: what leaves has what came in and was added, rho u^2 + p and
    (E + p) u, to the tolerance of the steady state."""
    folder = run(grid="n = [32, 1, 1]\nperiod = [0, 1, 0]", patches='"xmin: supersonic-inflow, mach=2, pressure=1, temperature=1", "xmax: supersonic-outflow"',
                 solution=FLOW.format(2), equations=UNIT, time='steady = true\nscheme = "implicit"\ncfl = 10\nmax_steps = 2000\nresidual = 1e-10',
                 forcing__kind="formula", forcing__u="0.3*sin(2*pi*x)", forcing__heat="0.5")
    rho, u, p = primitive(state(folder))
    speed = 2 * SOUND
    assert np.abs(rho * u[0] - speed).max() < 1e-3
    out = p / 0.4 + rho * u[0]**2 / 2
    work = np.cumsum(rho * u[0] * 0.3 * np.sin(2 * np.pi * (np.arange(32) + 0.5) / 32) + 0.5) / 32
    assert ((out + p) * u[0])[-1] == pytest.approx((1 / 0.4 + 1 + speed**2 / 2) * speed + work[-1], rel=2e-3)


@pytest.mark.parametrize("keys, words", [
    (dict(forcing__kind="formula"), "requires a formula"),
    (dict(forcing__kind="formula", forcing__u="1/0"), "forcing.u is infinite at x ="),
    (dict(forcing__kind="formula", forcing__heat="sqrt(-p)"), "forcing.heat is not a number"),
])
def test_bad_forces_are_refused(run, keys, words):
    assert words in run(grid=f"n = [4, 4, 1]\n{PERIODIC}", solution=FLOW.format(0.5), time="end = 0.1", expect=65, **keys).stderr


def test_forces_that_cannot_act_are_refused(run):
    said = run(grid="n = [4, 4, 1]", patches='"*: exact"', solution='kind = "manufactured-euler"', forcing__kind="formula",
               forcing__u="sin(t)", expect=65).stderr
    assert "depends on t, but a steady flow has no time" in said and "has its own sources" in said
