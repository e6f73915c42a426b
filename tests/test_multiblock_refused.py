"""What the multi-block solver refuses: patches, grids and steps that say nothing sensible, a flow that breaks down, each with its place."""

import pytest

from multiblock import UNIFORM, blocks_of, run, write_plot3d  # noqa: F401

BOX = dict(grid="n = [8, 8, 1]", initial="stream", time="steady = true\nmax_steps = 2\nresidual = 0")


@pytest.mark.parametrize("patches, words", [
    ('"xmin: farfield, mach=1, pressure=1, temperature=1"', ("joined to nothing: xmax, ymin, ymax",)),
    ('"xmim: slip", "*: nothing"', ('no patch "xmim", did you mean "xmin"', '"nothing" is no kind of boundary')),
    ('"*: farfield, mach=1, presure=2"', ('"presure=2" is no value of farfield', "farfield wants pressure=",
                                         "farfield wants temperature=")),
    ('"*: supersonic-inflow, mach=2, pressure=-1, temperature=300"', ("pressure of supersonic-inflow is not above 0",)),
    ('"*: wall"', ("laminar",)),
    ('"xmin + ymin: slip", "ymin: symmetry", "*: slip"', ('"ymin" is named twice',)),
    ('"*: slip"', ("no patch has a stream",)),
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
    assert "it may be cut off" in run(**about, expect=65).stderr
    path.write_text(text.replace(" 0 ", " zero ", 1))
    assert "no number" in run(**about, expect=65).stderr
    write_plot3d(path, blocks_of(), "<f8")
    path.write_bytes(path.read_bytes()[:-8])
    assert "block 2" in run(**about, expect=65).stderr
    write_plot3d(path, [b[::-1] for b in blocks_of()], "text")
    result = run(**about, expect=65)
    assert "left-handed or folded" in result.stderr and "block 1" in result.stderr
    path.unlink()
    assert run(**about, expect=66)


def test_a_cell_without_pressure_ends_the_run_with_block_and_cell(run):
    """Steps far beyond stability."""
    result = run(grid="n = [16, 16, 1]\nblocks = [2, 1, 1]", patches='"*: exact"', solution='kind = "manufactured-euler"',
                 initial="solution", time="steady = true\nmax_steps = 2000\ncfl = 20\nresidual = 0", expect=80,
                 initial__perturbation=0.3)
    assert "density or pressure is not above 0, or no number: block" in result.stderr


def test_an_inlet_has_corners_on_nodes(run):
    result = run(**dict(BOX, grid='kind = "inlet"\nn = [50, 16, 1]'), patches='"*: slip"', expect=65)
    assert "39 or 52 instead of 50" in result.stderr


def test_a_steady_run_wants_max_steps(run):
    result = run(**dict(BOX, time="steady = true"), patches='"*: slip"', expect=65)
    assert "a steady run needs time.max_steps" in result.stderr
    result = run(**dict(BOX, time="cfl = 0.5"), patches='"*: slip"', expect=65)
    assert 'missing key "time.end"' in result.stderr


def test_implicit_steps_are_for_steady_flows(run):
    assert "is for steady flows" in run(**dict(BOX, time='end = 1\nscheme = "implicit"'), patches='"*: slip"', expect=65).stderr
