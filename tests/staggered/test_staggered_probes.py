"""output.probes and output.means of the staggered solver: between walls, on stretched axes, around solids."""

import importlib.util
import math

import h5py
import numpy as np
import pytest

import outputs
from looks import plot_here
from staggered import WALLS_Y, run  # noqa: F401  (run is a fixture)

pytestmark = pytest.mark.quick

ONE = (1, 1, 1)


def probes(folder):
    """[row][place][u, v, w, p]; a place that is empty is NAN."""
    lines = [line for line in (folder / "probes.csv").read_text().splitlines() if not line.startswith("#")]
    names = lines[0].split(",")[3:]
    assert [name.split("_")[0] for name in names[:4]] == ["u", "v", "w", "p"]
    return np.array([[float(word or "nan") for word in line.split(",")[3:]] for line in lines[1:]]).reshape(len(lines) - 1, -1, 4)


def wanted(points):
    return [f"[{', '.join(repr(float(x)) for x in p)}]" for p in points]


@pytest.mark.parametrize("stretch, n", [(0, 16), (1.5, 16), (1.5, 2)])
def test_a_parabola_between_walls_is_exact_up_to_the_walls(run, stretch, n):
    """A cubic through four numbers has it to round-off; with two cells three numbers are the walls and these."""
    y = [0, 0.004, 0.1, 0.5, 0.73, 0.999, 1]
    folder = run("poiseuille", (4, n, 1), 0.001, length=ONE, viscosity=1e-12, more=WALLS_Y, time="dt = 0.001",
                 grid__stretch=[0, stretch, 0], output__probes=wanted([(0.3, a, 0.7) for a in y]))
    first = probes(folder)[0]
    assert np.abs(first[:, 0] - [4 * a * (1 - a) for a in y]).max() < 1e-14
    assert np.abs(first[:, 1:3]).max() == 0


def test_between_points_the_error_falls_with_order_four(run):
    """Of the 2-D Taylor-Green vortex at t = 0, whose numbers on the faces are exact."""
    points = np.random.default_rng(1).uniform(-7, 7, (40, 3))
    exact = np.stack([np.cos(points[:, 0]) * np.sin(points[:, 1]), -np.sin(points[:, 0]) * np.cos(points[:, 1])], axis=1)
    error = []
    for n in (16, 32):
        folder = run("taylor-green-2d", (n, n, 1), 0.01, output__probes=wanted(points))
        error.append(np.abs(probes(folder)[0, :, :2] - exact).max())
    assert 3.8 < math.log2(error[0] / error[1]) < 4.2 and error[1] < 1e-4, error


def box(*numbers):
    return f'[solids]\nkind = "boxes"\nboxes = {list(numbers)}\n'


FLOW = WALLS_Y + '[forcing]\nkind = "pressure-gradient"\namplitude = 1.0\n'


def test_beside_solids_velocities_fall_to_0_and_the_pressure_is_level(run):
    """A box of cells 4..7, 0..3, 4..11 of 16^3. Expected values from the faces and centres of the file of fields."""
    h = 1 / 16
    at = {"in": (6.3 * h, 2 * h, 7 * h), "on top": (6.3 * h, 4 * h, 7 * h), "quarter above": (6.3 * h, 4.25 * h, 7.5 * h),
          "before the face": (3.75 * h, 2.5 * h, 7.5 * h), "over the edge": (3.75 * h, 2.5 * h, 12.25 * h),
          "far": (13.5 * h, 9.5 * h, 2.5 * h)}
    folder = run("rest", (16, 16, 16), 0.2, length=ONE, viscosity=0.05, more=FLOW + box(4, 0, 4, 4, 4, 8), time="dt = 0.02", output__faces=True,
                 output__fields_interval=0.2, output__probes=wanted(at.values()))
    got = dict(zip(at, probes(folder)[-1]))
    with h5py.File(sorted((folder / "fields").glob("*.h5"))[-1]) as f:
        u, w, p, solid = (f[name][:] for name in ("u_face", "w_face", "p", "solid"))
    assert solid[7, 2, 6] == 1 and solid[12, 2, 3] == 0 and solid[11, 2, 4] == 1
    assert np.array_equal(got["in"][:3], [0, 0, 0]) and np.isnan(got["in"][3])
    assert np.abs(got["on top"][[0, 2]]).max() < 1e-15
    line = u[7, 4, 6] + 0.3 * (u[7, 4, 7] - u[7, 4, 6])
    assert got["quarter above"][0] == pytest.approx(line / 2, rel=1e-13)
    assert got["before the face"][0] == pytest.approx(u[7, 2, 3] / 4, rel=1e-13)
    assert got["before the face"][3] == pytest.approx(p[7, 2, 3], rel=1e-13)
    # w at (3.75, 2.5, 12.25): of the next column the lower face lies on the box, so that the lower row falls to 0 half a cell away
    assert w[12, 2, 4] == 0
    lower, upper = w[12, 2, 3] * 0.5, w[13, 2, 3] + 0.25 * (w[13, 2, 4] - w[13, 2, 3])
    assert got["over the edge"][2] == pytest.approx(lower + 0.25 * (upper - lower), rel=1e-12)
    assert np.isfinite(got["far"]).all() and got["far"][0] == pytest.approx((u[2, 9, 13] + u[2, 9, 14]) / 2, rel=0.02)


