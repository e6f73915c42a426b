"""What flux-corrected transport refuses: patches, checkpoints and probes that do not fit, a flow that blows up."""

import pytest

from fct import run  # noqa: F401
from msh import write_msh


def test_a_checkpoint_of_another_mesh_is_refused(run):
    folder = run("tets", (4, 4, 4), "uniform", end=0.01)
    result = run("tets", (4, 4, 4), "uniform", folder=folder, end=0.02, grid__shake=0.1, expect=65)
    assert "mesh" in result.stderr


@pytest.mark.parametrize("patch, words", (
    ("hull: slip", 'no patch "hull"'), ("xmin: wall", "slip, symmetry"), ("xmin: inflow", "wants a pressure"),
    ("xmin: farfield, pressure=-1", "not positive"), ("xmin: slip, pressure=1", "does not take"),
    ("xmin periodic", "not of the form"), ("xmin: periodic", "xmax is not"),
    ("xmin: slip|xmin: outflow", "xmin twice"), ("xmin: noslip, pressure=2", "does not take"), ("xmin: outflow, sponge=1", "does not take"),
    ("xmin: periodic, with=xmax|xmax: periodic, with=ymin|ymin: periodic, with=xmax", "has been joined to xmin")))
def test_patches_that_say_nothing_sensible_are_refused(run, patch, words):
    result = run("hexes", (4, 4, 4), "uniform", patches=patch.split("|"), expect=65)
    assert words in result.stderr


def test_all_that_is_wrong_with_patches_of_a_file_is_told_at_once(run, tmp_path):
    path = tmp_path / "box.msh"
    write_msh(path, "2.2", False)
    said = run("tets", (1, 1, 1), "uniform", grid__file=str(path), expect=65,
               patches=["xmim: slip", "ymin: slip", "ymin: outflow", "ymax: periodic, with=inlet", "zmin: periodic", "zmax: slip"]).stderr
    for words in ('no patch "xmim", did you mean "xmin"?', 'no patch "inlet";', "patch ymin twice", "zmin is periodic, zmax is not",
                  "nothing is said of xmin, xmax of", "there are xmin, xmax, ymin, ymax, zmin, zmax"):
        assert words in said, (words, said)


@pytest.mark.limit(20)
def test_a_mesh_of_too_many_cubes_is_refused_at_once(run):
    """Sixty-four thousand million."""
    assert "have more points than a mesh" in run("tets", (4000, 4000, 4000), "uniform", expect=65).stderr


def test_a_blow_up_tells_where(run):
    """High order alone takes no shock of a ratio of 1e5."""
    result = run("tets", (20, 2, 2), "sod", length=(1, 0.1, 0.1), end=1, initial__left=[1, 0, 0, 0, 1e5],
                 initial__right=[0.01, 0, 0, 0, 1], equations__transport="high", expect=80)
    assert "cell" in result.stderr and "holds density" in result.stderr


@pytest.mark.parametrize("text, words", (("axis line", "not of the form"), ("a: ring, x=0", "none of point"), ("a: point, n=3", "does not"),
                                         ("a: line, x=0", "wants n="), ("a: point, x=2", "outside of the mesh")))
def test_probes_that_say_nothing_sensible_are_refused(run, text, words):
    assert words in run("hexes", (4, 4, 4), "uniform", output__probes=[text], expect=65).stderr
