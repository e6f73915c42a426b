"""Pictures of planes: smooth where the fields are Fourier sums, on one scale in a film, profiles where a flow is a line."""

import os
import re

import h5py
import numpy as np
import pytest

import looks
from conftest import ROOT
from looks import plot_here

pytest.importorskip("matplotlib", reason="python3-matplotlib is not installed")
import matplotlib.image  # noqa: E402

from triad_plot import verbs  # noqa: E402
from triad_plot.compute import cut  # noqa: E402
from triad_plot.figures.space import movie, slices  # noqa: E402
from triad_plot.options import Options  # noqa: E402
from triad_plot.problem import Absent  # noqa: E402
from triad_plot.read import planes  # noqa: E402
from triad_plot.read.run import Run  # noqa: E402

LENGTHS = (2 * np.pi, 3.0, 5.0)
FOURIER = '[equations]\nsolver = "hd"\n[grid]\nn = [12, 10, 8]\ntruncation = "sphere"\n'
POINTS = '[equations]\nsolver = "compressible"\n[grid]\nn = [12, 10, 8]\n'


def wave(x, y, t=0.0):
    """Modes up to 2 along x and y: what eight points and more resolve."""
    kx, ky = (2 * np.pi / length for length in LENGTHS[:2])
    return 1.5 + np.cos(2 * kx * x + t) * np.sin(ky * y) - 0.3 * np.sin(kx * x - 2 * ky * y)


def write_slice(path, step, t, data, case=FOURIER, at=0.0):
    path.parent.mkdir(parents=True, exist_ok=True)
    with h5py.File(path, "w") as f:
        f.attrs.update({"t": t, "step": step, "axis": "z", "at": at, "length": LENGTHS})
        f.create_group("notes").attrs["case"] = case
        for name, values in data.items():
            f[name] = values
            f[name].attrs["units"] = "U"


def grid(nx, ny):
    return np.meshgrid(np.arange(nx) * LENGTHS[0] / nx, np.arange(ny) * LENGTHS[1] / ny)


@pytest.mark.parametrize("shape", [(9, 12), (10, 7), (8, 8)])
def test_refined_planes_are_the_fourier_sum(shape):
    ny, nx = shape
    np.testing.assert_allclose(cut.fine(wave(*grid(nx, ny)), 5), wave(*grid(5 * nx, 5 * ny)), atol=1e-13)


def test_refining_keeps_the_points_and_the_nyquist_mode():
    values = np.random.default_rng(7).standard_normal((6, 9))
    np.testing.assert_allclose(cut.fine(values, 4)[::4, ::4], values, atol=1e-13)
    # cos(pi x/h) between its points: the cosine of the same wave
    np.testing.assert_allclose(cut.fine(np.array([[1.0, -1.0, 1.0, -1.0]]), 4)[0], np.cos(np.pi * np.arange(16) / 4), atol=1e-14)


def picture(folder, name, data, case, **options):
    write_slice(folder / "slices/slice1-00000000.h5", 0, 0.0, data, case)
    (one,) = planes.of_run(Run(str(folder)), Options(field=name, **options))
    return one


def test_planes_of_fourier_sums_are_drawn_smoothly_and_others_are_not(tmp_path):
    data = {"u": wave(*grid(12, 10))}
    one = picture(tmp_path / "fourier", "u", data, FOURIER)
    shown, extent = one.drawn()
    factor = shown.shape[0] // 10
    assert shown.shape == (10 * factor, 12 * factor) and shown.shape[1] >= cut.SHOWN
    np.testing.assert_allclose(shown, wave(*grid(12 * factor, 10 * factor)), atol=1e-12)
    # a cell of the picture around each of its points, the first at 0
    h = LENGTHS[0] / (12 * factor)
    np.testing.assert_allclose(extent[:2], (-h / 2, LENGTHS[0] - h / 2), atol=1e-12)
    shown, extent = picture(tmp_path / "points", "u", data, POINTS).drawn()
    np.testing.assert_array_equal(shown, data["u"])
    np.testing.assert_allclose(extent[:2], (-LENGTHS[0] / 24, LENGTHS[0] - LENGTHS[0] / 24))


def test_a_modulus_of_fields_is_that_of_the_refined_fields(tmp_path):
    """|omega| has kinks where omega is zero; the components have none, so that it is exact between the points, too."""
    n, lengths = (8, 10, 12), LENGTHS
    ky = 2 * np.pi / lengths[1]
    z, y, x = np.meshgrid(*(np.arange(n[i]) * lengths[2 - i] / n[i] for i in range(3)), indexing="ij")
    (tmp_path / "fields").mkdir()
    with h5py.File(tmp_path / "fields/fields-00000000.h5", "w") as f:
        f["u"], f["v"], f["w"] = 0 * x, np.sin(x), np.sin(ky * y)  # curl = (ky cos(ky y), 0, cos x)
        f.attrs["length"], f.attrs["t"] = lengths, 0.0
        f.create_group("notes").attrs["case"] = FOURIER
    (one,) = planes.of_run(Run(str(tmp_path)), Options(field="vorticity"))
    shown, _extent = one.drawn()
    fx, fy = grid(shown.shape[1], shown.shape[0])
    np.testing.assert_allclose(shown, np.hypot(ky * np.cos(ky * fy), np.cos(fx)), atol=1e-12)


