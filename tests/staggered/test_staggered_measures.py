"""What the staggered solver measures: drag, wall shear, profiles over walls, spectra, masks and faces in files of fields."""

import math

import h5py
import numpy as np
import pytest

import outputs
from staggered import LID, WALLS_Y, fields, run, state  # noqa: F401

PUSH = '[forcing]\nkind = "pressure-gradient"\namplitude = {}\n'


# ---- forces ----

@pytest.mark.parametrize("stretch", [0, 1.2])
@pytest.mark.parametrize("walls", ["", WALLS_Y])
def test_drag_and_friction_take_the_momentum_that_is_given(run, walls, stretch):
    """Steady: force times the volume of open faces around boxes = drag + wall shear times the walls' area."""
    n, h = 16, 1 / 16
    more = walls + '[solids]\nkind = "boxes"\nboxes = [4, 5, 0, 4, 5, 1, 11, 0, 0, 2, 3, 1]\n' + PUSH.format(0.5)
    folder = run("rest", (n, n, 1), 40, length=(1, 1, 1), viscosity=0.05, time="cfl = 0.9", more=more, ranks=2,
                 grid__stretch=[stretch, 0, 0], output__series_interval=40, solver__tolerance=1e-11)
    series = outputs.series(folder)
    solid = np.zeros((n, n), bool)
    solid[5:10, 4:8] = solid[0:3, 11:13] = True
    face = (np.arange(n + 1) / n)
    if stretch:
        face = (1 + np.tanh(stretch * (2 * face - 1)) / np.tanh(stretch)) / 2
    width = np.diff(face)
    around = (width + np.roll(width, 1)) / 2  # the cell around the lower face across x
    open_volume = (around * h * ~(solid | np.roll(solid, 1, axis=1))).sum()
    assert series["drag_x"][-1] > 0
    taken = series["drag_x"][-1] + series["wall_shear"][-1] * (2 if walls else 0)
    assert taken == pytest.approx(0.5 * open_volume, rel=1e-7)
    assert bool(series["wall_shear"][-1] > 0) == bool(walls)


def test_unsteady_drag_is_what_the_momentum_loses(run):
    """Of the flow around a box that was set off at once: d/dt of the momentum along each axis."""
    folder = run("uniform", (16, 12, 8), 0.2, length=(2, 1.5, 1), viscosity=0.05, time="dt = 0.002", initial__velocity=[1, 0.5, 0.2],
                 more='[solids]\nkind = "boxes"\nboxes = [4, 4, 2, 4, 5, 3]\n', solver__tolerance=1e-11)
    series = outputs.series(folder)
    fluid = 3 - 60 / 512
    for axis, speed in (("x", "mean_u"), ("y", "mean_v"), ("z", "mean_w")):
        loss = -np.diff(series[speed] * fluid) / np.diff(series["t"])
        drag = series[f"drag_{axis}"]
        # the pressure is the last stage's, of the middle of the step in the mean
        assert np.abs(loss[20:] / drag[21:] - 1).max() < 0.02


def test_walls_feel_the_stress_of_known_flows(run):
    values = dict(length=(1, 1, 1), viscosity=0.1, time="dt = 0.005", output__series_interval=60)
    poiseuille = outputs.series(run("rest", (1, 16, 1), 60, more=WALLS_Y + PUSH.format(0.8), **values))
    assert poiseuille["wall_shear"][-1] == pytest.approx(0.4, rel=1e-10)
    walls = "[0,0,0, 0,0,0, -1,0,0, 1,0,2, 0,0,0, 0,0,0]"
    couette = outputs.series(run("rest", (1, 12, 1), 60, more=WALLS_Y + f"wall_velocity = {walls}\n", **values))
    assert couette["wall_shear"][-1] == pytest.approx(0.1 * math.hypot(2, 2), rel=1e-10)


@pytest.mark.parametrize("more, frequency", [(WALLS_Y + "wall_velocity = [0,0,0, 0,0,0, -1,0,0, 1,0,2, 0,0,0, 0,0,0]\n", 0.5),
                                             (LID, 0)])
