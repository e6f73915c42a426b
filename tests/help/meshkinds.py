"""Every kind and version of mesh and grid files that the suite can make, and what `triad grid` makes of each: the table of
docs/reference/mesh-file-kinds.md. Meshes that are read are compared with what was written: cells of each shape, volume, and area of each patch.

    python3 tests/help/meshkinds.py bin/triad > docs/reference/mesh-file-kinds.md"""

import concurrent.futures
import gzip
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np

import cgns
import meshfiles
from meshfiles import check_plane, check_row, plane, row
from msh import write_msh
from multiblock import blocks_of, write_plot3d

HEAD = """# Kinds of mesh and grid files

For each kind and version of mesh and grid file, this page says what Triad makes of it. [Mesh files](../mesh-files.md)
explains how to use such a file. The tests write each file, as small as it can be, and `triad grid` reads it. A mesh that
is read has the cells, the volume, and the areas of patches that were written. The script `tests/help/meshkinds.py`
prints this page.
"""


def by_number(kind, first=1):
    return lambda name: f"{kind}-{first + meshfiles.SIDES.index(name)}"


def right_row(rename=lambda name: name, shapes=None, n=4):
    return lambda of: check_row(of, shapes, rename, n)


def right_plane(rename=lambda name: name):
    return lambda of: check_plane(of, rename)


def right_tube(of):
    """144 tetrahedra of 1 x 0.3 x 0.3."""
    assert of["cells"] == 144 and abs(of["volume"] - 0.09) < 1e-12 and set(of["area"]) == set(meshfiles.SIDES)


def right_outside(of):
    assert abs(of["volume"] - 4) < 1e-12 and abs(of["area"]["outside"] - 18) < 1e-12 and len(of["area"]) == 1


def edited(write, *changes):
    """A text file in which words are changed."""
    def change(path):
        write(path)
        text = path.read_text()
        for old, new in changes:
            assert old in text, old
            text = text.replace(old, new, 1)
        path.write_text(text)
    return change


def packed(write, name):
    def change(path):
        plain = path.with_name(name)
        write(plain)
        path.write_bytes(gzip.compress(plain.read_bytes()))
        plain.unlink()
    return change


def text(words):
    return lambda path: path.write_bytes(words if isinstance(words, bytes) else words.encode())


def gmsh_kinds():
    for version in ("1", "2", "2.1", "2.2", "4.0", "4.1"):
        right = right_row(by_number("surface")) if version == "1" else right_row()
        yield f"MSH {version}, ASCII", "a.msh", lambda p, v=version: meshfiles.gmsh(row(), p, v), right
        flat = right_plane(by_number("curve")) if version == "1" else right_plane()
        yield f"MSH {version}, ASCII, a plane", "a.msh", lambda p, v=version: meshfiles.gmsh(plane(), p, v), flat
    for version in ("1", "2.2", "4.0", "4.1"):
        yield (f"MSH {version}, surfaces in no group", "a.msh", lambda p, v=version: meshfiles.gmsh(row(), p, v, groups=False),
               right_row(lambda name: f"surface-{10 * (1 + meshfiles.SIDES.index(name))}"))
    for version in ("2.2", "4.1"):
        for turned in (False, True):
            yield (f"MSH {version}, binary, {'big' if turned else 'little'}-endian", "a.msh",
                   lambda p, v=version, t=turned: write_msh(p, v, True, turned=t), right_tube)
        yield f"MSH {version}, tetrahedra of second order", "a.msh", lambda p, v=version: write_msh(p, v, False, curved=True), right_tube
        yield (f"MSH {version}, numbers of nodes far apart", "a.msh",
               lambda p, v=version: meshfiles.gmsh(row(), p, v, tags=lambda i: 7 + 1000003 * (i * 17 % 101)), right_row())
        yield f"MSH {version}, left-handed cells", "a.msh", lambda p, v=version: meshfiles.gmsh(row().mirrored(), p, v), right_row()
        yield f"MSH {version}, without any surfaces", "a.msh", lambda p, v=version: meshfiles.gmsh(meshfiles.Mesh(row().x, row().cells, {}), p, v), right_outside
    yield "MSH 2.2, parametric nodes", "a.msh", lambda p: meshfiles.gmsh(row(), p, parametric=True), right_row()
    yield "MSH 2.2, ASCII, gzip", "a.msh.gz", packed(lambda p: meshfiles.gmsh(row(), p), "b.msh"), right_row()
    plain = meshfiles.gmsh
    yield "MSH 3", "a.msh", lambda p: plain(row(), p, "3.0"), None
    yield "MSH 4.0, binary", "a.msh", edited(lambda p: plain(row(), p, "4.0"), ("4.0 0 8", "4.0 1 8")), None
    yield "MSH 2.2, an element of unknown type", "a.msh", edited(lambda p: plain(row(), p), ("\n26 5 ", "\n26 99 ")), None
    yield "MSH 2.2, a number such as 1.5.2", "a.msh", edited(lambda p: plain(row(), p), ("\n2 1.0", "\n2 1.5.2")), None
    yield "MSH 2.2, cut off", "a.msh", edited(lambda p: plain(row(), p), ("$EndElements\n", "")), None
    yield "MSH 4.1, a node that does not exist", "a.msh", edited(lambda p: plain(row(), p, "4.1"), ("\n26 1 ", "\n26 999 ")), None


