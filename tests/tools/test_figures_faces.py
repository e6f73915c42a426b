"""Faces of a mesh by colour: the file of `triad grid --write FILE.vtkhdf`, and its picture."""

import subprocess

import numpy as np
import pytest

import looks
from conftest import ROOT
from unstructured import READ_HDF, read_by_vtk
from looks import plot_here

h5py = pytest.importorskip("h5py", reason="python3-h5py is not installed")
pytest.importorskip("matplotlib", reason="python3-matplotlib is not installed")

from triad_plot import verbs  # noqa: E402
from triad_plot.figures.space import faces  # noqa: E402
from triad_plot.options import Options  # noqa: E402


def grid(triad, path, *sets, more=()):
    words = [word for key in ("grid.length=[1.5,1,1]", *sets) for word in ("--set", key)]
    return subprocess.run([triad, "grid", ROOT / "runs/sod-tets/case.toml", "--write", path, *words, *more], capture_output=True,
                          text=True, timeout=60)


@pytest.fixture
def made(triad, tmp_path):
    def make(*sets):
        done = grid(triad, tmp_path / "mesh.vtkhdf", *sets)
        assert done.returncode == 0, done.stderr
        return faces.of_path(str(tmp_path / "mesh.vtkhdf")), done.stdout
    return make


def area(points):
    return sum(np.cross(b - points[0], c - points[0]) for b, c in zip(points[1:], points[2:])) / 2


def assert_closed(found, cells):
    """Area vectors of a cell's faces, out of the first of their cells, add up to nothing."""
    sums = np.zeros((cells, 3))
    for points, (cell, beyond) in zip(found.points, found.cells):
        sums[cell] += area(points)
        if beyond >= 0:
            sums[beyond] -= area(points)
    np.testing.assert_allclose(sums, 0, atol=1e-15)


@pytest.mark.parametrize("kind, cells, inner, outer", [("tets", 72, 112, 64), ("hexes", 12, 20, 32)])
@pytest.mark.parametrize("numbering", ["coalesced", "rcm"])
def test_faces_of_a_colour_share_no_cell_and_faces_close_all_cells(made, kind, cells, inner, outer, numbering):
    """A box of 3 x 2 x 2 cubes: 20 squares between them and 32 outside; in six tetrahedra each two triangles a square, and six more in a cube."""
    found, said = made("grid.n=[3,2,2]", f"grid.kind={kind}", f"grid.numbering={numbering}", "grid.structured=none")
    assert f"{cells} cells, {inner + outer} faces, {outer} of them outer faces" in said
    assert len(found.points) == inner + outer and found.outer.sum() == outer
    assert_closed(found, cells)
    assert found.colour.min() == 0 and faces.shared_cells(found) == []
    alike = found._replace(colour=np.zeros_like(found.colour))
    assert faces.shared_cells(alike) != []   # the check sees what it looks for


def test_faces_within_zones_have_no_colour(made):
    found, said = made("grid.n=[4,4,4]", "grid.kind=hexes", "grid.structured=auto")
    assert "64 cells in 1 zones" in said
    assert (found.colour[~found.outer] == -1).all() and (found.colour[found.outer] >= 0).all()
    assert faces.shared_cells(found) == []


@pytest.mark.parametrize("kind, structured, panels", [("tets", "none", 5), ("hexes", "auto", 2)])
def test_a_picture_has_a_panel_for_each_colour_and_all_faces(made, kind, structured, panels):
    found, _ = made("grid.n=[4,4,4]", f"grid.kind={kind}", f"grid.structured={structured}")
    figure = verbs.find("faces").draw([found], Options())
    assert looks.faults(figure) == [] and len(figure.axes) == panels
    drawn = sum(len(axis.collections[1].get_paths() or axis.collections[1]._vec.T) > 0 for axis in figure.axes)
    assert drawn == panels
    told = [int(axis.get_title().rsplit(": ")[1].split()[0]) for axis in figure.axes]
    assert sum(told) == len(found.points)


def test_wrong_words_and_files_are_refused(triad, made, tmp_path):
    for path, more, word in (("mesh.x", (), "named .vtkhdf"), ("mesh.vtkhdf", ("--ranks", "2"), "--ranks is for block grids")):
        done = grid(triad, tmp_path / path, "grid.n=[2,2,2]", more=more)
        assert done.returncode == 64 and word in done.stderr and not (tmp_path / path).exists()
    done = grid(triad, tmp_path / "none/mesh.vtkhdf", "grid.n=[2,2,2]")
    assert done.returncode == 74, done.stderr
    assert grid(triad, tmp_path / "mesh.vtkhdf", "grid.n=[12,12,12]").returncode == 0
    done = plot_here("faces", tmp_path / "mesh.vtkhdf")
    assert done.returncode == 65 and "use a smaller mesh" in done.stderr
    made("grid.n=[2,2,2]")
    with h5py.File(tmp_path / "mesh.vtkhdf", "a") as file:
        del file["VTKHDF/CellData/colour"]
    done = plot_here("faces", tmp_path / "mesh.vtkhdf")
    assert done.returncode == 65 and "not a file of triad grid" in done.stderr
    assert plot_here("faces", tmp_path / "gone.vtkhdf").returncode == 66


def test_vtk_reads_the_faces(made, tmp_path):
    """Of a box of 3 x 2 x 2 cubes of side 1/2: 52 squares of area 1/4."""
    found, _ = made("grid.n=[3,2,2]", "grid.kind=hexes", "grid.structured=none")
    data = read_by_vtk(READ_HDF, "vtkmodules.vtkIOHDF", tmp_path / "mesh.vtkhdf", tmp_path / "read.npz")
    assert data["Area"].sum() == pytest.approx(13, rel=1e-12)
    assert np.array_equal(data["colour"], found.colour) and np.array_equal(data["beyond"], found.cells[:, 1])
