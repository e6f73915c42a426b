"""Boundaries of the staggered solver: inflow, outflow, walls that swing; solids in a stream."""

import math

import h5py
import numpy as np
import pytest

import outputs
from staggered import fields, run, state  # noqa: F401
from verification import record

STREAM = '[boundaries]\nx = ["inflow", "outflow"]\n'
CHANNEL = STREAM + 'y = ["wall", "wall"]\n'
BOX = '[solids]\nkind = "boxes"\nboxes = [4, 3, 0, 3, 4, 1]\n'


# ---- inflow and outflow ----

@pytest.mark.parametrize("more, velocity", [
    (STREAM + 'y = ["slip", "slip"]\n', [1, 0, 0]),
    (STREAM + 'z = ["slip", "slip"]\n', [1, 0.5, 0]),
    ('[boundaries]\nx = ["outflow", "inflow"]\n', [-1, 0.25, 0.5]),
    ('[boundaries]\ny = ["inflow", "outflow"]\n', [0, 2, 1]),
    ('[boundaries]\nz = ["outflow", "inflow"]\nx = ["slip", "slip"]\n', [0, 1, -1]),
    ('[boundaries]\nz = ["inflow", "inflow"]\n', [0.5, 0, 1])])
@pytest.mark.parametrize("ranks", [1, 3])
def test_a_uniform_stream_stays_uniform(run, more, velocity, ranks):
    u, v, w, p = state(run("uniform", (8, 9, 10), 0.2, more=more, boundaries__inflow=velocity, initial__velocity=velocity,
                           viscosity=0.05, ranks=ranks))
    for component, speed in zip((u, v, w), velocity):
        assert np.abs(component - speed).max() < 1e-13
    assert np.abs(p).max() < 1e-10


def exit_flux(folder):
    """Through the faces before the last cells, where nothing goes through the sides: all that comes in."""
    return state(folder)[0][0, :, -1].mean()


@pytest.mark.parametrize("diffusion", ["explicit", "implicit"])
def test_a_stream_between_walls_becomes_a_parabola(run, diffusion):
    """Of the flux that comes in, u = C (y (1 - y) + h^2/4): the walls' half cells, as between walls alone."""
    folder = run("uniform", (48, 16, 1), 6, length=(6, 1, 1), viscosity=0.1, time="dt = 0.01", more=CHANNEL, ranks=2,
                 solver__diffusion=diffusion, output__series_interval=6, solver__tolerance=1e-10)
    y, h = (np.arange(16) + 0.5) / 16, 1 / 16
    parabola = y * (1 - y) + h**2 / 4
    parabola /= parabola.mean()
    assert np.abs(state(folder)[0][0, :, -1] - parabola).max() < 2e-6
    if diffusion == "explicit":
        record("staggered-entrance", np.abs(state(folder)[0][0, :, -1] - parabola).max())
    assert exit_flux(folder) == pytest.approx(1, abs=1e-9)
    assert outputs.series(folder)["divergence"][-1] < 1e-8


def test_as_much_leaves_as_comes_in_at_every_step(run):
    more = CHANNEL + BOX
    for steps in (1, 2, 7):
        folder = run("rest", (16, 12, 1), 1, length=(4, 1, 1), time="dt = 0.01", more=more, time__max_steps=steps,
                     solver__tolerance=1e-12)
        u = state(folder)[0][0]
        assert np.abs(u.mean(axis=0) - 1).max() < 1e-9
        assert not u[3:7, 4:8].any()