def test_energy_changes_by_the_power_of_moving_walls(run, more, frequency):
    """dE/dt = injection - dissipation, but for the square of the step; there is no force but the walls'."""
    left = []
    for dt in (0.02, 0.01):
        folder = run("random", (12, 12, 1), 0.4, length=(1, 1, 1), viscosity=0.02, time=f"dt = {dt}", more=more,
                     initial__amplitude=0.2, boundaries__wall_frequency=frequency, solver__tolerance=1e-11)
        series = outputs.series(folder)
        late = series["t"] > 0.1 - 1e-9
        assert np.abs(series["injection"][late]).min() > 0
        net = (series["injection"] - series["dissipation"])[late]
        change = np.diff(series["energy"][late])
        left.append(abs(change.sum() - ((net[1:] + net[:-1]) / 2 * dt).sum()) / series["dissipation"][late].mean())
    assert left[1] < 2e-3 and left[0] / left[1] > 3, left


# ---- profiles ----

def profiles(folder):
    lines = (folder / "profiles.csv").read_text().splitlines()
    table = np.array([[float(word) for word in line.split(",")] for line in lines[2:]])
    return dict(zip(lines[1].split(","), table.T))


def means(sample, axis):
    """Mean over planes across an axis (of z, y, x), of u, v, w, p and their products; a closed boundary has velocity 0."""
    u, v, w, p = sample
    upper = [np.roll(c, -1, a) for c, a in ((u, 2), (v, 1), (w, 0))]
    last = [slice(None)] * 3
    last[axis] = -1
    upper[2 - axis][tuple(last)] = 0
    u, v, w = (((c + up) / 2, (c**2 + up**2) / 2) for c, up in zip((u, v, w), upper))
    values = {"u": u[0], "v": v[0], "w": w[0], "p": p, "uu": u[1], "vv": v[1], "ww": w[1], "uv": u[0] * v[0],
              "uw": u[0] * w[0], "vw": v[0] * w[0], "pp": p * p}
    return {name: value.mean(axis=tuple(a for a in range(3) if a != axis)) for name, value in values.items()}


@pytest.mark.parametrize("axis, name", [(2, "x"), (1, "y"), (0, "z")])
def test_profiles_are_means_over_planes_and_time(run, axis, name):
    """Steps 2 and 4 of equal length, each for the time since the one before."""
    values = dict(viscosity=0.02, time="dt = 0.02", more=f'[boundaries]\n{name} = ["wall", "slip"]\n')
    samples = [means(state(run("random", (10, 8, 6), 1, time__max_steps=steps, **values)), axis) for steps in (2, 4)]
    mean = {key: (samples[0][key] + samples[1][key]) / 2 for key in samples[0]}
    for first in "uvwp":
        for second in "uvwp":
            if first + second in mean:
                mean[first + second] = mean[first + second] - mean[first] * mean[second]
    folder = run("random", (10, 8, 6), 0.08, profiles__every=2, output__spectra_interval=0.08, ranks=3, **values)
    found = profiles(folder)
    assert list(found) == [name, *mean]
    n = len(found[name])
    assert np.abs(found[name] - (np.arange(n) + 0.5) / n * 2 * math.pi).max() < 1e-14
    for key, value in mean.items():
        assert np.abs(found[key] - value).max() < 1e-12, key


def test_profiles_go_through_checkpoints_bit_for_bit_and_start_late(run, tmp_path):
    values = dict(viscosity=0.02, time="dt = 0.02", more=WALLS_Y, profiles__every=3, profiles__start=0.1,
                  output__spectra_interval=0.4, parallel__reproducible=True)
    whole = run("random", (10, 8, 6), 0.4, **values)
    assert "of 0.26" in (whole / "profiles.csv").read_text().splitlines()[0]  # steps 6 to 18, from t = 0.1 on
    parts = tmp_path / "parts"
    for steps in (4, 7, 11, 20):
        run("random", (10, 8, 6), 0.4, folder=parts, time__max_steps=steps, ranks=2, **values)
    assert (parts / "profiles.csv").read_text() == (whole / "profiles.csv").read_text()


def test_profiles_want_one_axis_with_ends(run):
    for more in ("", '[boundaries]\nx = ["wall", "wall"]\ny = ["slip", "slip"]\n'):
        result = run("rest", (8, 8, 8), 0.1, more=more, profiles__every=1, expect=65)
        assert "periodic along two axes" in result.stderr + result.stdout


# ---- files ----

