"""Pictures in space: the same from fields and checkpoints, the right way round, not blank; films of them."""
import os
import shutil
import subprocess
import sys

import numpy as np
import pytest

from conftest import ROOT
from looks import faults, plot, plot_here

pytest.importorskip("matplotlib", reason="python3-matplotlib is not installed")
sys.path.insert(0, str(ROOT / "tools"))
from triad_plot.draw import scene, style  # noqa: E402
from triad_plot.options import Options  # noqa: E402
from triad_plot.read import space  # noqa: E402
from triad_plot.read.run import Run  # noqa: E402

needs_vtk = pytest.mark.skipif(not scene.is_there() or not (shutil.which("Xvfb") or os.environ.get("DISPLAY")),
                               reason="VTK with a display or Xvfb (apt: python3-vtk9 or python3-paraview, xvfb) is not installed")
# a helical wave along each axis beside others, on a box whose sides differ in length and points
CASE = """
[equations]
solver = "hd"
viscosity = 0.02
[grid]
n = [18, 16, 20]
length = ["2pi", 3.0, 5.0]
[initial]
kind = "random"
wavenumber = 2
[time]
end = 0.1
dt = 0.05
[output]
spectra_interval = 0
fields_interval = 0.05
checkpoint_interval = 0.05
"""
LENGTHS = (5.0, 3.0, 2 * np.pi)


@pytest.fixture(scope="module")
def flow(triad, launcher, tmp_path_factory):
    folder = tmp_path_factory.mktemp("space")
    (folder / "case.toml").write_text(CASE)
    launcher(1, triad, "run", folder / "case.toml", "--dir", folder / "run", expect=0)
    return folder / "run"


def opened(flow, source, grid=None, at=None):
    options = Options()
    options.source, options.grid, options.at = source, grid, at
    space.opened.cache_clear()
    return space.of_run(Run(str(flow)), options)


# ---- numbers ----