def test_a_vortex_leaves_and_nothing_comes_back(run, tmp_path):
    """A Gaussian vortex is carried out: less than 4 % of its energy is left behind."""
    n, left = (48, 24, 1), []
    x, y = np.meshgrid((np.arange(48) + 0.5) / 12, (np.arange(24) + 0.5) / 12, indexing="xy")
    r2 = ((x - 2.5)**2 + (y - 1)**2) / 0.35**2
    with h5py.File(tmp_path / "vortex.h5", "w") as f:
        f["u"] = (1 - 0.3 * (y - 1) * np.exp(-r2))[None]
        f["v"] = (0.3 * (x - 2.5) * np.exp(-r2))[None]
        f["w"] = np.zeros((1, 24, 48))
    for end in (0.01, 3):
        folder = run("file", n, end, length=(4, 2, 1), time="dt = 0.01", viscosity=0, ranks=2, solver__tolerance=1e-10,
                     more=STREAM + 'y = ["slip", "slip"]\n', initial__file=str(tmp_path / "vortex.h5"))
        u, v = state(folder)[:2, 0]
        left.append(((u - 1)**2 + v**2).sum())
    assert left[0] > 0.05 and left[1] < 0.04 * left[0]


@pytest.mark.parametrize("sides", ['x = ["inflow", "outflow"]\ny = ["wall", "wall"]\n',
                                   'x = ["outflow", "inflow"]\ny = ["wall", "slip"]\n',
                                   'y = ["inflow", "outflow"]\nx = ["wall", "wall"]\n'])
def test_a_stream_has_the_same_bits_on_any_ranks_and_after_a_restart(run, tmp_path, sides):
    inflow = {"x = [\"o": [-1, 0, 0.3], "y = [\"i": [0, 1, 0.3]}.get(sides[:7], [1, 0, 0.3])
    values = dict(time="dt = 0.02", viscosity=0.02, length=(2, 2, 2), boundaries__inflow=inflow,
                  more=f"[boundaries]\n{sides}[solids]\nkind = \"boxes\"\nboxes = [3, 3, 2, 3, 3, 4]\n")
    runs = [run("rest", (12, 10, 8), 0.2, ranks=ranks, parallel__reproducible=True, **values) for ranks in (1, 3, 4)]
    assert np.isfinite(state(runs[0])).all() and np.abs(state(runs[0])[:3]).max() > 1
    assert all(np.array_equal(state(runs[0]), state(other)) for other in runs[1:])
    parts = tmp_path / "parts"
    for steps in (3, 6, 10):
        run("rest", (12, 10, 8), 0.2, folder=parts, ranks=2, parallel__reproducible=True, time__max_steps=steps, **values)
    assert np.array_equal(state(parts), state(runs[0]))


@pytest.mark.parametrize("more, message", [
    ('[boundaries]\nx = ["inflow", "wall"]\n', "has no outlet"),
    ('[boundaries]\nx = ["inflow", "outflow"]\ny = ["outflow", "wall"]\n', "on one axis only"),
    (STREAM + '[solids]\nkind = "boxes"\nboxes = [10, 0, 0, 2, 10, 8]\n', "block the outflow along x"),
    ('[boundaries]\nx = ["outflow", "inflow"]\n', "which would enter at the outflow along x"),
    ('[boundaries]\nx = ["inflow", "inflow"]\n[solids]\nkind = "boxes"\nboxes = [0, 2, 2, 3, 4, 4]\n', "inflow exceeds the outflow"),
    ('[boundaries]\nx = ["inflow", "inflow"]\n[solids]\nkind = "boxes"\nboxes = [9, 2, 2, 3, 4, 4]\n', "inflow exceeds the outflow"),
])
def test_streams_without_a_way_out_are_named(run, more, message):
    result = run("rest", (12, 10, 8), 0.1, more=more, expect=65)
    assert message in result.stderr + result.stdout


def test_solids_may_stand_alike_before_both_inflows(run):
    more = '[boundaries]\nx = ["inflow", "inflow"]\n[solids]\nkind = "boxes"\nboxes = [0, 2, 2, 3, 4, 4, 9, 5, 1, 3, 4, 4]\n'
    folder = run("rest", (12, 10, 8), 0.1, more=more, time="dt = 0.02", ranks=2, solver__tolerance=1e-10)
    assert np.abs(state(folder)[0].mean(axis=(0, 1)) - 0.8).max() < 1e-8  # through 64 of 80 cells


