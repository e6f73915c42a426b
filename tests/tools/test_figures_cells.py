"""Planes of meshes and blocks as polygons, their films; means with their errors; curves of tables beside those of a run."""

import csv
import shutil
import subprocess
import sys

import h5py
import numpy as np
import pytest

import every_solver
from every_solver import runs  # noqa: F401
import looks
from conftest import ROOT

pytest.importorskip("matplotlib", reason="python3-matplotlib is not installed")

from looks import plot_here  # noqa: E402, F401
from triad_plot import verbs  # noqa: E402
from triad_plot.compute import section  # noqa: E402
from triad_plot.options import parse  # noqa: E402
from triad_plot.read import cells  # noqa: E402
from triad_plot.read.run import Run  # noqa: E402


def figure_of(verb, path, *words):
    return verbs.find(verb).draw([Run(str(path))], parse([str(path), *words]))


def plot(*words, expect=0, cwd=None):
    done = subprocess.run([sys.executable, "-B", ROOT / "tools/triad_plot", *map(str, words)], capture_output=True, text=True, cwd=cwd)
    assert done.returncode == expect and "Traceback" not in done.stderr, done.stderr
    return done


# ---- planes of cells ----

SHAPES = {"tets": 10, "hexes": 12, "prisms": 13, "pyramids": 14}


@pytest.mark.parametrize("kind", [*SHAPES, "hybrid", "polyhedra"])
def test_a_plane_cuts_a_box_into_polygons_that_fill_it(run_case, kind):
    """At any place and across any axis: of the box's sides, whatever the cells."""
    folder = run_case(f"""[equations]
solver = "fct"
[grid]
kind = "{kind}"
n = [5, 4, 3]
length = [1.5, 1.0, 0.7]
[initial]
kind = "uniform"
density = 1
pressure = 1
velocity = [0.1, 0.2, 0.3]
[time]
end = 0
[output]
fields_interval = 1
report = false
""")
    found = cells.open_cells(cells.files_of(Run(str(folder)))[-1])
    if kind in SHAPES:
        assert set(found.shapes) == {SHAPES[kind]}
    assert np.isclose(found.volumes.sum(), 1.5 * 1.0 * 0.7, rtol=1e-12)
    sides = np.array([1.5, 1.0, 0.7])
    for across in range(3):
        for share in (0.01, 0.2, 1 / 3, 0.5, 0.77, 1.0):
            cut = section.of_cells(found, across, share * sides[across])
            assert np.isclose(cut.areas.sum(), sides.prod() / sides[across], rtol=1e-9), (across, share)
            assert len(cut.order) == len(set(cut.order))
            # a polygon lies within the cell that it is of
            near = np.abs(np.delete(found.centres[cut.order], across, axis=1) - cut.middles)
            assert (near < sides.max() / 3).all()
        assert len(section.of_cells(found, across, 1.01 * sides[across])) == 0 and len(section.of_cells(found, across, -0.01)) == 0


def test_values_at_corners_are_exact_for_a_field_that_is_constant_and_ordered_for_one_that_is_linear(runs):
    found = cells.open_cells(cells.files_of(Run(str(runs("fct"))))[-1])
    cut = section.of_cells(found, 2, 0.37)
    assert np.allclose(cut.at_points(np.full(found.n, 3.25)), 3.25, rtol=1e-14)
    points = np.stack([cut.triangulation.x, cut.triangulation.y])
    x, y = np.linspace(-0.1, 1.6, 50), np.linspace(-0.1, 1.1, 40)
    sampled = cut.sample(np.full(found.n, 3.25), x, y)
    inside = ((x > 0) & (x < 1.5))[None] & ((y > 0) & (y < 1))[:, None]
    assert np.array_equal(~np.ma.getmaskarray(sampled), inside) and np.allclose(sampled.compressed(), 3.25, rtol=1e-12)
    linear = cut.at_points(found.centres[:, 0])
    assert np.corrcoef(points[0], linear)[0, 1] > 0.97 and abs(linear - points[0]).max() < 0.3
    assert np.isclose(np.sum(section.areas_of(np.stack([points.T[t] for t in cut.triangulation.triangles]))), 1.5, rtol=1e-9)


@pytest.mark.parametrize("verb, solver, words", [
    ("slice", "fct", ()), ("slice", "fct", ("--plane", "x=0.6", "--field", "p,rho,u")), ("slice", "fct", ("--at", "0.25", "--vectors")),
    ("contour", "fct", ("--streamlines",)), ("slice", "multiblock", ()), ("contour", "multiblock", ("--plane", "z", "--vectors")),
    ("contour", "multiblock", ()), ("slice", "multiblock", ("--field", "speed", "--streamlines"))])
