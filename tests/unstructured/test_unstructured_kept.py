"""Flux-corrected transport: free streams, what is conserved, positive pressure, no new extrema, bounds of each variable.

Points, meshes and domains have their own tests (tests/unit/unstructured/)."""

import numpy as np
import pytest

import outputs
from unstructured import PERIODIC, SHAPES, SIDES, run, state  # noqa: F401


@pytest.mark.parametrize("kind", SHAPES)
@pytest.mark.parametrize("order", ("linear", "central"))
def test_a_free_stream_stays_as_it_is(run, kind, order):
    """On shaken cells of every shape, across hexahedra and tetrahedra: closed cells to rounding, some 1e-15 a step."""
    far = "farfield, pressure=1, density=1.4, u=0.8, v=0.5, w=0.3"
    folder = run(kind, (6, 5, 4), "uniform", patches=[f"{side}: {far}" for side in SIDES], end=0.1, ranks=2,
                 grid__shake=0.2, initial__density=1.4, initial__velocity=[0.8, 0.5, 0.3], equations__high_order=order)
    rho, *momentum, e = state(folder)
    steps = outputs.series(folder)["step"][-1]
    assert steps >= 5
    for values, exact in zip((rho, *momentum, e), (1.4, 1.12, 0.7, 0.42, 2.5 + 0.7 * (0.64 + 0.25 + 0.09))):
        assert np.abs(values / exact - 1).max() < 1e-13 * steps


@pytest.mark.parametrize("kind", ("tets", "hybrid"))
def test_a_closed_box_keeps_mass_and_energy_and_any_box_what_did_not_leave(run, kind):
    """Conservation is by face, so that only rounding of cells is left: 2^-53 a step and cell, random: 1e-13 in 1000 steps."""
    blast = {"initial__energy": 10, "initial__radius": 0.3, "initial__centre": [0.5, 0.4, 0.5], "grid__shake": 0.2}
    series = outputs.series(run(kind, (6, 6, 6), "blast", end=10, time__max_steps=1000, ranks=2, **blast))
    assert series["step"][-1] == 1000
    for name in ("mass_drift", "energy_drift"):
        assert np.abs(series[name]).max() < 1e-13
    assert np.ptp(series["mass"]) / series["mass"][0] < 1e-13
    assert series["mach_max"].max() > 0.5
    far = [f"{side}: farfield, pressure=1" for side in SIDES]
    series = outputs.series(run(kind, (6, 6, 6), "blast", patches=far, end=0.3, **blast))
    assert series["mass_out_xmax"][-1] > 0.01  # it did leave
    for name in ("mass_drift", "energy_drift", "momentum_drift"):
        assert np.abs(series[name]).max() < 1e-13


def test_what_leaves_through_a_wall_is_the_force_on_it_over_time(run):
    """Of a gas at rest its pressure times the wall's area, along the normal alone; of a blast all patches' momenta are what the gas has lost."""
    series = outputs.series(run("tets", (4, 3, 2), "uniform", length=(1, 0.8, 0.5), end=0.25, initial__pressure=2, grid__shake=0.2, ranks=2))
    for axis, side, force in (("x", "xmin", -0.8), ("x", "xmax", 0.8), ("y", "ymax", 1.0), ("z", "zmin", -1.6), ("y", "xmax", 0), ("z", "ymin", 0)):
        assert series[f"momentum_{axis}_out_{side}"][-1] == pytest.approx(0.25 * force, abs=1e-13)
    series = outputs.series(run("hybrid", (6, 6, 6), "blast", end=0.2, initial__energy=10, initial__radius=0.3, initial__centre=[0.5, 0.4, 0.5],
                                patches=[f"{side}: farfield, pressure=1" for side in SIDES[2:]]))
    for axis in "xyz":
        gone = sum(series[f"momentum_{axis}_out_{side}"][-1] for side in SIDES)
        assert abs(series[f"momentum_{axis}"][-1] - series[f"momentum_{axis}"][0] + gone) < 1e-13
    assert series["momentum_y_out_ymax"][-1] > 0.1


def test_pressure_stays_positive_from_a_ratio_of_1e5_on(run):
    """Low order is positive up to a Courant number of 1, and the limiter does not undo it."""
    tube = {"length": (1, 0.05, 0.05), "patches": ["xmax: outflow"], "end": 0.0005,
            "initial__left": [1, 0, 0, 0, 1e5], "initial__right": [0.01, 0, 0, 0, 1]}
    for more in ({"time__cfl": 1.0}, {"equations__low_order": "hllc", "time__cfl": 0.5}):
        series = outputs.series(run("tets", (40, 2, 2), "sod", **tube, **more))
        assert series["pressure_min"].min() > 0.9
        assert series["density_min"].min() > 0.009