def interrupted(run, tmp_path, at, kind, n, end, **values):
    """A run, and the same that stopped when it had landed at a time, and went on."""
    whole = run(kind, n, end, output__checkpoint_interval=at, output__series_interval=at, output__keep=9, **values)
    series = outputs.series(whole)
    steps = int(series["step"][np.argmin(np.abs(series["t"] - at))])
    parts = tmp_path / "parts"
    for last in (steps, 0):
        run(kind, n, end, folder=parts, output__checkpoint_interval=at, output__series_interval=at, output__keep=9,
            time__max_steps=last, **values)
    assert np.array_equal(state(parts), state(whole))
    assert outputs.rows(parts) == outputs.rows(whole)


def test_restart_at_the_release_of_a_body_in_the_inflow_repeats_bit_for_bit(run, tmp_path):
    interrupted(run, tmp_path, 0.1, "rest", (16, 12, 1), 0.2, length=(4, 1, 1), viscosity=0.02, time="cfl = 0.6\ndt_max = 0.02",
                more=CHANNEL + '[solids]\nkind = "boxes"\nboxes = [0, 3, 0, 3, 4, 1]\n', solids__release=0.1)


# ---- walls that swing: Stokes' second problem, with a second wall at rest ----

LENGTH, NU, PLATE = 0.5, 0.05, '[boundaries]\ny = ["wall", "wall"]\nwall_velocity = [0,0,0, 0,0,0, 1,0,0, 0,0,0, 0,0,0, 0,0,0]\n'


def swing(run, n, dt, diffusion="explicit"):
    """At t = 10, by when what the start has left, exp(-nu pi^2 t/L^2), is 3e-9."""
    folder = run("rest", (1, n, 1), 10, length=(1, LENGTH, 1), viscosity=NU, time=f"dt = {dt}", more=PLATE,
                 boundaries__wall_frequency=1, output__series_interval=10, solver__diffusion=diffusion,
                 solver__tolerance=1e-11)
    return state(folder)[0][0, :, 0]


def swing_of_cells(n):
    """i omega u = nu times second differences, walls half a cell beyond the first and the last."""
    h = LENGTH / n
    matrix = np.diag(np.full(n, -2.0)) + np.diag(np.ones(n - 1), 1) + np.diag(np.ones(n - 1), -1)
    matrix[0, 0] = matrix[-1, -1] = -3
    wall = np.zeros(n)
    wall[0] = 2
    return np.linalg.solve(2j * math.pi * np.eye(n) - NU / h**2 * matrix, NU / h**2 * wall).real


def test_flow_at_a_swinging_wall_is_of_order_two_in_h(run):
    errors = []
    for n in (8, 16, 32):
        y = (np.arange(n) + 0.5) * LENGTH / n
        decay = np.sqrt(2j * math.pi / NU)
        exact = (np.sinh(decay * (LENGTH - y)) / np.sinh(decay * LENGTH)).real
        errors.append(np.abs(swing(run, n, 1 / 640) - exact).max())
    assert all(1.9 < math.log2(a / b) < 2.2 for a, b in zip(errors, errors[1:])), errors
    assert errors[2] < 2e-3
    record("staggered-swinging-wall", errors[2], order=math.log2(errors[1] / errors[2]))


@pytest.mark.parametrize("diffusion", ["explicit", "implicit"])
def test_flow_at_a_swinging_wall_is_of_order_two_in_the_step(run, diffusion):
    """At least: explicit, the swing of the wall is felt by the stiffest cells, and orders mix."""
    exact = swing_of_cells(16)
    errors = [np.abs(swing(run, 16, dt, diffusion) - exact).max() for dt in (1 / 128, 1 / 256, 1 / 512)]
    assert all(1.9 < math.log2(a / b) < 2.5 for a, b in zip(errors, errors[1:])), errors
    assert errors[2] < 1e-4
