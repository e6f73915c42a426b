"""Mesh files with one fault each, which is named with its place: words that only begin with a number, lists that are too short or too long, sections
without a head or an end, arrays of another length than the cells."""

import numpy as np
import pytest

import meshfiles
from meshfiles import check_row, grid, plane, row

TEXTS = {"su2": meshfiles.su2, "msh": meshfiles.gmsh, "mesh": meshfiles.medit, "vtk": meshfiles.vtk, "vtu": meshfiles.vtu,
         "ugrid": lambda mesh, path: meshfiles.ugrid(mesh, path, text=True)}


def damaged(triad, path, old, new, line=None):
    """The message for the file of `row()` in which `old`, once, is `new`; line: the place of `old` is in the message."""
    TEXTS[path.suffix[1:]](row(), path)
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    said = grid(triad, path, 65)
    if line is not None:
        assert f"{path.name}: line {1 + text[:text.index(old) + line].count(chr(10))}: " in said, said
    return said


@pytest.mark.parametrize("ending, old, new, word", (
    ("su2", "1.0\t0.0", "1.5.2\t0.0", "1.5.2"), ("su2", "\n12 0", "\n12abc 0", "12abc"), ("su2", "1.0\t0.0", "0x1p3\t0.0", "0x1p3"),
    ("su2", "\n12 0", "\n99999999999999999999 0", "99999999999999999999"), ("msh", "\n2 1.0", "\n2 1.5.2", "1.5.2"), ("msh", "\n2 1.0", "\n2x 1.0", "2x"),
    ("mesh", "1.0 0.0 0.0", "1.0 0,5 0.0", "0,5"), ("mesh", "\n6\n", "\n6x\n", "6x"), ("ugrid", "1.0 0.0", "1.0e+ 0.0", "1.0e+"),
    ("vtk", "1.0 0.0", "1.0 1.2.3", "1.2.3"), ("vtu", "1.0 0.0", "1.0 1.2.3", "1.2.3")))
def test_a_word_that_only_begins_with_a_number_is_no_number(triad, tmp_path, ending, old, new, word):
    said = damaged(triad, tmp_path / f"a.{ending}", old, new, line=1)
    assert word in said and ("expected a " in said or "are declared" in said), said


def test_numbers_of_openfoam_end_at_brackets(triad, tmp_path):
    where = meshfiles.foam(row(), tmp_path)
    for name, old, new in (("points", "(0.0 ", "(0.0.1 "), ("faces", "4(", "4x("), ("owner", "\n0\n", "\n0_\n"), ("boundary", "nFaces 1;", "nFaces 1.5;")):
        good = (where / name).read_text()
        assert old in good
        (where / name).write_text(good.replace(old, new, 1))
        assert f"{name}: line {1 + good[:good.index(old) + 1].count(chr(10))}: expected" in grid(triad, tmp_path, 65)
        (where / name).write_text(good)
    (where / "boundary").write_text((where / "boundary").read_text().replace("\n7\n", "\n8\n"))
    assert "8 patches are declared, but there are 7" in grid(triad, tmp_path, 65)


@pytest.mark.parametrize("ending, old, new, words", (
    ("su2", "\n1.0\t", "\n", "the line has 3 words, but 4 are expected, the last being its number"),
    ("su2", "\n12 0", "\n12 0 0", "the line has 11 words, but 9 are expected"),
    ("su2", "NPOIN=", "0 0 0 0\nNPOIN=", "a line of numbers in no list: the list before has more lines than it declares"),
    ("su2", "MARKER_TAG=   xmin", "MARKER_TAG=", "expected a name behind MARKER_TAG="),
    ("msh", "$PhysicalNames\n7", "$PhysicalNames\n6", "the section contains more data than it declares"),
    ("msh", "$PhysicalNames\n7\n", "", "$EndPhysicalNames without $PhysicalNames: damaged"),
    ("msh", '\n2 1 "', '\n21 1 "', "the dimension of a physical group must be 0 to 3"),
    ("msh", "\n1 3 3 1 10", "\n1 3 3 4294967297 10", "expected a whole number of 32 bits"),
    ("mesh", "End\n", "", "the file ends here without End: is it cut off?"),
    ("mesh", "Tetrahedra\n6", "Tetrahedra\n5", "section Tetrahedra contains more than it declares"),
    ("mesh", "Prisms\n", "PrismsP3\n", "elements of PrismsP3 cannot be read"),
    ("vtk", "gmsh:physical 1 40", "gmsh:physical 1 39", "unknown section 6"),
    ("vtk", "CELL_DATA 40", "CELL_DATA 41", "CELL_DATA of 41 items, but the grid has 40"),
    ("vtk", "POINT_DATA 21", "POINT_DATA 20", "POINT_DATA of 20 items, but the grid has 21"),
    ("vtk", "VECTORS w", "VEKTORS w", "unknown section VEKTORS"), ("vtk", "ASCII", "ASKII", "expected ASCII or BINARY"),
    ("vtk", "CELL_TYPES 40\n12 13", "CELL_TYPES 40\n12.5 13", 'expected a whole number, found "12.5"'),
    ("vtk", "CELLS 40 ", "POINTS 0 double\nCELLS 40 ", "a second list of points"),
    ("vtu", 'NumberOfCells="40"', 'NumberOfCells="41"', "a Piece declares 21 points and 41 cells, but has 63 coordinates and 40 types of cells: damaged"),
    ("vtu", 'NumberOfPoints="21"', 'NumberOfPoints="x"', 'a Piece with NumberOfPoints="x"'),
    ("vtu", "gmsh:physical\" NumberOfComponents=\"1\" format=\"ascii\">\n0 ", "gmsh:physical\" NumberOfComponents=\"1\" format=\"ascii\">\n",
     "array gmsh:physical has 39 values for 40 cells: damaged"),
    ("vtu", "gmsh:physical\" NumberOfComponents=\"1\" format=\"ascii\">\n", "gmsh:physical\" NumberOfComponents=\"1\" format=\"asci\">\n",
     "an array of format asci: must be ascii, binary or appended"),
    ("vtu", "vtkGhostType\" NumberOfComponents=\"1\" format=\"ascii\">\n0 ", "vtkGhostType\" NumberOfComponents=\"1\" format=\"ascii\">\n",
     "array of ghost cells has 39 values for 40 cells: damaged")))