def test_places_that_solids_leave_become_fluid(run):
    folder = run("rest", (12, 12, 12), 0.2, length=ONE, viscosity=0.01, time="dt = 0.02", solids__kind="boxes",
                 solids__boxes=[3, 3, 3, 3, 3, 3], solids__release=0.1, forcing__kind="pressure-gradient",
                 output__probes=wanted([(0.375, 0.375, 0.375)]))
    rows = probes(folder)[:, 0]
    if importlib.util.find_spec("matplotlib"):
        assert plot_here("probe", folder, "--field", "p").returncode == 65
        assert plot_here("probe", folder, "--field", "p", "--from", "0.11", "-o", folder / "p.png").returncode == 0
    assert np.isnan(rows[:6, 3]).all() and np.isfinite(rows[6:, 3]).all() and abs(rows[-1, 0]) > 1e-3


PLACES = wanted([(0.3, 0.1, 0.2), (0.24, 0.26, 0.5), (0.9, 1, 0.99), (0.5, 0, 0)]) + ["lattice 2 3 2"]


def test_the_same_bits_on_any_ranks_and_after_a_break(run, tmp_path):
    values = dict(length=ONE, more=FLOW + box(3, 0, 3, 3, 3, 6), viscosity=0.05, time="dt = 0.02", output__probes=PLACES, output__probes_interval=0.04,
                  parallel__reproducible=True, output__probes_format="h5", output__means=["moments", "pdfs", "profiles y"],
                  output__means_interval=0.04, output__means_from=0.04)
    one = run("rest", (12, 12, 12), 0.24, **values)
    for ranks in (2, 3):
        other = run("rest", (12, 12, 12), 0.24, ranks=ranks, **values)
        assert (other / "probes.csv").read_bytes() == (one / "probes.csv").read_bytes()
    broken = run("rest", (12, 12, 12), 0.24, folder=tmp_path / "broken", time__max_steps=7, **values)
    run("rest", (12, 12, 12), 0.24, folder=tmp_path / "broken", **values)
    assert (broken / "probes.csv").read_bytes() == (one / "probes.csv").read_bytes()
    with h5py.File(one / "means.h5") as a, h5py.File(broken / "means.h5") as b, h5py.File(other / "means.h5") as c:
        assert a.attrs["samples"] == b.attrs["samples"] > 3
        names = [n for n in a if isinstance(a[n], h5py.Dataset)]
        assert all(np.array_equal(a[n][:], b[n][:], equal_nan=True) for n in names)
        assert all(np.array_equal(a[n][:], c[n][:], equal_nan=True) for n in names if "_y" in n or "_pdf" in n or "_moments" in n)
    with h5py.File(one / "probes.h5") as f:
        assert np.array_equal(f["u"][:], probes(one)[:, :, 0])


def test_places_beyond_walls_and_means_that_cannot_be_are_refused_where_they_stand(run):
    for changes, words in (({"output__probes": ["[0.5, 1.2, 0.5]"]}, ("value 1 of 1", "y = 1.2", "0 to 1")),
                           ({"output__probes": ["nowhere"]}, ("output.probes", "nowhere")),
                           ({"output__means": ["profile"]}, ("output.means", "profile")),
                           ({"output__means": ["spectra"]}, ("output.means", "requires periodic, uniform axes", "remove"))):
        text = run("rest", (8, 8, 8), 0.1, length=ONE, more=WALLS_Y, expect=65, **changes).stderr
        assert all(word in text for word in words), text
    text = run("rest", (8, 8, 8), 0.1, length=ONE, more=box(2, 2, 2, 2, 2, 2), expect=65, output__means=["spectra"]).stderr
    assert "after solids.release" in text