def test_planes_of_cells_are_pictures_that_can_be_read(runs, verb, solver, words):
    figure = figure_of(verb, runs(solver), *words)
    assert looks.faults(figure) == []


def test_colours_are_the_values_of_the_cells(runs):
    figure = figure_of("slice", runs("fct"), "--field", "p", "--plane", "z=0.4")
    found = cells.open_cells(cells.files_of(Run(str(runs("fct"))))[-1])
    cut = section.of_cells(found, 2, 0.4)
    picture = figure.axes[0].collections[0]
    with h5py.File(found.path) as f:
        assert np.array_equal(picture.get_array(), f["VTKHDF/CellData/p"][:][cut.order])
    assert len(picture.get_paths()) == len(cut) and figure.axes[0].get_title(loc="left").startswith("z = 0.4")


def test_a_newer_slice_is_drawn_before_older_cells(runs, tmp_path):
    shutil.copytree(runs("fct"), tmp_path / "r")
    assert looks.faults(figure_of("slice", tmp_path / "r")) == []
    for path in sorted((tmp_path / "r/fields").glob("fields-*.vtkhdf"))[1:]:
        path.unlink()
    figure = figure_of("slice", tmp_path / "r")
    assert figure.axes[0].get_images() and "t = 0.5" in figure.axes[0].get_title(loc="left")
    # unless a field that it does not have is asked for
    assert figure_of("slice", tmp_path / "r", "--field", "p").axes[0].collections


@pytest.mark.parametrize("solver, count", [("fct", 3), ("multiblock", 3)])
def test_a_film_of_cells_has_a_frame_a_file_on_one_scale(runs, tmp_path, solver, count):
    said = plot("film", runs(solver), "--field", "p", "-o", tmp_path / "film.gif").stdout
    assert f"to {count:04d}" in said and len(list((tmp_path / "film").glob("frame-*.png"))) == count
    assert (tmp_path / "film.gif").stat().st_size > 10_000


@pytest.mark.parametrize("words, code, said", [
    (("vortices",), 65, "use slice, contour or film"), (("volume",), 65, "use slice, contour or film"),
    (("slice", "--plane", "z=7"), 65, "no cell at z = 7; the mesh extends from 0 to 1"), (("slice", "--field", "q"), 65, "has no q; there are"),
    (("contour", "--field", "q"), 65, "has no q")])
def test_verbs_that_do_not_serve_cells_say_which_do(runs, tmp_path, words, code, said):
    assert said in plot(words[0], runs("fct"), *words[1:], "-o", tmp_path / "x.png", expect=code).stderr


def test_a_truncated_mesh_is_a_line_that_names_it(runs, tmp_path):
    shutil.copytree(runs("fct"), tmp_path / "r")
    path = sorted((tmp_path / "r/fields").glob("fields-*.vtkhdf"))[-1]
    path.write_bytes(path.read_bytes()[:3000])
    assert path.name in plot("contour", tmp_path / "r", "-o", tmp_path / "x.png", expect=65).stderr


# ---- walls ----

def test_faces_of_walls_have_the_corners_of_their_grid(runs, tmp_path):
    """The areas of the faces that are found are those of the area vectors in the file."""
    from triad_plot.figures.space import walls
    run = Run(str(runs("multiblock")))
    path = sorted((runs("multiblock") / "surfaces").glob("surface-*.h5"))[-1]
    corners, values, unit = walls.faces_of(run, str(path), "cp")["aerofoil"]
    with h5py.File(path) as f:
        area = np.stack([f[f"area_{a}.aerofoil"][:] for a in "xyz"], axis=1)
        assert np.array_equal(values, f["cp.aerofoil"][:]) and unit == "1"
    made = np.cross(corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1]) / 2
    assert np.allclose(np.linalg.norm(made, axis=1), np.linalg.norm(area, axis=1), rtol=1e-9)
    assert np.allclose(np.abs(np.sum(made * area, axis=1)), np.sum(area**2, axis=1), rtol=1e-9)
    plot("walls", runs("multiblock"), "-o", tmp_path / "w.png")
    assert (tmp_path / "w.png").stat().st_size > 10_000
    assert "walls draws cp, cf, p, temperature only" in plot("walls", runs("multiblock"), "--field", "rho", "-o", tmp_path / "w.png", expect=64).stderr
    assert "has no surfaces" in plot("walls", runs("fct"), "-o", tmp_path / "w.png", expect=65).stderr