def test_faults_of_sections(triad, tmp_path, ending, old, new, words):
    assert words in damaged(triad, tmp_path / f"a.{ending}", old, new)


def test_su2_without_markers_says_so(triad, tmp_path):
    """A file that ends before its markers is cut off; one without markers has NMARK= 0."""
    path = tmp_path / "a.su2"
    meshfiles.su2(row(), path)
    text = path.read_text()
    path.write_text(text[:text.index("NMARK=")])
    assert "without NMARK=: is it cut off? A mesh without markers has NMARK= 0" in grid(triad, path, 65)
    path.write_text(text[:text.index("NMARK=")] + "NMARK= 0\n")
    assert set(grid(triad, path)["area"]) == {"outside"}


@pytest.mark.parametrize("binary", (False, True))
def test_numbers_of_patches_of_vtk_may_have_any_type_but_are_whole(triad, tmp_path, binary):
    """unsigned_char beyond 127, reals, and ghost cells of legacy files."""
    path = tmp_path / "a.vtk"
    mesh = row()
    mesh.sides = {f"unused{i}": [] for i in range(199)} | mesh.sides
    for kind in ("unsigned_char", "double"):
        meshfiles.vtk(mesh, path, binary, kind=kind)
        check_row(grid(triad, path), rename=lambda name: f"gmsh_physical-{200 + meshfiles.SIDES.index(name)}")
    meshfiles.vtk(row(), path)
    text = path.read_text()
    types = text[text.index("gmsh:physical"):].splitlines()[1]
    path.write_text(text.replace(types, types[:-1] + "6.5").replace("gmsh:physical 1 40 int", "gmsh:physical 1 40 float"))
    assert "array gmsh:physical has 6.5 for cell 39: the number of a patch must be whole" in grid(triad, path, 65)
    mesh = row()
    mesh.cells.append(mesh.cells[0])
    meshfiles.vtk(mesh, path)
    assert "coincide" in grid(triad, path, 65) or "overlap" in grid(triad, path, 65)
    ghosts = " ".join("1" if i == 15 else "0" for i in range(41))
    path.write_text(path.read_text() + f"SCALARS vtkGhostType unsigned_char\nLOOKUP_TABLE default\n{ghosts}\n")
    check_row(grid(triad, path), rename=lambda name: f"gmsh_physical-{1 + meshfiles.SIDES.index(name)}")


def quadratic(mesh):
    """The mesh with a node in the middle of each edge of its plane cells."""
    x, cells = [tuple(p) for p in mesh.x], []
    for c in mesh.cells:
        middle = [tuple((mesh.x[a] + mesh.x[b]) / 2) for a, b in zip(c, c[1:] + c[:1])]
        x += [p for p in middle if p not in x]
        cells.append(c + [x.index(p) for p in middle])
    return np.array(x), cells


def test_curved_cells_of_a_plane_are_counted(triad, tmp_path):
    """Triangles and quadrilaterals of second order, in Gmsh, VTK and medit (which has triangles of 6 nodes)."""
    flat = plane()
    x, cells = quadratic(flat)
    sides = [(n, line) for n, line in flat.flat()]
    path = tmp_path / "a.msh"
    out = ["$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$Nodes", len(x)] + [f"{i} {p[0]} {p[1]} 0" for i, p in enumerate(x, 1)] + ["$EndNodes", "$Elements"]
    out += [len(sides) + len(cells)] + [f"{i} 1 2 {n} {n} {a + 1} {b + 1}" for i, (n, (a, b)) in enumerate(sides, 1)]
    out += [" ".join(map(str, [100 + i, 9 if len(c) == 6 else 16, 2, 50, 50, *[p + 1 for p in c]])) for i, c in enumerate(cells)] + ["$EndElements", ""]
    path.write_text("\n".join(map(str, out)))
    of = grid(triad, path)
    assert of["cells"] == 12 and "curved cells        12, of which only the corners are used" in of["text"]
    path = tmp_path / "a.vtk"
    out = ["# vtk DataFile Version 3.0", "t", "ASCII", "DATASET UNSTRUCTURED_GRID", f"POINTS {len(x)} double"] + [f"{p[0]} {p[1]} 0" for p in x]
    out += [f"CELLS {len(cells)} {sum(len(c) + 1 for c in cells)}"] + [" ".join(map(str, [len(c), *c])) for c in cells]
    out += [f"CELL_TYPES {len(cells)}"] + [22 if len(c) == 6 else 23 for c in cells]
    path.write_text("\n".join(map(str, out)) + "\n")
    assert "curved cells        12," in grid(triad, path)["text"]
    triangles = [c for c in cells if len(c) == 6]
    path = tmp_path / "a.mesh"
    out = ["MeshVersionFormatted 2", "Dimension 2", "Vertices", len(x)] + [f"{p[0]} {p[1]} 0" for p in x] + ["TrianglesP2", len(triangles)]
    out += [" ".join(map(str, [*[p + 1 for p in c], 7])) for c in triangles] + ["EdgesP2", "0", "End", ""]
    path.write_text("\n".join(map(str, out)))
    assert "curved cells        8," in grid(triad, path, 0)["text"]