def test_means_are_those_of_stored_snapshots(run):
    """On a stretched axis, around a box: by volume of the fluid, of faces where the sample is of faces."""
    folder = run("rest", (8, 12, 10), 0.2, length=ONE, viscosity=0.05, more=FLOW + box(2, 0, 2, 2, 3, 5), time="dt = 0.02", grid__stretch=[0, 1.2, 0],
                 output__faces=True, output__fields_interval=0.04, output__means=["moments", "pdfs", "profiles x", "profiles y"],
                 output__means_interval=0.04, output__means_from=0.08)
    y = (1 + np.tanh(1.2 * (np.arange(13) / 6 - 1)) / math.tanh(1.2)) / 2
    samples = []
    for path in sorted((folder / "fields").glob("*.h5")):
        with h5py.File(path) as f:
            if f.attrs["t"] > 0.079:
                samples.append({name: f[name][:] for name in ("u", "v", "w", "p", "solid", "u_face")})
    volume = np.diff(y)[None, :, None] * (samples[0]["solid"] == 0) / 80
    total = volume.sum()
    with h5py.File(folder / "means.h5") as f:
        got = {name: f[name][:] for name in f if isinstance(f[name], h5py.Dataset)}
        assert f.attrs["samples"] == len(samples) == 4
    variables = {name: [s[name] for s in samples] for name in "uvwp"}
    upper = [np.roll(s["u_face"], -1, axis=2) for s in samples]
    variables["du_dx"] = [(b - s["u_face"]) * 8 for s, b in zip(samples, upper)]
    for name, values in variables.items():
        mean = [(volume * a).sum() / total for a in values]
        want = np.mean([[m, *((volume * (a - m)**p).sum() / total for p in (2, 3, 4))] for a, m in zip(values, mean)], axis=0)
        assert np.abs(got[f"{name}_moments"] - want).max() <= 1e-11 * np.abs(want).max(), name
        rms = [((volume * (a - m)**2).sum() / total)**0.5 for a, m in zip(values, mean)]
        pdf = [np.histogram((a - m) / r, np.linspace(-10, 10, 201), weights=volume)[0] * 10 / total
               for a, m, r in zip(values, mean, rms)]
        # a value on the edge of a bin may fall on either side: few of the 880 do, but for w, which is 0 in planes of symmetry
        assert name == "w" or np.abs(got[f"{name}_pdf"] - np.mean(pdf, axis=0)).sum() / 10 < 0.005, name
    assert np.allclose(got["y"], (y[1:] + y[:-1]) / 2, atol=1e-15)
    for letter, across in (("y", (0, 2)), ("x", (0, 1))):
        area = volume.sum(axis=across)

        def over(values):
            return np.mean([(volume * a).sum(axis=across) / area for a in values], axis=0)
        for name in "uvwp":
            assert np.allclose(got[f"mean_{name}_{letter}"], over(variables[name]), rtol=0, atol=1e-12)
        uv = over([s["u"] * s["v"] for s in samples]) - over(variables["u"]) * over(variables["v"])
        uu = over([(s["u_face"]**2 + b**2) / 2 for s, b in zip(samples, upper)]) - over(variables["u"])**2
        assert np.abs(got[f"cov_u_v_{letter}"] - uv).max() < 1e-12 and np.abs(got[f"cov_u_u_{letter}"] - uu).max() < 1e-12


def test_spectra_are_the_means_of_files_of_spectra(run):
    folder = run("random", (12, 12, 12), 0.1, output__means=["spectra"], output__means_interval=0.02, output__spectra_interval=0.02,
                 time="dt = 0.02")
    files = [values for _, values in outputs.spectra(folder)]
    with h5py.File(folder / "means.h5") as f:
        assert f.attrs["samples"] == len(files) == 6
        for name in ("E", "p_variance"):
            want = np.mean([a[name] for a in files], axis=0)
            assert np.abs(f[name][:] - want).max() <= 1e-13 * want.max()
        assert np.array_equal(f["k"][:], files[0]["k"])