@pytest.mark.parametrize("name", ["u", "q", "vorticity", "helicity", "vorticity_y"])
def test_fields_and_checkpoints_are_the_same_on_any_finer_grid(flow, name):
    for grid in (20, 50):
        a, b = (space.quantity(opened(flow, source, grid), name)[0] for source in ("fields", "checkpoint"))
        assert a.shape == b.shape == tuple(-(-n * grid // 20) for n in (20, 16, 18))
        # some hundred roundings of transforms, derivatives make them larger by k at most 6 and 6^2
        assert np.abs(a - b).max() < 1e-12 * np.abs(b).max() * 36


def test_a_finer_grid_holds_the_points_of_the_coarse_one(flow):
    coarse, fine = (space.quantity(opened(flow, "checkpoint", grid), "q")[0] for grid in (20, 40))
    np.testing.assert_allclose(fine[::2, ::2, ::2], coarse, atol=1e-12 * np.abs(coarse).max() * 36)


def test_derivatives_are_those_of_known_waves(flow):
    room = opened(flow, "checkpoint", 40)
    z, y, x = np.meshgrid(*room.coordinates, indexing="ij")
    k = [2 * np.pi / length for length in LENGTHS]
    wave = np.sin(k[2] * x + 2 * k[1] * y - 3 * k[0] * z)
    room.spectra["u"] = np.fft.rfftn(wave) / wave.size
    cosine = np.cos(k[2] * x + 2 * k[1] * y - 3 * k[0] * z)
    for axis, factor in ((2, k[2]), (1, 2 * k[1]), (0, -3 * k[0])):
        np.testing.assert_allclose(room.derivative("u", axis), factor * cosine, atol=1e-12)
    np.testing.assert_allclose(room.values("u"), wave, atol=1e-13)


@pytest.mark.parametrize("n, m", [((4, 5, 6), (9, 8, 12)), ((6, 4, 4), (6, 7, 4)), ((5, 3, 7), (5, 3, 8))])
def test_zeros_beyond_a_spectrum_keep_the_points_and_nyquist_cosines(n, m):
    """Beside the sum over all modes, written out, with cosines for Nyquist modes of real fields along one axis."""
    a = np.random.default_rng(3).standard_normal(n)
    fine = np.fft.irfftn(space.padded(np.fft.rfftn(a) / a.size, n, m), m) * np.prod(m)
    line = np.eye(1)
    for axis in range(3):
        c = np.fft.fftfreq(n[axis], 1 / n[axis])
        points = np.arange(m[axis]) / m[axis]
        nyquist = 2 * np.abs(c) == n[axis]
        basis = np.where(nyquist, np.cos(np.pi * n[axis] * points)[:, None], np.exp(2j * np.pi * points[:, None] * c))
        line = basis @ np.fft.fft(np.eye(n[axis])) / n[axis]
        assert np.abs(line.imag).max() < 1e-12
        a = np.moveaxis(np.tensordot(line.real, a, axes=(1, axis)), 0, axis)
    np.testing.assert_allclose(fine, a, atol=1e-12)


def test_between_walls_derivatives_are_differences():
    room = space.Space.__new__(space.Space)
    room.periodic, room.coordinates = False, [np.linspace(0, 1, 9) ** 2 + np.linspace(0, 1, 9), np.arange(4.0), np.arange(5.0)]
    z = room.coordinates[0][:, None, None] + np.zeros((1, 4, 5))
    room.values = lambda name: 3 * z + 1
    np.testing.assert_allclose(room.derivative("u", 0), 3.0)


def test_what_cannot_be_drawn_is_told(flow, tmp_path):
    def said(*words):
        done = plot_here("vortices", flow, *words)
        return done.returncode, done.stderr
    assert said("--field", "rho")[0] == 65 and "has no rho" in said("--field", "rho")[1]
    assert said("--grid", "1")[0] == 64 and said("--source", "x")[0] == 64 and said("--plane", "z=0")[0] == 64
    assert plot_here("film", flow, "--of", "volume", "--level", "1").returncode == 64
    assert plot_here("volume", flow, "--colour", "u").returncode == 64


@needs_vtk
def test_a_level_that_is_nowhere_is_told_with_what_there_is(flow):
    done = plot_here("vortices", flow, "--level", "1e9", "--grid", "20")
    assert done.returncode == 65 and "never equals 1e+09; it ranges from -" in done.stderr


@pytest.mark.parametrize("missing", ["vtk", "display"])
def test_without_vtk_or_a_display_it_is_said_what_to_install(flow, tmp_path, missing):
    environment = {k: v for k, v in os.environ.items() if k != "DISPLAY"}
    if missing == "vtk":
        (tmp_path / "vtkmodules").mkdir()
        (tmp_path / "vtkmodules/__init__.py").write_text("raise ImportError('broken')\n")
        environment["PYTHONPATH"] = str(tmp_path)
    elif not scene.is_there() or scene.modules().vtkRenderWindow().GetClassName() != "vtkXOpenGLRenderWindow":
        pytest.skip("no VTK, or one that needs no X server")
    else:
        (tmp_path / "python3").symlink_to(shutil.which("python3", path="/usr/bin") or sys.executable)
        for program in ("sh", "dirname", "readlink", "env"):
            (tmp_path / program).symlink_to(shutil.which(program))
        environment["PATH"] = str(tmp_path)

    def said(*words):
        return subprocess.run([sys.executable, ROOT / "tools/triad_plot", "vortices", flow, *words], env=environment, capture_output=True,
                              text=True, timeout=60)
    done = said("--grid", "20")
    assert done.returncode == 69 and "apt install" in done.stderr and "Traceback" not in done.stderr, done
    done = said("--field", "rho")
    assert done.returncode == 65 and "has no rho" in done.stderr, "what cannot be drawn anyhow is told first"


# ---- pixels ----

class Blobs:
    """A space with two balls of known places; of u one is positive, the other negative."""
    lengths, periodic = LENGTHS, True
    places = ((5.0, 0.7, 4.0), (1.2, 2.2, 1.0))  # x, y, z

    def __init__(self, n=40):
        self.coordinates = [np.arange(n) * length / n for length in LENGTHS]
        z, y, x = np.meshgrid(*self.coordinates, indexing="ij")
        near = [np.exp(-((x - a) ** 2 + (y - b) ** 2 + (z - c) ** 2) / 0.15) for a, b, c in self.places]
        self.ball, self.sign = near[0] + near[1], near[0] - near[1]


@pytest.fixture(scope="module")
def picture():
    vtk = scene.modules()
    blobs = Blobs()
    with scene.display(vtk):
        view = scene.Scene(vtk, 400, LENGTHS)
        surfaces = view.surface(blobs, blobs.ball, 0.5, blobs.sign, (-1, 1), style.DIVERGING)
        lit = view.pixels().astype(int)
        box = view.mesh.GetBounds()
        places = {point: view.place(point) for point in (*blobs.places, (0, 0, 0), (2 * np.pi, 0, 0), (0, 3, 0), (0, 0, 5))}
        letters = view.letters()
        view.cloud(blobs, blobs.ball, (0, 1), style.SEQUENTIAL, False)
        cloud = view.pixels().astype(int)
        yield surfaces, lit, cloud, places, letters, box
        del view


@needs_vtk
def test_balls_are_where_they_are_in_colours_of_their_sign(picture):
    surfaces, lit, _cloud, places, _letters, _box = picture
    assert surfaces > 200
    red, blue = lit[..., 0] - lit[..., 2] > 40, lit[..., 2] - lit[..., 0] > 40
    for mask, place in zip((red, blue), Blobs.places):
        row, column = (float(i.mean()) for i in np.nonzero(mask))
        assert mask.sum() > 100 and abs(column - places[place][0]) < 3 and abs(row - places[place][1]) < 3


@needs_vtk
def test_z_points_up_x_to_the_right_and_the_box_fills_the_picture(picture):
    _surfaces, lit, _cloud, places, letters, _box = picture
    origin = places[(0, 0, 0)]
    assert places[(0, 0, 5)][1] < origin[1] - 50 and abs(places[(0, 0, 5)][0] - origin[0]) < 40
    assert places[(2 * np.pi, 0, 0)][0] > origin[0] + 50 and places[(0, 3, 0)][0] > origin[0]
    assert places[(0, 3, 0)][1] < origin[1], "y goes away from who looks: a right-handed frame"
    rows, columns = np.nonzero((lit < 200).all(axis=2))
    extent = max(np.ptp(rows), np.ptp(columns))
    assert 0.85 * 400 < extent < 0.95 * 400 and rows.min() > 5 and columns.min() > 5 and max(rows.max(), columns.max()) < 394
    assert letters["x"][1] > letters["z"][1] and letters["y"][0] > letters["x"][0] > letters["z"][0]


@needs_vtk
def test_a_cloud_is_dense_where_the_field_is_large(picture):
    _surfaces, _lit, cloud, places, _letters, _box = picture
    for place in Blobs.places:
        column, row = (int(round(i)) for i in places[place])
        assert cloud[row, column].min() < 120, "dense in the middle of a ball"
    assert (cloud == 255).all(axis=2).mean() > 0.6, "clear elsewhere"


@needs_vtk
def test_surfaces_close_over_a_periodic_side():
    vtk, blobs = scene.modules(), Blobs()
    with scene.display(vtk):
        view = scene.Scene(vtk, 100, LENGTHS)
        z, y, x = np.meshgrid(*blobs.coordinates, indexing="ij")
        view.surface(blobs, np.cos(x), 0.5, np.cos(x), (0, 1), style.SEQUENTIAL)
        bounds = view.mesh.GetBounds()
        del view
    # cos x = 1/2 at pi/3 and 5 pi/3, on planes that reach from side to side; between points it is found linearly
    assert bounds == pytest.approx((np.pi / 3, 5 * np.pi / 3, 0, 3, 0, 5), abs=2 * np.pi / 40)


@needs_vtk
def test_pictures_from_fields_and_checkpoints_are_the_same(flow, tmp_path):
    from PIL import Image
    shots = []
    for source in ("fields", "checkpoint"):
        space.opened.cache_clear()
        done = plot_here("vortices", flow, "--source", source, "--grid", "40", "--level", "0.5", "-o", tmp_path / f"{source}.png")
        assert done.returncode == 0, done
        shots.append(np.asarray(Image.open(tmp_path / f"{source}.png").convert("RGB")).astype(int))
    assert shots[0].shape == shots[1].shape and (np.abs(shots[0] - shots[1]).max(axis=2) > 8).mean() < 1e-3
    assert len(np.unique(shots[0].reshape(-1, 3), axis=0)) > 100, "not blank"


@needs_vtk
@pytest.mark.parametrize("kind", ["vortices", "volume"])
def test_nothing_is_clipped_or_lies_over_something_else(flow, kind):
    from triad_plot import verbs
    options = Options()
    options.grid = 20
    figure = verbs.find(kind).draw([Run(str(flow))], options)
    assert faults(figure) == [] and "hd, 18" in figure._suptitle.get_text()


# ---- films, the report ----

@needs_vtk
def test_a_film_in_space_has_one_level_and_one_scale(flow, tmp_path):
    from PIL import Image
    done = plot_here("film", flow, "--of", "vortices", "--grid", "20", "-o", tmp_path / "film.gif")
    assert done.returncode == 0, done
    frames = sorted((tmp_path / "film").glob("frame-*.png"))
    shots = [np.asarray(Image.open(f).convert("RGB")).astype(int) for f in frames]
    assert len(frames) == 3 and len({s.shape for s in shots}) == 1
    width = shots[0].shape[1]
    bar = [s[60:, int(0.86 * width):] for s in shots]
    assert (bar[0] == bar[1]).all() and (bar[0] == bar[2]).all(), "the bar of colours stands still"
    assert (shots[0] != shots[2]).any()
    assert Image.open(tmp_path / "film.gif").n_frames == 3


@needs_vtk
def test_the_report_shows_what_has_been_drawn(flow, tmp_path):
    run = tmp_path / "run"
    shutil.copytree(flow, run)
    assert plot_here("report", run).returncode == 0 and "isosurfaces of" not in (run / "report.html").read_text().lower()
    assert plot_here("vortices", run, "--grid", "20").returncode == 0
    assert plot_here("report", run).returncode == 0 and "isosurfaces of" in (run / "report.html").read_text().lower()
    (run / "figures/vortices.png").write_bytes(b"<script>")
    assert plot_here("report", run).returncode == 0 and "not a PNG file" in (run / "report.html").read_text()


def test_a_flow_in_a_plane_has_no_volume(triad, launcher, tmp_path):
    (tmp_path / "case.toml").write_text(CASE.replace("[18, 16, 20]", "[18, 16, 1]"))
    launcher(1, triad, "run", tmp_path / "case.toml", "--dir", tmp_path / "run", expect=0)
    done = plot("vortices", tmp_path / "run")
    assert done.returncode in (65, 69) and ("two-dimensional flow" in done.stderr or "apt install" in done.stderr)
