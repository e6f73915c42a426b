"""Acceleration and heat by formula in flux-corrected transport: exact flows, orders, budgets, ranks, refusals."""

import numpy as np
import pytest

import outputs
from formula_force import COLUMN, manufactured
from unstructured import PERIODIC, centres, run, state  # noqa: F401


def primitive(u):
    return u[0], u[1:4] / u[0], 0.4 * (u[4] - (u[1:4]**2).sum(axis=0) / u[0] / 2)


@pytest.mark.parametrize("kind, n, ranks", [("tets", (3, 3, 3), 1), ("hexes", (6, 5, 5), 1), ("prisms", (6, 4, 4), 2)])
def test_a_uniform_acceleration_and_heat_are_exact(run, kind, n, ranks):
    """rho = 1 stays, u = a t, v = -t^2/2, p = 1 + (gamma - 1) q t, by lists and in structured zones; the drift of energy leaves out
    what the force has added."""
    folder = run(kind, n, "uniform", patches=PERIODIC, end=0.3, ranks=ranks, time__dt=0.01, forcing__kind="formula", forcing__u="0.4*rho",
                 forcing__v="-t", forcing__heat="2")
    rho, u, p = primitive(state(folder))
    assert np.abs(rho - 1).max() < 1e-12 and np.abs(u[2]).max() < 1e-12
    assert np.abs(u[0] - 0.12).max() < 1e-12 and np.abs(u[1] + 0.045).max() < 1e-12
    assert np.abs(p - 1.24).max() < 1e-12
    series = outputs.series(folder)
    assert np.abs(series["energy_drift"]).max() < 1e-13 and np.abs(series["momentum_drift"]).max() < 1e-13


@pytest.mark.parametrize("structured", ["auto", "none"])
def test_a_manufactured_flow_in_time_is_of_order_two(run, structured):
    keys, exact = manufactured(0.0)
    errors = []
    for n in (64, 128):
        u = state(run("hexes", (n, 4, 4), "uniform", length=(1, 0.25, 0.25), patches=PERIODIC, end=0.4, time__cfl=0.4, grid__structured=structured,
                      equations__transport="high", **keys))
        x = centres("hexes", (n, 4, 4), (1, 0.25, 0.25))[:, 0]
        rho, v, p = primitive(u)
        errors.append([np.abs(a - b(x, 0.4)).mean() for a, b in zip((rho, v[0], p), exact)])
    assert (np.log2(errors[0] / np.array(errors[1])) > 1.85).all(), errors


def test_a_column_at_rest_carries_its_weight(run):
    """The gradient at a wall is one-sided, so that speeds are those of the mesh's error: they fall with it."""
    fastest = []
    for n in (8, 16):
        folder = run("hexes", (4, n, 4), "uniform", length=(4 / n, 1, 4 / n), end=0.5, time__cfl=0.4, **COLUMN)
        fastest.append(np.abs(primitive(state(folder))[1]).max())
    assert fastest[1] < 0.01 and fastest[1] < 0.6 * fastest[0], fastest


def test_a_run_with_a_force_continues_bit_for_bit(run, tmp_path):
    keys, _ = manufactured(0.0)
    common = dict(length=(1, 0.25, 0.25), patches=PERIODIC, time__dt=0.01, **keys)
    whole = run("tets", (8, 2, 2), "uniform", end=0.2, folder=tmp_path / "whole", **common)
    half = run("tets", (8, 2, 2), "uniform", end=0.2, folder=tmp_path / "half", time__max_steps=10, **common)
    run("tets", (8, 2, 2), "uniform", end=0.2, folder=half, **common)
    assert (state(half) == state(whole)).all()
    assert outputs.series(half)["energy_drift"][-1] == outputs.series(whole)["energy_drift"][-1]


def test_bad_forces_are_refused(run):
    for keys, words in ((dict(forcing__kind="formula"), "requires a formula"),
                        (dict(forcing__kind="formula", forcing__w="1/(x - x)"), "forcing.w is")):
        assert words in run("tets", (2, 2, 2), "uniform", patches=PERIODIC, expect=65, **keys).stderr
