"""What flux-corrected transport refuses: patches, checkpoints and probes that do not fit, a flow that blows up."""

import re

import pytest

from unstructured import SIDES, run  # noqa: F401
from msh import cubes, elements_of, refined, write_mesh, write_msh

pytestmark = pytest.mark.quick


def test_a_checkpoint_of_another_mesh_is_refused(run):
    folder = run("tets", (4, 4, 4), "uniform", end=0.01)
    result = run("tets", (4, 4, 4), "uniform", folder=folder, end=0.02, grid__shake=0.1, expect=65)
    assert "mesh" in result.stderr


@pytest.mark.parametrize("patch, words", (
    ("hull: slip", 'no patch "hull"'), ("xmin: wall", "slip, symmetry"), ("xmin: inflow", "requires pressure="),
    ("xmin: farfield, pressure=-1", "must be above 0"), ("xmin: slip, pressure=1", "does not accept"),
    ("xmin periodic", "not of the form"), ("xmin: periodic", "xmax is not"),
    ("xmin: slip|xmin: outflow", "xmin is given twice"), ("xmin: noslip, pressure=2", "does not accept"), ("xmin: outflow, sponge=1", "does not accept"),
    ("xmin: periodic, with=xmax|xmax: periodic, with=ymin|ymin: periodic, with=xmax", "is already connected to xmin")))
def test_patches_that_say_nothing_sensible_are_refused(run, patch, words):
    result = run("hexes", (4, 4, 4), "uniform", patches=patch.split("|"), expect=65)
    assert words in result.stderr


def test_all_that_is_wrong_with_patches_of_a_file_is_told_at_once(run, tmp_path):
    path = tmp_path / "box.msh"
    write_msh(path, "2.2", False)
    said = run("tets", (1, 1, 1), "uniform", grid__file=str(path), expect=65,
               patches=["xmim: slip", "ymin: slip", "ymin: outflow", "ymax: periodic, with=inlet", "zmin: periodic", "zmax: slip"]).stderr
    for words in ('no patch "xmim", did you mean "xmin"?', 'no patch "inlet";', "patch ymin is given twice", "zmin is periodic, but zmax is not",
                  "boundaries.patches does not name patch xmin, xmax of", "there are xmin, xmax, ymin, ymax, zmin, zmax"):
        assert words in said, (words, said)


WALLS = [f"{side}: slip" for side in SIDES]
FORMATS = pytest.mark.parametrize("version, binary", (("4.1", False), ("4.1", True), ("2.2", False), ("2.2", True)))


def said_of(run, path, x, elements, version, binary, patches=WALLS, ranks=1):
    """What is said of a mesh that is refused, behind its path."""
    write_mesh(path, version, binary, x, elements)
    said = run("tets", (1, 1, 1), "uniform", grid__file=str(path), expect=65, patches=patches, ranks=ranks).stderr
    return re.search(rf"{re.escape(path.name)}: (.*?)( \[[\w./]+:\d+\])?$", said, re.M)[1]


@FORMATS
def test_all_that_is_wrong_with_a_mesh_is_told_at_once(run, tmp_path, version, binary):
    """An element of a type that is not read, one with a node that there is not, hanging nodes, sides without a patch, a patch without
    sides, and a name that the mesh has not: on any ranks, in the same words. A left-handed cell is no fault."""
    x, elements = refined(2)
    cells = [i for i, (kind, _, _) in enumerate(elements) if kind == 5]
    left, bad = cells[0], cells[-1]
    corners = elements[left][2]
    elements[left] = (5, 9, corners[4:] + corners[:4])
    elements[bad] = (5, 9, elements[bad][2][:7] + [10000])
    elements = [(kind, group, points) for kind, group, points in elements if group != 3] + [(32, 9, [0] * 22)]
    patches = ["xmin: slip", "hull: slip", *WALLS[1:]]
    said = [said_of(run, tmp_path / "bad.msh", x, elements, version, binary, patches, ranks) for ranks in (1, 3)]
    assert said[0] == said[1]
    for words in ("elements of unknown type: 1, the first, of type 32, at " + ("byte" if binary else "line"),
                  "elements with a node that does not exist: 1, the first, with node 10001, at",
                  "hanging nodes on 4 sides of cells, the first of cell 1 (a hexahedron about 1.5, 0.5, 0.5), at (2, 0.5, 0.5)",
                  "or a missing part", "patch ymin contains no outer face",
                  'boundaries.patches: the mesh has no patch "hull" (there are xmin, xmax, ymin, ymax, zmin, zmax)'):
        assert words in said[0], (words, said[0])
    assert "left-handed" not in said[0]


