"""What the multi-block solver refuses: patches, grids and steps that say nothing sensible, a flow that breaks down, each with its place."""

import subprocess

import numpy as np
import pytest

from multiblock import UNIFORM, blocks_of, run, state, write_plot3d  # noqa: F401

pytestmark = pytest.mark.quick

BOX = dict(grid="n = [8, 8, 1]", initial="stream", time="steady = true\nmax_steps = 2\nresidual = 0")


@pytest.mark.parametrize("patches, words", [
    ('"xmin: farfield, mach=1, pressure=1, temperature=1"', ("unconnected faces: xmax, ymin, ymax",)),
    ('"xmim: slip", "*: nothing"', ('no patch "xmim", did you mean "xmin"', 'unknown kind "nothing"')),
    ('"*: farfield, mach=1, presure=2"', ('"presure=2" is not a parameter of farfield', "farfield requires pressure=",
                                         "farfield requires temperature=")),
    ('"*: supersonic-inflow, mach=2, pressure=-1, temperature=300"', ("pressure of supersonic-inflow must be above 0",)),
    ('"*: farfeild, mach=1"', ('unknown kind "farfeild", did you mean "farfield"?',)),
    ('"*: farfield, mach=1, mach=2, pressure=x, temperature=300"', ("mach is given twice for farfield", '"pressure=x" is not of the form key=number')),
    ('"*: wall"', ("laminar",)),
    ('"xmin + ymin: slip", "ymin: symmetry", "*: slip"', ('patch "ymin" is given twice',)),
    ('"*: slip"', ("requires a patch with mach=",)),
])
def test_bad_patches_are_told_all_at_once(run, patches, words):
    result = run(**BOX, patches=patches, expect=65)
    for word in words:
        assert word in result.stderr