def su2_kinds():
    yield "numbered lines", "a.su2", lambda p: meshfiles.su2(row(), p), right_row()
    yield "lines without numbers", "a.su2", lambda p: meshfiles.su2(row(), p, numbered=False), right_row()
    yield "a plane", "a.su2", lambda p: meshfiles.su2(plane(), p), right_plane()
    yield "gzip", "a.su2.gz", packed(lambda p: meshfiles.su2(row(), p), "b.su2"), right_row()
    yield "left-handed cells", "a.su2", lambda p: meshfiles.su2(row().mirrored(lambda c: len(c) != 6), p), right_row()
    yield "two zones", "a.su2", lambda p: (meshfiles.su2(row(), p), p.write_text("NZONE= 2\nIZONE= 1\n" + p.read_text() + "IZONE= 2\n" + p.read_text())), right_row()
    yield "without markers", "a.su2", lambda p: meshfiles.su2(meshfiles.Mesh(row().x, row().cells, {}), p), right_outside
    good = lambda p: meshfiles.su2(row(), p)
    yield "cut off before its markers", "a.su2", lambda p: (good(p), p.write_text(p.read_text().split("NMARK=")[0])), None
    yield "a line with a number too many", "a.su2", edited(good, ("\n12 0", "\n12 0 0")), None
    yield "an unknown type of element", "a.su2", edited(good, ("\n12 0", "\n77 0")), None


def foam_kinds():
    three = right_row(shapes={"hexahedr": 1, "prism": 2, "pyramid": 6}, n=3)
    known = lambda **about: lambda p: meshfiles.foam(row(("hex", "prisms", "pyramids")), p, **about)
    yield "ASCII", "case", known(), three
    yield "ASCII, gzip", "case", known(packed=True), three
    yield "ASCII, compact faces", "case", known(compact=True), three
    for label in (4, 8):
        for scalar in (4, 8):
            for arch in (True, False):
                yield (f"binary, labels of {8 * label} bits, scalars of {8 * scalar}, {'with' if arch else 'without'} arch", "case",
                       known(binary=True, label=label, scalar=scalar, arch=arch), three)
    yield "binary, big-endian", "case", known(binary=True, order=">"), three
    yield "quadrilaterals that meet triangles", "case", lambda p: meshfiles.foam(row(), p), right_row(shapes={"polyhedr": 15})
    yield "a patch of type empty", "case", lambda p: meshfiles.foam(row(("hex",)), p, types={"zmin": "empty"}), right_row(shapes={"hexahedr": 1}, n=1)
    yield "a part of a decomposed mesh", "case", lambda p: meshfiles.foam(row(), p, types={"xmin": "processor"}), None
    yield "a file is missing", "case", lambda p: (meshfiles.foam(row(), p) / "owner").unlink(), None
    yield "a folder without a mesh", "case", lambda p: p.mkdir(), None