@FORMATS
def test_nodes_that_hang_are_told_with_their_place(run, tmp_path, version, binary):
    """And nothing else, for there is nothing else wrong."""
    said = said_of(run, tmp_path / "hanging.msh", *refined(2), version, binary)
    assert said == ("hanging nodes on 4 sides of cells, the first of cell 1 (a hexahedron about 1.5, 0.5, 0.5), at (2, 0.5, 0.5): "
                    "neighbouring cells must share whole sides")


def test_halves_with_nodes_of_their_own_are_told(run, tmp_path):
    """A box of two cubes of tetrahedra of which each has its own nodes where they meet: two triangles on two."""
    x, tets, sides = cubes((2, 1, 1), (2, 1, 1))
    own = [(kind, group, [p + len(x) * (max(x[q][0] for q in points) > 1) for p in points]) for kind, group, points in elements_of(tets, sides)]
    said = said_of(run, tmp_path / "halves.msh", [*map(tuple, x)] * 2, own, "4.1", True)
    assert said.startswith("4 outer faces coincide but have separate nodes, the first of cell 0 (a tetrahedron") and ";" not in said


@FORMATS
def test_a_mesh_that_ends_early_or_late_is_told_with_what_was_seen_before(run, tmp_path, version, binary):
    """A coordinate that is no number, then a cut; more elements than announced, and fewer."""
    x, tets, sides = cubes((2, 1, 1), (2, 1, 1))
    x = [*map(tuple, x[:-1]), (float("nan"), 1, 1)]
    path = tmp_path / "cut.msh"
    write_mesh(path, version, binary, x, elements_of(tets, sides))
    data = path.read_bytes()

    def said(text):
        path.write_bytes(text)
        return run("tets", (1, 1, 1), "uniform", grid__file=str(path), expect=65, patches=WALLS).stderr

    cut = said(data[:-60])
    assert "nodes with a coordinate that is not finite: 1, the first, number 12 in the order of the file, at" in cut
    assert ("the file ends here" if binary else "expected a whole number") in cut or "the file ends here" in cut
    if version == "2.2":
        assert "the section contains more data than it declares" in said(data.replace(b"$Elements\n32\n", b"$Elements\n31\n"))
        assert "coordinate" in said(data.replace(b"$Elements\n32\n", b"$Elements\n33\n"))
    if version == "4.1" and not binary:
        assert "the blocks of $Elements contain 32 elements, but 31 are declared" in said(data.replace(b"$Elements\n7 32 ", b"$Elements\n7 31 "))
        assert "the blocks of $Nodes contain 12 nodes, but 11 are declared" in said(data.replace(b"$Nodes\n1 12 ", b"$Nodes\n1 11 "))


@pytest.mark.limit(20)
def test_a_mesh_of_too_many_cubes_is_refused_at_once(run):
    """Sixty-four thousand million."""
    assert "have more points than the maximum" in run("tets", (4000, 4000, 4000), "uniform", expect=65).stderr


def test_a_blow_up_tells_where(run):
    """High order alone takes no shock of a ratio of 1e5."""
    result = run("tets", (20, 2, 2), "sod", length=(1, 0.1, 0.1), end=1, initial__left=[1, 0, 0, 0, 1e5],
                 initial__right=[0.01, 0, 0, 0, 1], equations__transport="high", expect=80)
    assert "cell" in result.stderr and "invalid state" in result.stderr


@pytest.mark.parametrize("text, words", (("axis line", "not of the form"), ("a: ring, x=0", "not one of point"), ("a: point, n=3", "does not"),
                                         ("a: line, x=0", "requires n="), ("a: disk, x=0.5, n=3, around=8", "a disk requires radius="),
                                         ("a: disk, to_x=1", "a disk does not accept to_x"), ("a: disk, radius=0, n=3, around=8", "must be positive"),
                                         ("a: line, x=0.2, y=0.3, z=0.3, to_x=0.8, n=12.7", "whole numbers"), ("a: line, to_x=1, n=1e30", "whole numbers"),
                                         ("a: disk, x=0.5, y=0.5, z=0.5, radius=0.2, n=3, around=31.9", "whole numbers"),
                                         ("a: point, x=2", "outside the mesh")))
def test_probes_that_say_nothing_sensible_are_refused(run, text, words):
    assert words in run("hexes", (4, 4, 4), "uniform", output__probes=[text], expect=65).stderr
