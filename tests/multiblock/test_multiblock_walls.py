"""Closed boxes of blocks: nothing passes a wall, whatever the flux, the wall, the shape of the cells and the ranks."""

import numpy as np
import pytest

import outputs
from multiblock import run, state  # noqa: F401
from outputs import sets

SKEW = "n = [8, 8, 8]\nsmooth = 0.05\nrandom = 0.1\nblocks = [2, 2, 1]\nturned = true"
STRAIGHT = "n = [8, 8, 8]\nlength = [2, 1, 1]"
FLAT = "n = [12, 12, 1]\nsmooth = 0.05\nrandom = 0.1"
VISCOUS = 'model = "laminar"\nviscosity_law = "constant"\nviscosity = 1.0'   # strong conduction: a Reynolds number of some 100
# patches; viscous; does the box keep its energy?
WALLS = {"slip": ('"*: slip"', 0, 1), "slip, laminar": ('"*: slip"', 1, 1), "symmetry": ('"*: symmetry"', 1, 1),
         "adiabatic": ('"*: wall"', 1, 1), "isothermal": ('"*: wall, temperature=350"', 1, 0),
         "moving": ('"*: wall", "xmax: wall, v=50"', 1, 0), "moving, hot": ('"*: slip", "xmin: wall, v=50, w=9, temperature=250"', 1, 0)}
GRIDS = {"skew": SKEW, "straight": STRAIGHT, "flat": FLAT}


def closed(run, wall, grid, *, riemann="roe", scheme="rk3", limiter="van-albada", more="", steps=30, **options):  # noqa: F811
    patches, viscous, _ = WALLS[wall]
    equations = f'riemann = "{riemann}"\nlimiter = "{limiter}"\n{more}\n{VISCOUS if viscous else ""}'
    return run(*sets(initial__perturbation=0.05), grid=GRIDS[grid], patches=patches, solution='kind = "uniform"\nmach = 0.3\nangle = 20',
               equations=equations, time=f'end = 1\nmax_steps = {steps}\ncfl = 0.4\nscheme = "{scheme}"', **options)


def keeps(folder, energy):
    """Sums are exact, and a step rounds each cell a few times: 30 steps of 512 cells of random signs stay below 1e-14."""
    s = outputs.series(folder)
    assert len(s["mass"]) > 20 and np.ptp(s["residual_x"][1:]) > 0.01
    assert abs(s["mass"] / s["mass"][0] - 1).max() < 1e-14
    total = s["energy"] * s["mass"]
    drift = abs(total / total[0] - 1).max()
    assert drift < 1e-13 if energy else drift > 1e-6, drift


@pytest.mark.parametrize("wall", WALLS)
@pytest.mark.parametrize("riemann, grid, ranks", [("roe", "skew", 2), ("van-leer", "flat", 1), ("steger-warming", "straight", 3),
                                                 ("ausm+", "skew", 1)])
def test_nothing_passes_a_wall(run, wall, riemann, grid, ranks):  # noqa: F811
    """Mass holds to rounding; energy between walls without heat that do no work, on cells that are skew to them too."""
    keeps(closed(run, wall, grid, riemann=riemann, ranks=ranks), WALLS[wall][2])


@pytest.mark.parametrize("scheme, limiter, more", [("rk1", "minmod", ""), ("ssprk3", "none", ""), ("rk5", "van-leer", ""),
                                                   ("rk2", "none", "order = 1")])
def test_every_scheme_keeps_the_gas_of_a_closed_box(run, scheme, limiter, more):  # noqa: F811
    keeps(closed(run, "adiabatic", "skew", scheme=scheme, limiter=limiter, more=more), 1)


def test_the_column_of_mass_is_the_density_times_the_volume(run):  # noqa: F811
    """Cells of a straight box are alike: the volume of 2 x 1 x 1 times the mean density of the checkpoint."""
    folder = closed(run, "isothermal", "straight")
    mass = outputs.series(folder)["mass"][-1]
    assert abs(mass / (2 * np.mean(state(folder)[0])) - 1) < 1e-14


def test_a_wall_that_moves_gives_the_energy_that_it_works(run):  # noqa: F811
    """Along a wall that moves along y the energy grows by its speed times the friction on it, and by nothing else."""
    folder = run(grid='n = [8, 6, 1]\nperiod = [0, 1, 0]', patches='"*: slip", "xmax: wall, v=50"',
                 solution='kind = "uniform"\nmach = 0.001', equations=VISCOUS, time="end = 1\nmax_steps = 200\ndt = 1e-5")
    s = outputs.series(folder)
    total = s["energy"] * s["mass"]
    power = -50 * s["friction_y"]  # of the gas on the wall; along the other one it slips
    assert np.ptp(power) > 0 and total[-1] > total[0]
    work = np.cumsum((power[1:] + power[:-1]) / 2 * np.diff(s["t"]))[-1]
    assert work == pytest.approx(total[-1] - total[0], rel=0.01)  # between rows the friction falls by less