def test_a_stored_modulus_is_refined_by_its_square(tmp_path):
    """|cos x|: its square is a mode, so that between the points it is exact."""
    x, y = grid(12, 10)
    shown, _extent = picture(tmp_path, "vorticity", {"vorticity": np.abs(np.cos(x)) + 0 * y}, FOURIER).drawn()
    fx, _fy = grid(shown.shape[1], shown.shape[0])
    # sqrt of a number with round-off 1e-15 near zero
    np.testing.assert_allclose(shown, np.abs(np.cos(fx)), atol=1e-7)


def test_a_phase_is_not_smoothed_over_its_jumps(tmp_path):
    x, y = grid(12, 10)
    values = np.angle(np.exp(1j * (x + 0 * y)))
    shown, _extent = picture(tmp_path, "phase", {"phase": values}, FOURIER).drawn()
    np.testing.assert_array_equal(shown, values)


# ---- films ----

@pytest.fixture
def film(tmp_path):
    """A run whose second plane is three times as strong as its first, with a third in between."""
    for i, strength in enumerate((1.0, 3.0, 2.0)):
        values = strength * (wave(*grid(12, 10)) - 1.5)
        write_slice(tmp_path / f"run/slices/slice1-{10 * i:08d}.h5", 10 * i, 0.5 * i, {"u": values})
    return tmp_path / "run"


def test_all_frames_have_one_range_of_colours(film):
    run, times = Run(str(film)), [0.0, 0.5, 1.0]
    assert movie.times_of(run, Options()) == times
    ((ends, signed),) = movie.scales(run, Options(), times)
    largest = 3 * np.abs(wave(*grid(12, 10)) - 1.5).max()
    np.testing.assert_allclose(ends, (-largest, largest))
    assert signed


def test_frames_are_numbered_and_of_one_size_and_the_film_holds_them(film, tmp_path):
    from PIL import Image
    done = plot_here("movie", film, "-o", tmp_path / "film.gif")
    assert done.returncode == 0, done.stderr
    names = sorted(p.name for p in (tmp_path / "film").iterdir())
    assert names == ["frame-0001.png", "frame-0002.png", "frame-0003.png"]
    shapes = {matplotlib.image.imread(tmp_path / "film" / n).shape for n in names}
    assert len(shapes) == 1
    frames = [(tmp_path / "film" / n).read_bytes() for n in names]
    assert len(set(frames)) == 3
    with Image.open(tmp_path / "film.gif") as gif:
        assert gif.n_frames == 3 and gif.size == next(iter(shapes))[1::-1]


def test_times_of_a_film_can_be_chosen(film, tmp_path):
    assert plot_here("movie", film, "-o", tmp_path / "late.gif", "--from", "0.4").returncode == 0
    assert len(list((tmp_path / "late").iterdir())) == 2
    done = plot_here("movie", film, "--from", "7")
    assert done.returncode == 65 and "t = 0 to 1" in done.stderr


def test_an_mp4_asks_ffmpeg_for_even_sizes_and_says_where_there_is_none(film, tmp_path, monkeypatch):
    (tmp_path / "empty").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    done = plot_here("movie", film, "-o", tmp_path / "a.mp4")
    assert done.returncode == 69 and "ffmpeg" in done.stderr
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/ffmpeg").write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > {tmp_path}/said\nfor last; do :; done\n: > "$last"\n')
    (tmp_path / "bin/ffmpeg").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}/bin:{os.defpath}")
    done = plot_here("movie", film, "-o", tmp_path / "b.mp4")
    assert done.returncode == 0, done.stderr
    said = (tmp_path / "said").read_text()
    assert "ceil(iw/2)*2" in said and str(tmp_path / "b/frame-%04d.png") in said and (tmp_path / "b.mp4").exists()
    (tmp_path / "bin/ffmpeg").write_text("#!/bin/sh\necho no encoder >&2\nexit 1\n")
    done = plot_here("movie", film, "-o", tmp_path / "c.mp4")
    assert done.returncode == 74 and "no encoder" in done.stderr