def ugrid_kinds():
    right = right_row(by_number("surface", 11))
    yield "ASCII", "a.ugrid", lambda p: meshfiles.ugrid(row(), p, text=True), right
    for order, endian in (("<", "little"), (">", "big")):
        for real, bytes_ in (("d", "doubles"), ("f", "singles")):
            for whole, bits in (("i", 32), ("q", 64)):
                for fortran in (False, True):
                    yield (f"{'Fortran' if fortran else 'C'} binary, {endian}-endian, {bytes_}, integers of {bits} bits", "a.ugrid",
                           lambda p, o=order, r=real, w=whole, f=fortran: meshfiles.ugrid(row(), p, o, r, w, f), right)
    yield ("with .mapbc", "a.b8.ugrid", lambda p: (meshfiles.ugrid(row(), p, ">"), p.with_name("a.mapbc").write_text(
        "6\n" + "".join(f"{11 + i} 5000 {name}\n" for i, name in enumerate(meshfiles.SIDES)))), right_row())
    yield "gzip", "a.ugrid.gz", packed(lambda p: meshfiles.ugrid(row(), p), "b.ugrid"), right
    yield "cut off", "a.ugrid", lambda p: (meshfiles.ugrid(row(), p), p.write_bytes(p.read_bytes()[:-4])), None


def vtk_kinds():
    number = by_number("gmsh_physical")
    for version in ("2.0", "3.0", "4.2", "5.0", "5.1"):
        for binary in (False, True):
            yield (f"legacy {version}, {'binary' if binary else 'ASCII'}", "a.vtk",
                   lambda p, v=version, b=binary: meshfiles.vtk(row(), p, b, v, vtk_prisms=b), right_row(number))
    yield "legacy 4.2, a plane", "a.vtk", lambda p: meshfiles.vtk(plane(), p), right_plane(number)
    yield "legacy 4.2, patches of type unsigned_char", "a.vtk", lambda p: meshfiles.vtk(row(), p, True, kind="unsigned_char"), right_row(number)
    yield "legacy 4.2, sides without an array of patches", "a.vtk", lambda p: (meshfiles.vtk(row(), p), p.write_text(p.read_text().split("POINT_DATA")[0])), right_outside
    yield "legacy 4.2, an unknown section", "a.vtk", edited(lambda p: meshfiles.vtk(row(), p), ("VECTORS w", "VEKTORS w")), None
    yield "legacy, POLYDATA", "a.vtk", edited(lambda p: meshfiles.vtk(row(), p), ("UNSTRUCTURED_GRID", "POLYDATA")), None
    for form in ("ascii", "binary", "raw", "base64"):
        for header in ("UInt32", "UInt64"):
            for pack in (False, True):
                if form == "ascii" and (pack or header == "UInt64"):
                    continue
                words = {"ascii": "ASCII", "binary": "base64", "raw": "appended, raw", "base64": "appended, base64"}[form]
                yield (f"XML (.vtu), {words}{'' if form == 'ascii' else ', ' + header}{', packed by zlib' if pack else ''}", "a.vtu",
                       lambda p, f=form, h=header, k=pack: meshfiles.vtu(row(), p, f, h, k), right_row(number))
    yield "XML (.vtu), big-endian", "a.vtu", lambda p: meshfiles.vtu(row(), p, "raw", order=">"), right_row(number)
    yield "XML (.vtu), gzip", "a.vtu.gz", packed(lambda p: meshfiles.vtu(row(), p), "b.vtu"), right_row(number)
    yield "XML (.vtu), packed by LZ4", "a.vtu", edited(lambda p: meshfiles.vtu(row(), p), ('version="0.1"', 'compressor="vtkLZ4DataCompressor"')), None
    yield "XML (.vtu), polyhedra", "a.vtu", lambda p: (meshfiles.vtu(row(), p), p.write_text(re.sub(
        r'(Name="types"[^>]*>\n)12', r"\g<1>42", p.read_text()))), None
    yield "XML (.vtu), a piece with another number of cells", "a.vtu", edited(lambda p: meshfiles.vtu(row(), p), ('OfCells="40"', 'OfCells="41"')), None
    yield "XML, PolyData", "a.vtu", edited(lambda p: meshfiles.vtu(row(), p), ("UnstructuredGrid", "PolyData")), None
    yield "HDF5 (.vtkhdf), 1.0", "a.vtkhdf", lambda p: meshfiles.vtkhdf(row(), p), right_row(number)
    yield "HDF5 (.vtkhdf), 2.0 with times", "a.vtkhdf", lambda p: meshfiles.vtkhdf(row(), p, steps=True), right_row(number)
    yield "HDF5 (.vtkhdf), an array that is too short", "a.vtkhdf", lambda p: meshfiles.vtkhdf(row(), p, Types=np.zeros(39, dtype=np.uint8)), None


