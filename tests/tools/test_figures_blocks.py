"""How blocks are dealt to ranks: the table of `triad grid --ranks`, and its picture."""

import subprocess

import numpy as np
import pytest

import looks
from conftest import ROOT
from looks import plot_here

pytest.importorskip("matplotlib", reason="python3-matplotlib is not installed")

from triad_plot import verbs  # noqa: E402
from triad_plot.figures.space import parts  # noqa: E402
from triad_plot.options import Options  # noqa: E402
from triad_plot.read.run import Run  # noqa: E402

GRIDS = {"inlet": "[52,16,1]", "naca0012-euler": "[32,16,1]", "onera-m6": "[48,12,8]"}


def grid(triad, folder, case, *words):
    return subprocess.run([triad, "grid", ROOT / f"runs/{case}/case.toml", "--write", folder / "grid.x", *words], capture_output=True,
                          text=True, timeout=60)


@pytest.fixture
def made(triad, tmp_path):
    def make(case, *words):
        done = grid(triad, tmp_path, case, "--set", f"grid.n={GRIDS[case]}", *words)
        assert done.returncode == 0, done.stderr
        return tmp_path / "grid.parts", done.stdout
    return make


def area(x, y):
    return abs(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1))) / 2


def ring(a):
    return np.concatenate([a[0], a[1:, -1], a[-1, -2::-1], a[-2:0:-1, 0]])


@pytest.mark.parametrize("case, blocks, views", [("inlet", 1, 1), ("naca0012-euler", 1, 2), ("onera-m6", 4, 3)])
def test_every_cell_is_dealt_once_and_drawn(made, case, blocks, views):
    path, said = made(case, "--ranks", "16")
    assert "on 16 ranks, of " in said
    found = parts.of_path(str(path))
    owners = [np.zeros(np.array(b.shape[:0:-1]) - 1, int) for b in found.nodes]
    for block, i, i_last, j, j_last, k, k_last, rank in found.table:
        owners[block - 1][i - 1:i_last, j - 1:j_last, k - 1:k_last] += 1
        assert 0 <= rank < 16
    assert len(owners) == blocks and all((o == 1).all() for o in owners) and found.ranks == 16
    figure = verbs.find("parts").draw([found], Options())
    assert looks.faults(figure) == [] and len(figure.axes) == views


def test_the_parts_of_a_plane_make_up_the_plane(made):
    """Polygons of straight cells: their areas add up to that of the polygon of all outer nodes."""
    found = parts.of_path(str(made("inlet", "--ranks", "6")[0]))
    whole = area(*(ring(found.nodes[0][c][0]) for c in (0, 1)))
    plane = parts.plane_of(found)
    np.testing.assert_allclose(sum(area(ring(x), ring(y)) for _, x, y, _z in plane), whole, rtol=1e-12)
    assert {rank for rank, *_ in plane} == set(range(6)) and len(plane) > 1
    bodies = parts.bodies_in(found)
    assert [parts.limits(bodies, c)[0] for c in (0, 1)] == [0, 0]  # the ramp begins at the origin


def test_wrong_ranks_and_files_are_refused(triad, made, tmp_path):
    assert grid(triad, tmp_path, "inlet", "--ranks", "0").returncode == 64
    done = grid(triad, tmp_path, "inlet", "--ranks", "5000")
    assert done.returncode == 65 and "too many" in done.stderr
    done = grid(triad, tmp_path, "taylor-green-demo", "--ranks", "2")
    assert done.returncode == 69 and "no grid to write" in done.stderr
    path, _ = made("inlet", "--ranks", "2")
    table, nodes = path.read_text(), (tmp_path / "grid.x").read_bytes()
    for text, data, code, word in ((table.replace("52", "51"), nodes, 65, "does not match the grid"), ("block\n1\n", nodes, 65, "not a table"),
                                   (table.replace(",1,1,", ",1,x,"), nodes, 65, "not a table"), (table, nodes[:-9], 65, "PLOT3D"),
                                   (table, b"", 65, "empty"), (table, nodes + b"1234", 65, "PLOT3D")):
        path.write_text(text)
        (tmp_path / "grid.x").write_bytes(data)
        done = plot_here("parts", path)
        assert done.returncode == code and word in done.stderr, (done, word)
    (tmp_path / "grid.x").unlink()
    assert plot_here("parts", path).returncode == 66 and plot_here("parts", tmp_path / "gone.parts").returncode == 66


def test_titles_tell_the_grid_that_there_is(tmp_path):
    """The name of a file, not the cells of a grid that was not made; a viscosity of a mass is no kinematic one."""
    case = '[equations]\nsolver = "{}"\nviscosity = 0.5\n[grid]\nn = [64, 64, 1]\nfile = "{}"\n'
    for solver, file, told in (("multiblock", "far/wing.x", "multiblock, wing.x, \u03bc = 0.5"), ("multiblock", "", "multiblock, 64 \u00d7 64 \u00d7 1, \u03bc = 0.5"),
                               ("hd", "", "hd, 64 \u00d7 64 \u00d7 1, \u03bd = 0.5")):
        (tmp_path / "case.resolved.toml").write_text(case.format(solver, file))
        assert Run(str(tmp_path)).title().replace("\u00a0", " ").endswith(told)