def test_a_film_shows_the_times_it_tells(tmp_path):
    """Slices hold u at three times, fields w at one: a film of w has that one frame."""
    for i in range(3):
        write_slice(tmp_path / f"run/slices/slice1-{i:08d}.h5", i, float(i), {"u": wave(*grid(12, 10))})
    (tmp_path / "run/fields").mkdir()
    with h5py.File(tmp_path / "run/fields/fields-00000002.h5", "w") as f:
        f["w"] = np.ones((8, 10, 12))
        f.attrs["length"], f.attrs["t"] = LENGTHS, 2.0
    run = Run(str(tmp_path / "run"))
    assert movie.times_of(run, Options(field="w")) == [2.0] and movie.times_of(run, Options(field="u")) == [0.0, 1.0, 2.0]


@pytest.mark.parametrize("times, digits", [([0.0, 1.0, 2.0], 0), ([0.0, 0.25, 0.5], 1), ([1.0, 1.002], 3), ([5.0], 0)])
def test_titles_tell_neighbouring_times_apart(times, digits):
    assert movie.digits(times) == digits
    assert len({f"{t:.{digits}f}" for t in times}) == len(times)


# ---- flows along a line ----

@pytest.fixture(scope="module")
def tube(triad, launcher, tmp_path_factory):
    folder = tmp_path_factory.mktemp("tube") / "run"
    done = launcher(1, triad, "run", "runs/sod/case.toml", "--dir", folder, "--set", "grid.n=[40,1,1]", "--set", "time.dt=4e-3",
                    timeout=60)
    assert done.code == 0, done
    return folder


def test_a_gas_along_a_line_is_density_velocity_and_pressure_against_x(tube):
    figure = verbs.find("slice").draw([Run(str(tube))], Options())
    assert looks.faults(figure) == []
    with h5py.File(sorted((tube / "fields").glob("*.h5"))[-1]) as f:
        for axis, name in zip(figure.axes, ("rho", "u", "p")):
            np.testing.assert_allclose(axis.lines[0].get_xdata(), (np.arange(40) + 0.5) / 40)  # points lie half a spacing inside
            np.testing.assert_array_equal(axis.lines[0].get_ydata(), f[name][:].ravel())
    assert figure.caption == "Along a line: density, velocity along x, pressure"


def test_a_film_of_a_line_has_one_range(tube, tmp_path):
    done = plot_here("movie", tube, "-o", tmp_path / "tube.gif")
    assert done.returncode == 0 and (tmp_path / "tube/frame-0001.png").is_file(), done.stderr


def test_several_times_stand_beside_each_other_in_their_order(film):
    figure = slices.draw([Run(str(film))], Options(at=1.1, times=[1.1, 0.1, 0.6]))
    assert [a.get_title(loc="left").split("t = ")[1] for a in figure.axes if "t = " in a.get_title(loc="left")] == ["1", "0", "0.5"]
    largest = [np.abs(a.images[0].get_array()).max() for a in figure.axes if "t = " in a.get_title(loc="left")]
    np.testing.assert_allclose(np.divide(largest, largest[1]), [2, 1, 3], rtol=1e-12)  # sums of a few dozen waves


def test_a_caption_tells_what_is_on_the_plane(film):
    figure = slices.draw([Run(str(film))], Options())
    assert figure.caption == "On a plane: velocity along x" and looks.faults(figure) == []


def test_ready_cases_that_are_looked_at_show_a_plane():
    """Every ready case of a flow writes a plane or fields, so that its report has a picture; what is only timed does not."""
    for path in sorted((ROOT / "runs").glob("*/case.toml")):
        text = path.read_text()
        found = re.search(r"^(?:slices|fields)_interval = \"?([\d.]+)", text, re.M)
        assert bool(found and float(found.group(1)) > 0) == (path.parent.name != "bench-hd"), path


def test_curls_between_walls_are_not_made_up(tmp_path):
    """The trigonometric interpolant of what does not repeat rings: of u = z between walls, du/dz = 1 would be seen as 30."""
    n = 16
    z = (np.arange(n) + 0.5) / n
    with h5py.File(tmp_path / "fields-00000001.h5", "w") as f:
        f["u"] = np.broadcast_to(z[:, None, None], (n, n, n))
        f["v"], f["w"] = np.zeros((n, n, n)), np.zeros((n, n, n))
        f.attrs["length"], f.attrs["t"] = [1.0, 1.0, 1.0], 0.0
        f.create_group("notes").attrs["case"] = '[boundaries]\nx = ["periodic", "periodic"]\nz = ["wall", "wall"]\n'
        with pytest.raises(Absent, match="with walls"):
            planes.cut_field(f, "vorticity", "y", None)
        assert planes.usual_of(f) == ["speed"] and planes.cut_field(f, "speed", "y", None) is not None
        f["notes"].attrs["case"] = '[boundaries]\nx = ["periodic", "periodic"]\n'
        assert planes.usual_of(f) == ["vorticity"] and planes.cut_field(f, "vorticity", "y", None) is not None