def medit_kinds():
    right = right_row(by_number("surface"))
    yield "text", "a.mesh", lambda p: meshfiles.medit(row(), p), right
    yield "text, a plane", "a.mesh", lambda p: meshfiles.medit(plane(), p), right_plane(by_number("curve"))
    for version in (1, 2, 3, 4):
        for order, endian in (("<", "little"), (">", "big")):
            yield (f"binary, version {version}, {endian}-endian", "a.meshb", lambda p, v=version, o=order: meshfiles.medit_binary(row(), p, v, o), right)
    yield "text, gzip", "a.mesh.gz", packed(lambda p: meshfiles.medit(row(), p), "b.mesh"), right
    yield "text, without End", "a.mesh", edited(lambda p: meshfiles.medit(row(), p), ("End\n", "")), None
    yield "text, elements of third order", "a.mesh", edited(lambda p: meshfiles.medit(row(), p), ("Prisms\n", "PrismsP3\n")), None


def cgns_kinds():
    def write(path, shapes=("hex", "prisms")):
        mesh = row(shapes)
        cgns.write_polyhedra(path, mesh.x, [[[c[k] for k in face] for face in meshfiles.FACES[len(c)]] for c in mesh.cells], "all")

    def right(of):
        assert abs(of["volume"] - 2) < 1e-12 and of["shapes"] == {"hexahedr": 1, "prism": 2} and abs(of["area"]["all"] - 10) < 1e-12

    def right_squares(of):
        assert of["shapes"] == {"hexahedr": 8} and abs(of["volume"] - 1) < 1e-12 and abs(of["area"]["ymin"] - 1) < 1e-12 and len(of["area"]) == 6

    yield "faces and polyhedra (NGON_n, NFACE_n) of known shapes", "a.cgns", write, right
    for by, words in (("elements", "boundary conditions by ranges of lines"), ("points", "boundary conditions by lists of points"),
                      ("sections", "lines in sections with names")):
        yield f"a plane of triangles and quadrilaterals, {words}", "a.cgns", lambda p, b=by: cgns.write_plane(p, plane(), b), right_plane()
    yield "a structured plane", "a.cgns", cgns.write_squares, right_squares


def other_kinds():
    for words, name, data in (("MFEM", "a.mesh", "MFEM mesh v1.0\n"), ("Netgen", "a.vol", "mesh3d\n"), ("Fluent", "a.cas", '(0 "fluent")\n'),
                              ("Exodus (NetCDF)", "a.exo", b"CDF\x02 and more bytes"), ("MED of Salome", "a.med", b"\x89HDF\r\n\x1a\n12345678"),
                              ("Abaqus", "a.inp", "*HEADING\n"), ("Nastran", "a.bdf", "$ comment\nBEGIN BULK\n"), ("UNV", "a.unv", "    -1\n"), ("STL", "a.stl", "solid a\n"),
                              ("Nek5000", "a.re2", "#v002\n"), ("geometry of Gmsh", "a.geo", "Point(1) = {0, 0, 0};\n"), ("bzip2", "a.msh.bz2", b"BZh91"), ("xz", "a.msh.xz", b"\xfd7zXZ\0"),
                              ("zstd", "a.msh.zst", b"\x28\xb5\x2f\xfd"), ("zip", "a.zip", b"PK\3\4"), ("a pointer of Git LFS", "a.msh", "version https://git-lfs\n"),
                              ("a web page", "a.msh", "<!DOCTYPE html>\n"), ("an empty file", "a.msh", ""), ("any other words", "a.txt", "words\n")):
        yield words, name, text(data), None


CASE = """[equations]
solver = "multiblock"
model = "euler"
riemann = "roe"
limiter = "van-albada"
gas_constant = 287.0
[grid]
file = "{path}"
[boundaries]
patches = ["*: farfield, mach=0.5, pressure=1e5, temperature=300"]
[time]
steady = true
max_steps = 1
"""


