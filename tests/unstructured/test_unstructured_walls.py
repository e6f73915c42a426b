"""Closed boxes of unstructured cells: nothing passes a wall, whatever the cells, the fluxes, the wall and the ranks."""

import math

import pytest

import outputs
from unstructured import SHAPES, SIDES, run  # noqa: F401

# patches; viscosity; do they conduct heat?
WALLS = {"slip": ([f"{s}: slip" for s in SIDES], 0, 0), "slip, viscous": ([f"{s}: slip" for s in SIDES], 0.02, 0),
         "adiabatic": ([f"{s}: noslip" for s in SIDES], 0.02, 0),
         "isothermal": ([f"{s}: noslip, temperature={1 + i % 2}" for i, s in enumerate(SIDES)], 0.02, 1)}
FLUXES = {"by default": {}, "hllc, near": {"equations__low_order": "hllc", "equations__gradients": "near", "time__cfl": 0.4},
          "limited": {"equations__gradients": "limited", "equations__prelimit": True}, "central": {"equations__high_order": "central"},
          "components": {"equations__limited": ["components"]}, "low": {"equations__transport": "low"},
          "lists": {"grid__structured": "none", "equations__limited": ["density"]}, "atomics": {"grid__loops": "atomics"}}
# two steps of sums of some thousand cells would round by 2^-53 each
ROUNDING = 1e-14


def closed(run, kind, walls, fluxes, ranks=1, **more):  # noqa: F811
    patches, viscosity, _ = WALLS[walls]
    return run(kind, (8, 4, 4), "sod", patches=patches, end=0.3, ranks=ranks, equations__viscosity=viscosity,
               **{"grid__shake": 0.15, **FLUXES[fluxes], **more})


def keeps(folder, heats):
    s = outputs.series(folder)
    assert len(s["t"]) > 10 and s["kinetic_energy"].max() > 0.01
    assert abs(s["mass"] / s["mass"][0] - 1).max() < ROUNDING
    for side in SIDES:
        assert not s[f"mass_out_{side}"].any(), side
        assert heats or not s[f"energy_out_{side}"].any(), side
    drift = abs(s["energy"] / s["energy"][0] - 1).max()
    assert drift > 1e-3 if heats else drift < ROUNDING, drift


@pytest.mark.parametrize("kind", SHAPES)
@pytest.mark.parametrize("walls, fluxes, ranks", [("slip", "by default", 3), ("slip, viscous", "hllc, near", 1), ("adiabatic", "limited", 2),
                                                 ("isothermal", "by default", 1)])
def test_nothing_passes_a_wall(run, kind, walls, fluxes, ranks):  # noqa: F811
    """Mass holds to rounding, and energy between walls that conduct no heat; the columns of what has left stay 0."""
    keeps(closed(run, kind, walls, fluxes, ranks, **({"grid__shake": 0} if kind == "polyhedra" else {})), WALLS[walls][2])


@pytest.mark.parametrize("fluxes", FLUXES)
@pytest.mark.parametrize("walls, ranks", [("adiabatic", 3), ("isothermal", 1)])
def test_every_flux_keeps_the_gas_of_a_closed_box(run, walls, fluxes, ranks):  # noqa: F811
    keeps(closed(run, "hybrid", walls, fluxes, ranks), WALLS[walls][2])


def test_coefficients_of_walls_are_their_forces_over_the_dynamic_pressure(run):  # noqa: F811
    """A uniform stream along walls: lift is -+p A, drag 0; head = rho U^2/2 A = 1.4 4/2 0.5. Before the first step there are none."""
    patches = ["xmin: inflow, pressure=1, density=1.4, u=2", "xmax: outflow", *(f"{side}: slip" for side in SIDES[2:])]
    keys = dict(patches=patches, end=0.05, initial__density=1.4, initial__velocity=[2, 0, 0], initial__pressure=1, reference__area=0.5)
    s = outputs.series(run("hybrid", (6, 4, 4), "uniform", **keys))
    lift, exact = s["cl_ymax"][-1], 1 / (1.4 * 2**2 / 2 * 0.5)     # of a wall of 1 x 1
    assert lift == pytest.approx(exact, rel=1e-12) and s["cl_ymin"][-1] == pytest.approx(-exact, rel=1e-12)
    assert abs(s["cl"][-1]) < 1e-12 and abs(s["cd"][-1]) < 1e-12
    # the push on ymax is at the middle of the wall, x = 0.5, a quarter behind reference.centre: nose down; those on zmin and zmax turn about y
    assert s["cm_ymax"][-1] == pytest.approx(-0.25 * exact, rel=1e-12) and abs(s["cm_zmax"][-1]) < 1e-12 and abs(s["cm"][-1]) < 1e-12
    moved = outputs.series(run("hybrid", (6, 4, 4), "uniform", **keys, reference__centre=[1.5, 7, 7], reference__length=2, reference__up="z", ranks=2))
    assert moved["cm_zmax"][-1] == pytest.approx(1 / 2 * exact, rel=1e-12) and abs(moved["cm_ymax"][-1]) < 1e-12
    assert math.isnan(s["cd"][0]) and math.isnan(s["strouhal"][-1])
    assert "cd" not in outputs.series(run("hybrid", (6, 4, 4), "uniform", **{**keys, "reference__area": 0}))
    turned = outputs.series(run("hybrid", (6, 4, 4), "uniform", **keys, reference__velocity=[0, 4, 0], reference__density=1))
    assert turned["cd_ymax"][-1] == pytest.approx(1 / (4**2 / 2 * 0.5), rel=1e-12)