def test_walls_of_another_grid_are_refused(runs, tmp_path):
    shutil.copytree(runs("multiblock"), tmp_path / "r")
    with h5py.File(tmp_path / "r/fields/grid.h5", "r+") as f:
        f["y.1"][...] *= 1.001
    assert "of another grid" in plot("walls", tmp_path / "r", "-o", tmp_path / "w.png", expect=65).stderr


# ---- means ----

def rows_of(path):
    with open(path) as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


@pytest.mark.parametrize("solver", ["hd", "gpe", "staggered"])
def test_means_are_drawn_with_the_errors_of_the_file(runs, tmp_path, solver):
    name = "cov_psi_re_psi_re_z" if solver == "gpe" else "cov_u_u_z"
    plot("means", runs(solver), "--field", name, "-o", tmp_path / "m.png", "--table", tmp_path / "m.csv")
    rows = rows_of(tmp_path / "m.csv")
    with h5py.File(runs(solver) / "means.h5") as f:
        assert [float(row["y"]) for row in rows] == list(f[name][:]) and [float(row["x"]) for row in rows] == list(f["z"][:])
        assert np.allclose([float(row["error"]) for row in rows], f[name + "_error"][:], rtol=1e-9, atol=1e-18)
    for words in ((), ("--field", "energy,dissipation"), *([("--field", "E,T")] if solver == "hd" else [])):
        assert looks.faults(figure_of("means", runs(solver), *words)) == []


def test_means_that_are_not_there_are_named(runs, tmp_path):
    assert "there are" in plot("means", runs("hd"), "--field", "nothing", "-o", tmp_path / "m.png", expect=64).stderr
    assert "has no means (output.means)" in plot("means", runs("compressible"), "-o", tmp_path / "m.png", expect=65).stderr
    assert "slice or contour --field mean_u" in plot("means", runs("fct"), "-o", tmp_path / "m.png", expect=65).stderr
    assert "has no cp; there are mach, p, " in plot("contour", runs("multiblock"), "--field", "cp", "-o", tmp_path / "m.png", expect=64).stderr
    assert "use slice or film" in plot("contour", runs("compressible"), "-o", tmp_path / "m.png", expect=65).stderr


# ---- beside ----

def test_points_of_a_table_stand_at_their_places(runs, tmp_path):
    (tmp_path / "other.csv").write_text("# measured\nk,E,E_error\n1,0.1,0.01\n2,0.05,0.02\n")
    plot("spectrum", runs("hd"), "--at", "0.5", "--beside", tmp_path / "other.csv", "-o", tmp_path / "s.png", "--table", tmp_path / "s.csv")
    rows = [row for row in rows_of(tmp_path / "s.csv") if row["curve"] == "measured"]
    assert [(float(r["x"]), float(r["y"])) for r in rows] == [(1, 0.1), (2, 0.05)] and np.allclose([float(r["error"]) for r in rows], [0.01, 0.02])
    assert len({row["curve"] for row in rows_of(tmp_path / "s.csv")}) >= 2   # and the run's


def test_the_table_of_one_run_stands_beside_another(runs, tmp_path):
    plot("enstrophy", runs("hd"), "-o", tmp_path / "a.png", "--table", tmp_path / "one.csv")
    plot("enstrophy", runs("mhd"), "--beside", tmp_path / "one.csv", "-o", tmp_path / "b.png", "--table", tmp_path / "both.csv")
    one, both = rows_of(tmp_path / "one.csv"), rows_of(tmp_path / "both.csv")
    beside = [row["y"] for row in both if row["curve"].startswith("one")]
    assert beside == [row["y"] for row in one] and len(both) > len(beside)


@pytest.mark.parametrize("text, said", [("", "first line"), ("k\n1\n", "first line"), ("k,E\n1,a\n", "first line"), ("k,E\n1\n", "first line"),
                                        ("k,E\n,\n", "no points")])
def test_tables_that_are_none_are_refused(runs, tmp_path, text, said):
    (tmp_path / "bad.csv").write_text(text)
    assert said in plot("spectrum", runs("hd"), "--beside", tmp_path / "bad.csv", "-o", tmp_path / "x.png", expect=65).stderr
    assert "has none" in plot("slice", runs("hd"), "--beside", tmp_path / "bad.csv", "-o", tmp_path / "x.png",
                              expect=(65 if not said == "no points" else 64)).stderr or said == "first line"