@pytest.mark.parametrize("order", ("linear", "central"))
def test_a_limited_density_has_no_new_extremum(run, order):
    """A wave of density, carried along: what the low-order flux, which has none, allows to rounding. Without slack the
    pressure, the same everywhere, stays so."""
    folder = run("tets", (8, 8, 8), "wave", patches=PERIODIC, end=0.5, initial__velocity=[1, 0.5, 0.25],
                 initial__amplitude=0.5, equations__slack=0, equations__high_order=order)
    series = outputs.series(folder)
    assert series["density_max"].max() <= series["density_max"][0] * (1 + 1e-12)
    assert series["density_min"].min() >= series["density_min"][0] * (1 - 1e-12)
    assert series["faces_limited"].max() > 0
    assert series["pressure_max"].max() - 1 < 1e-12
    assert 1 - series["pressure_min"].min() < 1e-12


def test_a_sponge_takes_what_a_far_field_would_reflect(run):
    """A pulse at normal incidence leaves well either way; held inside by slip walls, it is gone with a sponge. What it takes is counted."""
    pulse = {"length": (1, 0.1, 0.1), "end": 1.6, "initial__left": [1, 0, 0, 0, 1.2], "initial__right": [1, 0, 0, 0, 1]}
    left = []
    for sponge in ("", ", sponge=0.6, strength=20"):
        folder = run("hexes", (40, 4, 4), "sod", patches=[f"xmax: farfield, pressure=1{sponge}"], ranks=2, **pulse)
        series = outputs.series(folder)
        left.append(series["kinetic_energy"][-1])
        for name in ("mass_drift", "energy_drift"):
            assert np.abs(series[name]).max() < 1e-12
    assert left[1] < 0.5 * left[0]


def test_components_have_bounds_of_their_own_and_prelimiting_takes_more(run):
    """Each conserved variable of a blast stays within those of its start where nothing but transport moves it: the density of a wave; with
    either choice ranks agree to rounding."""
    wave = {"patches": PERIODIC, "end": 0.3, "initial__velocity": [1, 0.5, 0.25], "initial__amplitude": 0.5, "equations__slack": 0}
    limiter = []
    for more in ({"equations__limited": ["components"]}, {}, {"equations__prelimit": True}):
        one, three = (run("tets", (6, 6, 6), "wave", ranks=ranks, grid__shake=0.1, **wave, **more) for ranks in (1, 3))
        series = outputs.series(one)
        assert series["density_max"].max() <= series["density_max"][0] * (1 + 1e-12)
        assert np.abs(state(one) - state(three)).max() < 1e-12 * np.abs(state(one)).max()
        limiter.append(series["density_max"][-1])
    assert limiter[2] != limiter[1]


def test_signs_of_roundings_decide_nothing_in_a_gas_that_moves(run):
    """Round a blast each component of the gas is the same everywhere to rounding: prelimiting on other ranks and in another order gives the same
    flow, limits by components the same counts of faces that were cut."""
    blast = {"patches": ["xmin: inflow, pressure=1, density=1, u=0.5, v=0.2", "xmax: outflow"], "end": 1000, "time__max_steps": 4, "grid__shake": 0.2,
             "initial__energy": 5, "initial__radius": 0.3, "initial__centre": [0.5, 0.4, 0.3], "initial__velocity": [0.5, 0.2, 0]}
    one, *others = (run("hybrid", (12, 8, 8), "blast", ranks=ranks, grid__numbering=order, equations__prelimit=True, **blast)
                    for ranks, order in ((1, "rcm"), (1, "morton"), (3, "rcm")))
    for other in others:
        assert np.abs(state(one) - state(other)).max() < 1e-12 * np.abs(state(one)).max()
    parts = {"equations__limited": ["components"], "equations__high_order": "central", **blast}
    for name in ("faces_limited", "mean_limiter"):
        one, other = (outputs.series(run("hybrid", (12, 8, 8), "blast", ranks=ranks, grid__numbering=order, **parts))[name][-1]
                      for ranks, order in ((1, "rcm"), (3, "morton")))
        assert abs(one - other) < 1e-5