def test_bad_grids_are_told_with_file_and_place(run, tmp_path):
    path = tmp_path / "bad.x"
    about = dict(grid=f'kind = "file"\nfile = "{path}"', patches='"*: exact"', solution=UNIFORM.format(mach=2))
    write_plot3d(path, blocks_of(), "text")
    text = path.read_text()
    path.write_text(text[:len(text) // 2])
    assert "it may be truncated" in run(**about, expect=65).stderr
    path.write_text(text.replace(" 0 ", " zero ", 1))
    assert "not a number" in run(**about, expect=65).stderr
    write_plot3d(path, blocks_of(), "<f8")
    path.write_bytes(path.read_bytes()[:-8])
    assert "block 2" in run(**about, expect=65).stderr
    folded = blocks_of()
    folded[1][0, 3, 3] += 5
    write_plot3d(path, folded, ">f8")
    assert f"{path}: block 2 is folded: 2 of 64 cells have a volume that is not positive, the first (3, 3, 1) with -0." in run(**about, expect=65).stderr
    path.write_bytes(path.read_bytes()[:10])
    assert "neither" in run(**about, expect=65).stderr
    folded[1][1, 4, 3] = np.nan
    write_plot3d(path, folded, "<f8")
    assert f"{path}: block 2, node (5, 4, 1): a coordinate is not finite" in run(**about, expect=65).stderr
    path.unlink()
    assert run(**about, expect=66)


def test_all_that_is_wrong_is_told_in_one_go(run, tmp_path, triad):
    """Of a grid and its patches, whatever rank has them; a check of the case alone tells the same."""
    path, names = tmp_path / "bad.x", tmp_path / "bad.nmf"
    left, right = blocks_of()
    right[0, 3, 3] += 5
    write_plot3d(path, [left, right + 0.25], "text")
    names.write_text("2\n1 9 9 1\n2 9 9 1\nONE_TO_ONE 1 4 1 9 1 1  2 4 1 9 1 1 FALSE\nFlap 1 3 1 9 1 1\n")
    about = dict(grid=f'file = "{path}"\nmap = "{names}"', initial="stream",
                 patches='"flaps: slip", "1.jmin: wall", "1.jmax: farfield, mach=-1, pressure=0, temperature=300"')
    words = ('no patch "flaps", did you mean "flap"', "laminar", "negative mach for farfield", "pressure of farfield must be above 0",
             "joins face imax of block 1", "apart there", "unconnected faces: 2.imin, 2.jmin, 2.jmax, flap",
             f"{path}: block 2 is folded")
    for result in (run(**about, expect=65), run(**about, ranks=2, expect=65)):
        assert [word for word in words if word not in result.stderr] == []
    case = max(tmp_path.glob("*.toml"), key=lambda p: p.stat().st_mtime)
    result = subprocess.run([triad, "case", case, "--check"], capture_output=True, text=True)
    assert result.returncode == 65 and [word for word in words if word not in result.stderr] == []


def test_faces_that_nearly_coincide_are_doubted(run, tmp_path, triad, mpirun):
    """By how much; where they are one there is no doubt."""
    path = tmp_path / "two.x"
    left, right = blocks_of()
    about = dict(grid=f'file = "{path}"', initial="stream", time=BOX["time"],
                 patches='"*: farfield, mach=0.5, pressure=1e5, temperature=300"')
    for gap in (0, 0.01):
        write_plot3d(path, [left, right + np.array([gap, 0])[:, None, None]], "<f8")
        log = (run(**about) / "log.txt").read_text()
        assert ("faces imax of block 1 and jmax of block 2 nearly coincide" in log and "0.01 apart" in log) == (gap > 0), log


def test_more_faults_than_a_message_holds_are_counted(run):
    """The list ends with how many it leaves out, of faults and of names."""
    patches = ", ".join(f'"nobody-{i:02d}-at-all-of-the-name: slip"' for i in range(40))
    assert "more" in run(**BOX, patches=patches + ', "*: farfield, mach=1, pressure=1, temperature=1"', expect=65).stderr.split(";")[-1]
    result = run(**dict(BOX, grid="n = [64, 64, 64]\nblocks = [1, 1, 1]\nkind = \"box\""), patches="", expect=65)
    assert "unconnected faces: xmin, xmax, ymin, ymax, zmin, zmax" in result.stderr


def test_a_file_is_a_grid_without_its_kind(run, tmp_path):
    """grid.file alone; beside another kind it is refused, as a map is without it: nothing is passed over."""
    write_plot3d(tmp_path / "two.x", blocks_of(), "<f8")
    about = dict(patches='"*: exact"', solution=UNIFORM.format(mach=2), time="steady = true\nmax_steps = 1\nresidual = 0")
    assert state(run(grid=f'file = "{tmp_path / "two.x"}"', **about)).shape[1] == 128
    result = run(grid=f'kind = "box"\nfile = "{tmp_path / "two.x"}"', expect=65, **about)
    assert 'grid.file requires grid.kind = "file"' in result.stderr
    assert "grid.map requires a grid.file" in run(grid='map = "two.nmf"', expect=65, **about).stderr


def test_a_cell_without_pressure_ends_the_run_with_block_and_cell(run):
    """Steps far beyond stability."""
    result = run(grid="n = [16, 16, 1]\nblocks = [2, 1, 1]", patches='"*: exact"', solution='kind = "manufactured-euler"',
                 initial="solution", time="steady = true\nmax_steps = 2000\ncfl = 20\nresidual = 0", expect=80,
                 initial__perturbation=0.3)
    assert "density or pressure is not positive, or not a number: block" in result.stderr


def test_an_inlet_has_corners_on_nodes(run):
    result = run(**dict(BOX, grid='kind = "inlet"\nn = [50, 16, 1]'), patches='"*: slip"', expect=65)
    assert "39 or 52 instead of 50" in result.stderr


def test_a_steady_run_wants_max_steps(run):
    result = run(**dict(BOX, time="steady = true"), patches='"*: slip"', expect=65)
    assert "time.steady = true requires time.max_steps" in result.stderr
    result = run(**dict(BOX, time="cfl = 0.5"), patches='"*: slip"', expect=65)
    assert 'missing key "time.end"' in result.stderr


def test_implicit_steps_are_for_steady_flows(run):
    assert "requires a steady flow" in run(**dict(BOX, time='end = 1\nscheme = "implicit"'), patches='"*: slip"', expect=65).stderr