def plot3d_kinds():
    two = "2 blocks, 128 cells"
    for form, words in (("text", "formatted"), ("<f8", "unformatted, little-endian, doubles"), (">f8", "unformatted, big-endian, doubles"),
                        ("<f4", "unformatted, little-endian, singles"), (">f4", "unformatted, big-endian, singles"), ("c<f8", "C binary, little-endian, doubles"),
                        ("c>f8", "C binary, big-endian, doubles"), ("c<f4", "C binary, little-endian, singles"), ("c>f4", "C binary, big-endian, singles")):
        for dims in (2, 3):
            for blanks in (False, True):
                yield (f"{words}, {dims}-D{', iblank' if blanks else ''}", "a.x",
                       lambda p, f=form, d=dims, b=blanks: write_plot3d(p, blocks_of(), f, dims=d, blanks=b), two)
    yield "formatted, one block without a count", "a.x", lambda p: write_plot3d(p, blocks_of()[:1], "text", counted=False), "1 block, 64 cells"
    yield "unformatted, gzip", "a.x.gz", packed(lambda p: write_plot3d(p, blocks_of(), "<f8"), "b.x"), two
    yield "left-handed planes", "a.x", lambda p: write_plot3d(p, [b[:, :, ::-1] for b in blocks_of()], "<f8"), two
    box = np.array(np.meshgrid(*[np.arange(5.0)] * 3, indexing="ij"))
    yield "a left-handed block", "a.x", lambda p: write_plot3d(p, [box[::-1]], "<f8"), "1 block, 64 cells"
    yield "a curved surface", "a.x", lambda p: write_plot3d(p, [np.array([box[0], box[1], box[0] * box[1]])[..., :1]], "<f8"), None
    yield "iblank of 0", "a.x", lambda p: (write_plot3d(p, blocks_of()[:1], "text", blanks=True), p.write_text(p.read_text().replace("81*1", "80*1 0"))), None
    yield "cut off", "a.x", lambda p: (write_plot3d(p, blocks_of(), "<f8"), p.write_bytes(p.read_bytes()[:-8])), None


def kinds():
    """(format, kind, name of the file, how it is written, what is right: a check of a mesh, or words about a block grid; None: it is refused)"""
    for name, listed in (("Gmsh", gmsh_kinds()), ("SU2", su2_kinds()), ("OpenFOAM", foam_kinds()), ("UGRID", ugrid_kinds()), ("VTK", vtk_kinds()),
                         ("medit", medit_kinds()), ("CGNS", cgns_kinds()), ("PLOT3D", plot3d_kinds()), ("other", other_kinds())):
        for kind in listed:
            yield (name, *kind)


def shorten(words, folder):
    """The message without paths, and without its source."""
    words = re.sub(r" \[\S+\.c:\d+\]", "", words.strip().split("\n")[-1]).removeprefix("triad: error: ").replace(f"{folder}/", "")
    return words.replace("|", "\\|")


def outcome(triad, folder, kind):
    """What came of a kind of file, in words."""
    form, words, name, write, right = kind
    path = folder / name
    write(path)
    blocks = form == "PLOT3D"
    if blocks:
        (folder / "case.toml").write_text(CASE.format(path=name))
    done = subprocess.run([triad, "grid", *((folder / "case.toml", "--write", folder / "out.x") if blocks else (path,))], capture_output=True, text=True, errors="replace",
                          timeout=60, env={"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"})
    assert done.returncode == (65 if right is None else 0), (kind[:3], done.returncode, done.stdout, done.stderr)
    if right is None:
        return f"refused: `{shorten(done.stderr, folder)}`"
    if blocks:
        assert right in done.stdout, (kind[:3], done.stdout)
        return "read" + "".join(f"; {note}" for note in re.findall(r"\d+ left-handed [^\n]*", done.stdout))
    of = meshfiles.numbers(done.stdout)
    right(of)
    came = ["read"]
    for begin, new in (("plane ", "extruded by one layer"), ("curved cells ", "corners of curved cells used"), ("left-handed cells ", "left-handed cells reordered")):
        came += [new] if f"  {begin}" in of["text"] else []
    note = re.search(r"  note +(.*)", of["text"])
    return "; ".join(came + ([note[1]] if note else []))


def table(triad, with_cgns=True):
    """Rows of the table, in order."""
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        listed = [kind for kind in kinds() if with_cgns or kind[0] != "CGNS"]
        for i in range(len(listed)):
            (pathlib.Path(folder) / str(i)).mkdir()
        came = pool.map(lambda pair: outcome(triad, pathlib.Path(folder) / str(pair[0]), pair[1]), enumerate(listed))
        return [f"| {kind[0]} | {kind[1]} | {words} |" for kind, words in zip(listed, came)]


def page(triad):
    rows = table(triad)
    read = sum(" | read" in line for line in rows)
    return (HEAD + f"\n{len(rows)} kinds: {read} are read, {len(rows) - read} are refused with these words.\n\n| format | kind | what comes |\n| --- | --- | --- |\n"
            + "\n".join(rows) + "\n")


if __name__ == "__main__":
    print(page(sys.argv[1] if len(sys.argv) > 1 else "bin/triad"), end="")