def test_spectra_sum_to_the_energy_and_tell_the_shell(run):
    folders = [run("taylor-green", (16, 12, 10), 0.1, ranks=ranks, output__spectra_interval=0.1, initial__wavenumber=2,
                   viscosity=0.01, solver__tolerance=1e-11, parallel__reproducible=True) for ranks in (1, 3)]
    series = outputs.series(folders[0])
    spectra = []
    for folder in folders:
        with h5py.File(sorted((folder / "spectra").glob("*.h5"))[-1]) as f:
            spectra.append({name: f[name][:] for name in ("k", "E", "p_variance")})
    assert all(np.array_equal(spectra[0][name], spectra[1][name]) for name in spectra[0])
    energy, E = series["energy"][-1], spectra[0]["E"]
    assert math.fsum(E) == pytest.approx(energy, rel=1e-14)
    assert E[3] > 0.99 * energy  # |k| = 2 sqrt 3, in the shell about 3
    p = state(folders[0])[3]
    assert math.fsum(spectra[0]["p_variance"]) == pytest.approx(p.var(), rel=1e-12)


def test_spectra_come_once_the_cubes_are_fluid(run):
    folder = run("random", (12, 12, 12), 0.2, output__spectra_interval=0.05, time="dt = 0.025",
                 more='[solids]\nkind = "random-cubes"\ncount = 2\nside = 3\nrelease = 0.1\n')
    assert [path.name for path in sorted((folder / "spectra").glob("*.h5"))] == ["spectra-00000006.h5", "spectra-00000008.h5"]


def test_fields_have_the_solids_and_faces_on_request(run):
    values = dict(more='[solids]\nkind = "boxes"\nboxes = [3, 2, 1, 4, 5, 3]\n', output__fields_interval=0.05, ranks=2)
    folder = run("random", (12, 10, 8), 0.05, output__faces=True, **values)
    with h5py.File(sorted((folder / "fields").glob("*.h5"))[-1]) as f:
        solid = np.zeros((8, 10, 12))
        solid[1:4, 2:7, 3:7] = 1
        assert np.array_equal(f["solid"][:], solid)
        for name, component, axis in zip("uvw", state(folder), (2, 1, 0)):
            assert np.array_equal(f[f"{name}_face"][:], component)
            assert np.abs(f[name][:] - (component + np.roll(component, -1, axis)) / 2).max() < 1e-15
    with h5py.File(sorted((run("random", (12, 10, 8), 0.05, **values) / "fields").glob("*.h5"))[-1]) as f:
        assert "solid" in f and "u_face" not in f


def test_slices_show_the_vorticity_of_a_plane(run):
    """Of taylor-green-2d, -2 cos x cos y at first, here with differences over two cells: sin h/h of it along each axis."""
    folder = run("taylor-green-2d", (16, 16, 4), 0.01, ranks=2, output__slices_interval=1, viscosity=0,
                 output__slices=["z=0: vorticity_z"])
    with h5py.File(sorted((folder / "slices").glob("*.h5"))[0]) as f:
        found = np.squeeze(next(f[name][:] for name in f if name.startswith("vorticity")))
    h = 2 * math.pi / 16
    x = (np.arange(16) + 0.5) * h
    assert np.abs(np.abs(found) - np.abs(2 * np.outer(np.cos(x), np.cos(x))) * math.sin(h) / h * math.cos(h / 2)).max() < 1e-10


def test_reports_check_the_energy_of_closed_flows_alone(run):
    """Walls that move and close the budget do; what a stream carries in and out is no force and no dissipation."""
    pytest.importorskip("matplotlib", reason="python3-matplotlib is not installed")
    import looks  # noqa: F401  finds triad_plot
    from triad_plot.read.run import Run
    from triad_plot.report import checks
    values = dict(length=(1, 1, 1), viscosity=0.05, time="dt = 0.005", solver__tolerance=1e-11)
    closed = run("random", (8, 8, 1), 0.3, more=LID, initial__amplitude=0.2, **values)
    assert checks.budget(Run(str(closed))).verdict == checks.PASS
    stream = run("uniform", (8, 8, 1), 0.3, more='[boundaries]\nx = ["inflow", "outflow"]\ny = ["wall", "wall"]\n', **values)
    assert checks.budget(Run(str(stream))) is None
