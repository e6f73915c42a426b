"""Mesh files of many formats, written from the formats' own descriptions: a row of cubes of every shape of cell, a plane of triangles and
quadrilaterals; and what `triad grid FILE` says of a file."""

import base64
import gzip
import re
import struct
import subprocess
import zlib

import h5py
import numpy as np

SIDES = ("xmin", "xmax", "ymin", "ymax", "zmin", "zmax")
# corners of a unit cube by (x, y, z), bottom and top counter-clockwise
CUBE = ((0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1))
# sides of the shapes, seen from outside, by their number of corners
FACES = {4: ((0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)), 5: ((0, 3, 2, 1), (0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4)),
         6: ((0, 2, 1), (3, 4, 5), (0, 1, 4, 3), (1, 2, 5, 4), (2, 0, 3, 5)),
         8: ((0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7))}
# order of corners of the mirror image of a cell: left-handed
MIRROR = {4: (1, 0, 2, 3), 5: (0, 3, 2, 1, 4), 6: (0, 2, 1, 3, 5, 4), 8: (0, 3, 2, 1, 4, 7, 6, 5), 3: (0, 2, 1)}


class Mesh:
    """Points, cells (lists of points from 0), and sides (or lines of a plane) by the name of their patch."""

    def __init__(self, x, cells, sides, dim=3):
        self.x, self.cells, self.sides, self.dim = np.array(x, dtype=float), cells, sides, dim

    def flat(self):
        """Sides in order, with the number of their patch from 1."""
        return [(number, side) for number, name in enumerate(self.sides, 1) for side in self.sides[name]]

    def mirrored(self, which=lambda cell: True):
        return Mesh(self.x, [[c[i] for i in MIRROR[len(c)]] if which(c) else c for c in self.cells], self.sides, self.dim)


def row(shapes=("hex", "prisms", "pyramids", "tets"), ysize=1):
    """Cubes along x, each of one shape of cells; the volume is their number, and patches are the sides of the box."""
    points, cells, number = [], [], {}

    def node(*at):
        if at not in number:
            number[at] = len(points)
            points.append((at[0], ysize * at[1], at[2]))
        return number[at]

    for i, shape in enumerate(shapes):
        c = [node(i + a, b, d) for a, b, d in CUBE]
        if shape == "hex":
            cells.append(c)
        if shape == "prisms":
            cells += [[c[0], c[1], c[2], c[4], c[5], c[6]], [c[0], c[2], c[3], c[4], c[6], c[7]]]
        if shape == "pyramids":
            tip = node(i + 0.5, 0.5, 0.5)
            cells += [[*[c[k] for k in reversed(face)], tip] for face in FACES[8]]
        if shape == "tets":
            cells += [[c[k] for k in tet] for tet in ((0, 1, 2, 6), (0, 2, 3, 6), (0, 3, 7, 6), (0, 7, 4, 6), (0, 4, 5, 6), (0, 5, 1, 6))]
    lattice = np.array([p for p in number])
    high = (len(shapes), 1, 1)
    sides = {name: [] for name in SIDES}
    for cell in cells:
        for face in FACES[len(cell)]:
            at = [cell[k] for k in face]
            for s, name in enumerate(SIDES):
                if (lattice[at][:, s // 2] == (high[s // 2] if s % 2 else 0)).all():
                    sides[name].append(at)
    return Mesh(points, cells, sides)


def plane():
    """[0, 2] x [0, 1], 4 x 2 squares of which each second one is two triangles; lines by the names of the sides."""
    n = {(i, j): i + 5 * j for j in range(3) for i in range(5)}
    x = [(i / 2, j / 2, 0) for j in range(3) for i in range(5)]
    cells = []
    for j in range(2):
        for i in range(4):
            q = [n[i, j], n[i + 1, j], n[i + 1, j + 1], n[i, j + 1]]
            cells += [q] if (i + j) % 2 else [q[:3], [q[0], q[2], q[3]]]
    lines = {"xmin": [[n[0, j], n[0, j + 1]] for j in range(2)], "xmax": [[n[4, j], n[4, j + 1]] for j in range(2)],
             "ymin": [[n[i, 0], n[i + 1, 0]] for i in range(4)], "ymax": [[n[i, 2], n[i + 1, 2]] for i in range(4)]}
    return Mesh(x, cells, lines, 2)


# ---- SU2 ----

VTK_TYPE = {2: 3, 3: 5, 4: 10, 5: 14, 6: 13, 8: 12}


def vtk_type(points, is_cell_of_space):
    return 9 if len(points) == 4 and not is_cell_of_space else VTK_TYPE[len(points)]


def su2(mesh, path, numbered=True):
    def line(points, space, number):
        return " ".join(map(str, [vtk_type(points, space), *points] + ([number] if numbered else [])))
    out = ["% a comment", f"NDIME= {mesh.dim}", f"NELEM= {len(mesh.cells)}"]
    out += [line(c, mesh.dim == 3, i) for i, c in enumerate(mesh.cells)]
    out += ["%", f"NPOIN={len(mesh.x)}"]
    out += ["\t".join([repr(float(v)) for v in p[:mesh.dim]] + ([str(i)] if numbered else [])) for i, p in enumerate(mesh.x)]
    out += [f"NMARK= {len(mesh.sides)}"]
    for name, sides in mesh.sides.items():
        out += [f"MARKER_TAG=   {name}", f"MARKER_ELEMS= {len(sides)}"] + [line(s, False, 0)[:-2] if numbered else line(s, False, 0) for s in sides]
    path.write_text("\n".join(out) + "\n")


# ---- Gmsh ----

GMSH_TYPE = {2: 1, 3: 2, 4: 4, 5: 7, 6: 6, 8: 5}


def gmsh_type(points, is_cell_of_space):
    return 3 if len(points) == 4 and not is_cell_of_space else GMSH_TYPE[len(points)]


def gmsh(mesh, path, version="2.2", names=True, groups=True, tags=lambda i: i + 1, swapped=False, parametric=False):
    """ASCII of every version; binary of 2.2 in either byte order if `swapped` is not False. Entities have ten times the number of the group."""
    d = mesh.dim
    flat = [(gmsh_type(s, False), d - 1, n, [tags(p) for p in s]) for n, s in mesh.flat()]
    cells = [(gmsh_type(c, d == 3), d, 50, [tags(p) for p in c]) for c in mesh.cells]
    x = [(tags(i), *p) for i, p in enumerate(mesh.x)]
    elements = flat + cells
    if version == "1":
        out = ["$NOD", len(x)] + [" ".join(map(repr, p)).replace("np.float64(", "").replace(")", "") for p in x] + ["$ENDNOD", "$ELM", len(elements)]
        out += [" ".join(map(str, [i, t, n if groups else 0, 10 * n, len(p), *p])) for i, (t, _, n, p) in enumerate(elements, 1)] + ["$ENDELM"]
        path.write_text("\n".join(map(str, out)) + "\n")
        return
    out = ["$MeshFormat", f"{version} 0 8", "$EndMeshFormat"]
    if names and groups:
        of = [(d - 1, n, name) for n, name in enumerate(mesh.sides, 1)] + [(d, 50, "gas")]
        out += ["$PhysicalNames", len(of)] + [f'{n} "{name}"' if version in ("2", "2.0") else f'{k} {n} "{name}"' for k, n, name in of] + ["$EndPhysicalNames"]
    if version.startswith("4"):
        out += _four(version, d, x, elements, len(mesh.sides), groups)
    else:
        nodes = ["$ParametricNodes" if parametric else "$Nodes", len(x)]
        nodes += [" ".join(str(v) for v in p) + (" 2 7 0.5 0.25" if parametric else "") for p in x] + [nodes[0].replace("$", "$End")]
        out += nodes + ["$Elements", len(elements)]
        out += [" ".join(map(str, [i, t, 3, n if groups else 0, 10 * n, 0, *p])) for i, (t, _, n, p) in enumerate(elements, 1)] + ["$EndElements"]
    text = "\n".join(str(v) for v in out).replace("np.float64(", "") + "\n"
    path.write_text(text)


def _four(version, d, x, elements, n_sides, groups):
    box = "0 0 0 1 1 1"
    def physical(n):
        return f"1 {n}" if groups else "0"
    counts = [0, 0, 0, 0]
    counts[d - 1], counts[d] = n_sides, 1
    point = "1 0 0 0 " + ("0 0 0 " if version == "4.0" else "") + "0"
    out = ["$Entities", " ".join(map(str, [1, *counts[1:]])), point]
    out += [f"{10 * n} {box} {physical(n)} 0" for n in range(1, n_sides + 1)] + [f"500 {box} {physical(50)} 0", "$EndEntities"]
    if version == "4.0":
        out += ["$Nodes", f"1 {len(x)}", f"500 {d} 0 {len(x)}"] + [" ".join(str(v) for v in p) for p in x] + ["$EndNodes"]
    else:
        out += ["$Nodes", f"1 {len(x)} 1 {len(x)}", f"{d} 500 0 {len(x)}"] + [str(p[0]) for p in x]
        out += [" ".join(str(float(v)) for v in p[1:]) for p in x] + ["$EndNodes"]
    blocks = []
    for t, k, n, p in elements:
        if not blocks or blocks[-1][:3] != (t, k, n):
            blocks.append((t, k, n, []))
        blocks[-1][3].append(p)
    out += ["$Elements", f"{len(blocks)} {len(elements)}" + ("" if version == "4.0" else f" 1 {len(elements)}")]
    number = 0
    for t, k, n, listed in blocks:
        out.append(f"{10 * n} {k} {t} {len(listed)}" if version == "4.0" else f"{k} {10 * n} {t} {len(listed)}")
        for p in listed:
            number += 1
            out.append(" ".join(map(str, [number, *p])))
    return out + ["$EndElements"]


def gmsh_binary(mesh, path, order="<"):
    """MSH 2.2, binary, in either byte order, each element with a head of its own."""
    out = b"$MeshFormat\n2.2 1 8\n" + struct.pack(order + "i", 1) + b"\n$EndMeshFormat\n$PhysicalNames\n" + str(len(mesh.sides)).encode() + b"\n"
    for n, name in enumerate(mesh.sides, 1):
        out += f'{mesh.dim - 1} {n} "{name}"\n'.encode()
    out += b"$EndPhysicalNames\n$Nodes\n" + str(len(mesh.x)).encode() + b"\n"
    for i, p in enumerate(mesh.x, 1):
        out += struct.pack(order + "i3d", i, *p)
    elements = [(gmsh_type(s, False), n, s) for n, s in mesh.flat()] + [(gmsh_type(c, mesh.dim == 3), 50, c) for c in mesh.cells]
    out += b"\n$EndNodes\n$Elements\n" + str(len(elements)).encode() + b"\n"
    for i, (t, n, p) in enumerate(elements, 1):
        out += struct.pack(f"{order}{6 + len(p)}i", t, 1, 2, i, n, 10 * n, *[k + 1 for k in p])
    path.write_bytes(out + b"\n$EndElements\n")


# ---- OpenFOAM ----

def faced(mesh):
    """Faces of a mesh as OpenFOAM has them: first those between cells; a quadrilateral on two triangles is these. (points, owner, neighbour) and
    the number of faces of each patch."""
    owners = {}
    for number, cell in enumerate(mesh.cells):
        for face in FACES[len(cell)]:
            owners.setdefault(frozenset(cell[k] for k in face), []).append((number, [cell[k] for k in face]))
    outside = {frozenset(s) for sides in mesh.sides.values() for s in sides}
    for key, found in list(owners.items()):
        if len(found) == 2 or key in outside or len(key) == 3:
            continue
        number, q = found[0]
        for halves in ((q[:3], [q[0], q[2], q[3]]), (q[1:], [q[1], q[3], q[0]])):
            if all(frozenset(h) in owners for h in halves):
                del owners[key]
                for h in halves:
                    owners[frozenset(h)].append((number, h))
    inner = sorted((found for found in owners.values() if len(found) == 2), key=lambda found: min(f[0] for f in found))
    faces = [(*sorted(found)[0][::-1], sorted(found)[1][0]) for found in inner]
    counts = {}
    for name, sides in mesh.sides.items():
        counts[name] = len(sides)
        for side in sides:
            number, points = owners[frozenset(side)][0]
            faces.append((points, number, -1))
    return faces, counts


def foam(mesh, folder, binary=False, label=4, scalar=8, arch=True, packed=False, compact=None, order="<", types=None):
    """polyMesh in FOLDER/constant/polyMesh."""
    where = folder / "constant" / "polyMesh"
    where.mkdir(parents=True, exist_ok=True)
    faces, counts = faced(mesh)
    compact = binary if compact is None else compact

    def head(name, kind):
        words = f'arch "{"LSB" if order == "<" else "MSB"};label={8 * label};scalar={8 * scalar}";' if arch and binary else ""
        return (f"/*--------------------------------*- C++ -*----*\\\n| a banner { '{' } |\n\\*------*/\nFoamFile\n{{\n    version     2.0;\n"
                f"    format      {'binary' if binary and name != 'boundary' else 'ascii'};\n    {words}\n    class {kind};\n"
                f"    note \"nPoints:{len(mesh.x)}\";\n    location \"constant/polyMesh\";\n    object {name};\n}}\n// * * * //\n\n").encode()

    def labels(values):
        if binary:
            return f"{len(values)}\n(".encode() + struct.pack(f"{order}{len(values)}{'i' if label == 4 else 'q'}", *values) + b")\n"
        if len(set(values)) == 1:
            return f"{len(values)}{{{values[0]}}}\n".encode()
        return (f"{len(values)}\n(\n" + "\n".join(map(str, values)) + "\n)\n").encode()

    files = {}
    if binary:
        files["points"] = head("points", "vectorField") + f"{len(mesh.x)}\n(".encode()
        files["points"] += struct.pack(f"{order}{3 * len(mesh.x)}{'d' if scalar == 8 else 'f'}", *mesh.x.ravel()) + b")\n"
    else:
        lines = "\n".join("(" + " ".join(repr(float(v)) for v in p) + ")" for p in mesh.x)
        files["points"] = head("points", "vectorField") + f"{len(mesh.x)}\n(\n{lines}\n)\n".encode()
    if compact:
        offsets = np.concatenate([[0], np.cumsum([len(f[0]) for f in faces])])
        files["faces"] = head("faces", "faceCompactList") + labels([int(v) for v in offsets]) + b"\n" + labels([p for f in faces for p in f[0]])
    else:
        files["faces"] = head("faces", "faceList") + (f"{len(faces)}\n(\n" + "\n".join(f"{len(f[0])}({' '.join(map(str, f[0]))})" for f in faces) + "\n)\n").encode()
    files["owner"] = head("owner", "labelList") + labels([f[1] for f in faces])
    files["neighbour"] = head("neighbour", "labelList") + labels([f[2] for f in faces if f[2] >= 0])
    start, text = sum(f[2] >= 0 for f in faces), f"{len(counts) + 1}\n(\n"
    for name, n in counts.items():
        kind = (types or {}).get(name, "patch")
        text += f"    {name}\n    {{\n        type {kind};\n        inGroups List<word> 1(wall);\n        nFaces {n};\n        startFace {start};\n    }}\n"
        start += n
    files["boundary"] = head("boundary", "polyBoundaryMesh") + (text + f"    axis {{ type empty; nFaces 0; startFace {start}; }}\n)\n// ***** //\n").encode()
    for name, data in files.items():
        if packed and name != "boundary":
            (where / f"{name}.gz").write_bytes(gzip.compress(data))
        else:
            (where / name).write_bytes(data)
    return where


# ---- UGRID ----

# our corners of a pyramid as UGRID lists them: its apex is the third
UGRID_PYRAMID = (1, 0, 4, 2, 3)


def ugrid(mesh, path, order="<", real="d", whole="i", fortran=False, text=False, extra=False):
    """Surfaces have the number 10 + that of their patch."""
    flat = {n: [(number, s) for number, s in mesh.flat() if len(s) == n] for n in (3, 4)}
    cells = {n: [c for c in mesh.cells if len(c) == n] for n in (4, 5, 6, 8)}
    cells[5] = [[c[k] for k in UGRID_PYRAMID] for c in cells[5]]
    counts = [len(mesh.x), len(flat[3]), len(flat[4]), len(cells[4]), len(cells[5]), len(cells[6]), len(cells[8])]
    whole_numbers = [[[p + 1 for p in s] for _, s in flat[3]], [[p + 1 for p in s] for _, s in flat[4]],
                     [[10 + n] for n, _ in flat[3]], [[10 + n] for n, _ in flat[4]], *[[[p + 1 for p in c] for c in cells[n]] for n in (4, 5, 6, 8)]]
    if text:
        lines = [" ".join(map(str, counts))] + [" ".join(repr(float(v)) for v in p) for p in mesh.x]
        path.write_text("\n".join(lines + [" ".join(map(str, item)) for block in whole_numbers for item in block]) + "\n")
        return
    head = struct.pack(f"{order}7{whole}", *counts)
    body = struct.pack(f"{order}{mesh.x.size}{real}", *mesh.x.ravel())
    numbers = [v for block in whole_numbers for item in block for v in item] + ([0] if extra else [])
    body += struct.pack(f"{order}{len(numbers)}{whole}", *numbers)
    if fortran:  # the second marker is wrong, as some programs write it
        mark = lambda data, wrong=0: struct.pack(order + "i", len(data) + wrong) + data + struct.pack(order + "i", len(data) + wrong)
        path.write_bytes(mark(head) + mark(body, 20))
    else:
        path.write_bytes(head + body)


# ---- medit ----

MEDIT = {2: ("Edges", 5), 3: ("Triangles", 6), "quad": ("Quadrilaterals", 7), 4: ("Tetrahedra", 8), 6: ("Prisms", 9), 8: ("Hexahedra", 10), 5: ("Pyramids", 49)}


def medit_sections(mesh):
    found = {}
    for number, points in mesh.flat():
        found.setdefault("quad" if len(points) == 4 else len(points), []).append([*[p + 1 for p in points], number])
    for cell in mesh.cells:
        found.setdefault("quad" if len(cell) == 4 and mesh.dim == 2 else len(cell), []).append([*[p + 1 for p in cell], 0 if mesh.dim == 3 else 77])
    return found


def medit(mesh, path):
    out = ["MeshVersionFormatted 2", "# a comment", "Dimension", mesh.dim, f"Vertices {len(mesh.x)}"]
    out += [" ".join([*[repr(float(v)) for v in p[:mesh.dim]], "0"]) for p in mesh.x]
    out += ["Corners 2", "1", "2", "NormalAtVertices", "1", "1 1"]
    for kind, items in medit_sections(mesh).items():
        out += [f"{MEDIT[kind][0]}", len(items)] + [" ".join(map(str, item)) for item in items]
    path.write_text("\n".join(map(str, out)) + "\nEnd\n")


def medit_binary(mesh, path, version=2, order="<"):
    whole, real, at = "q" if version == 4 else "i", "f" if version == 1 else "d", "q" if version >= 3 else "i"
    out = struct.pack(order + "ii", 1, version)

    def section(keyword, count, data):
        begin = struct.pack(order + "i", keyword)
        number = struct.pack(order + ("i" if keyword == 3 else whole), count)
        following = len(out) + len(begin) + struct.calcsize(order + at) + len(number) + len(data)
        return begin + struct.pack(order + at, following) + number + data
    out += section(3, mesh.dim, b"")
    out += section(4, len(mesh.x), b"".join(struct.pack(f"{order}{mesh.dim}{real}{whole}", *p[:mesh.dim], 0) for p in mesh.x))
    out += section(13, 1, struct.pack(order + whole, 1))
    for kind, items in medit_sections(mesh).items():
        out += section(MEDIT[kind][1], len(items), b"".join(struct.pack(f"{order}{len(i)}{whole}", *i) for i in items))
    path.write_bytes(out + struct.pack(order + "i" + at, 54, 0))


# ---- VTK ----

def vtk_cells(mesh, vtk_prisms, sides=True):
    """Cells and sides as VTK has them: points of each, types, and the number of the patch, 0 for cells. vtk_prisms: in VTK's own orientation."""
    def order(c):
        return [c[k] for k in MIRROR[6]] if vtk_prisms and len(c) == 6 else c
    flat = mesh.flat() if sides else []
    return ([order(c) for c in mesh.cells] + [s for _, s in flat], [vtk_type(c, mesh.dim == 3) for c in mesh.cells] + [vtk_type(s, False) for _, s in flat],
            [0] * len(mesh.cells) + [n for n, _ in flat])


def vtk(mesh, path, binary=False, version="4.2", vtk_prisms=False, kind="int"):
    """kind: type of the numbers of patches."""
    cells, types, patches = vtk_cells(mesh, vtk_prisms)
    out = f"# vtk DataFile Version {version}\na title\n{'BINARY' if binary else 'ASCII'}\nDATASET UNSTRUCTURED_GRID\n".encode()

    def array(values, code):
        if binary:
            return struct.pack(f">{len(values)}{code}", *values) + b"\n"
        return (" ".join(repr(float(v)) if code in "df" else str(v) for v in values) + "\n").encode()
    out += f"POINTS {len(mesh.x)} double\n".encode() + array(mesh.x.ravel(), "d")
    if version >= "5":
        ends = [0, *np.cumsum([len(c) for c in cells])]
        flat = [p for c in cells for p in c]
        out += f"METADATA\nINFORMATION 0\n\nCELLS {len(ends)} {len(flat)}\nOFFSETS vtktypeint64\n".encode() + array(ends, "q")
        out += b"CONNECTIVITY vtktypeint64\n" + array(flat, "q")
    else:
        mixed = [v for c in cells for v in (len(c), *c)]
        out += f"CELLS {len(cells)} {len(mixed)}\n".encode() + array(mixed, "i")
    out += f"CELL_TYPES {len(cells)}\n".encode() + array(types, "i")
    out += f"POINT_DATA {len(mesh.x)}\nSCALARS p float 1\nLOOKUP_TABLE default\n".encode() + array([1.5] * len(mesh.x), "f")
    out += f"CELL_DATA {len(cells)}\n".encode() + vtk_attributes(len(cells), array, binary)
    out += f"FIELD FieldData 2\ngmsh:geometrical 1 {len(cells)} int\n".encode() + array([9] * len(cells), "i") + b"METADATA\nCOMPONENT_NAMES\na\n\n"
    out += f"gmsh:physical 1 {len(cells)} {kind}\n".encode() + array(patches, {"int": "i", "unsigned_char": "B", "double": "d"}[kind])
    path.write_bytes(out + b"VECTORS w float\n" + array([0.5] * 3 * len(cells), "f"))


def vtk_attributes(n, array, binary):
    """Every section of a legacy file of VTK with the data of cells, for n of them."""
    out = b""
    for name, width in (("VECTORS", 3), ("NORMALS", 3), ("TENSORS", 9), ("TENSORS6", 6)):
        out += f"{name} {name.lower()} float\n".encode() + array([-0.5] * width * n, "f")
    for name in ("GLOBAL_IDS", "PEDIGREE_IDS"):
        out += f"{name} ids vtkIdType\n".encode() + array(range(n), "i")
    out += b"TEXTURE_COORDINATES t 2 float\n" + array([0.25] * 2 * n, "f")
    out += b"COLOR_SCALARS c 3\n" + (array([7] * 3 * n, "B") if binary else array([0.5] * 3 * n, "f"))
    out += b"LOOKUP_TABLE colours 2\n" + (array([9] * 8, "B") if binary else array([0.5] * 8, "f"))
    out += b"SCALARS flags bit 1\nLOOKUP_TABLE default\n" + (b"\xff" * ((n + 7) // 8) + b"\n" if binary else array([1] * n, "i"))
    out += b"FIELD more 2\nlabels 1 2 string\n" + (b"\xc3abc\x80\x50" + b"x" * 80 + b"\n" if binary else b"abc\nde%20f\n")
    return out + f"broken 1 {n} double\n".encode() + array([float("nan") if binary else 0.5] * n, "d")


def vtu(mesh, path, form="ascii", header="UInt32", packed=False, order="<", vtk_prisms=True, pieces=1):
    """form: ascii, binary, raw or base64 (appended)."""
    cells, types, patches = vtk_cells(mesh, vtk_prisms)
    appended, block = b"", 100
    word = "I" if header == "UInt32" else "Q"

    def encode(data):
        if not packed:
            whole = struct.pack(order + word, len(data)) + data
            return whole if form == "raw" else base64.b64encode(whole)
        blocks = [data[i:i + block] for i in range(0, len(data), block)]
        small = [zlib.compress(b) for b in blocks]
        head = struct.pack(f"{order}{3 + len(small)}{word}", len(small), block, len(data) % block, *map(len, small))
        return head + b"".join(small) if form == "raw" else base64.b64encode(head) + base64.b64encode(b"".join(small))

    def array(name, kind, values, components=1):
        nonlocal appended
        code = {"Float64": "d", "Int64": "q", "Int32": "i", "UInt8": "B"}[kind]
        begin = f'<DataArray type="{kind}" Name="{name}" NumberOfComponents="{components}" '
        if form == "ascii":
            return begin + 'format="ascii">\n' + " ".join(repr(float(v)) if code == "d" else str(v) for v in values) + "\n</DataArray>\n"
        data = encode(struct.pack(f"{order}{len(values)}{code}", *values))
        if form == "binary":
            return begin + f'format="binary">\n  {data.decode()}\n</DataArray>\n'
        place, appended = len(appended), appended + data
        return begin + f'format="appended" offset="{place}"/>\n'

    def piece(which):
        some = [(c, t, p) for i, (c, t, p) in enumerate(zip(cells, types, patches)) if which is None or i % pieces == which or p]
        ghost = [int(which is not None and p > 0 and which > 0) for _, _, p in some]
        return (f'<Piece NumberOfPoints="{len(mesh.x)}" NumberOfCells="{len(some)}">\n<PointData>' + array("p", "Float64", [1.5] * len(mesh.x))
                + "</PointData>\n<CellData>" + array("gmsh:physical", "Int32", [p for _, _, p in some]) + array("vtkGhostType", "UInt8", ghost)
                + array("u", "Float64", [0.5] * 3 * len(some), 3) + "</CellData>\n<Points>" + array("Points", "Float64", mesh.x.ravel(), 3)
                + "</Points>\n<Cells>" + array("connectivity", "Int64", [q for c, _, _ in some for q in c])
                + array("offsets", "Int64", list(np.cumsum([len(c) for c, _, _ in some]))) + array("types", "UInt8", [t for _, t, _ in some]) + "</Cells>\n</Piece>\n")
    middle = "".join(piece(None if pieces == 1 else k) for k in range(pieces))
    said = (f' header_type="{header}"' if header != "UInt32" else "") + (' compressor="vtkZLibDataCompressor"' if packed else "")
    text = (f'<?xml version="1.0"?>\n<VTKFile type="UnstructuredGrid" version="0.1" byte_order="{"LittleEndian" if order == "<" else "BigEndian"}"{said}>\n'
            f"<UnstructuredGrid>\n{middle}</UnstructuredGrid>\n").encode()
    if form in ("raw", "base64"):
        text += f'<AppendedData encoding="{form}">\n   _'.encode() + appended + b"\n</AppendedData>\n"
    path.write_bytes(text + b"</VTKFile>\n")


def vtkhdf(mesh, path, parts=1, steps=False, **changes):
    """A VTKHDF file of VTK's own kind: sides as cells, in parts that share no points; changes: arrays by their names."""
    cells, types, patches = vtk_cells(mesh, True)
    each = [list(range(k, len(cells), parts)) for k in range(parts)]
    arrays = {"NumberOfPoints": [len(mesh.x)] * parts, "NumberOfCells": [len(e) for e in each], "Points": np.concatenate([mesh.x] * parts),
              "NumberOfConnectivityIds": [sum(len(cells[i]) for i in e) for e in each], "Types": np.array([types[i] for e in each for i in e], dtype=np.uint8),
              "Offsets": np.concatenate([np.cumsum([0] + [len(cells[i]) for i in e]) for e in each]),
              "Connectivity": [p for e in each for i in e for p in cells[i]], "CellData/gmsh:physical": [patches[i] for e in each for i in e]} | changes
    with h5py.File(path, "w") as f:
        group = f.create_group("VTKHDF")
        group.attrs["Version"] = [2, 0] if steps else [1, 0]
        group.attrs.create("Type", b"UnstructuredGrid", dtype=h5py.string_dtype("ascii", 16))
        for name, values in arrays.items():
            group.create_dataset(name, data=values)
        if steps:
            group.create_dataset("Steps/NumberOfParts", data=[parts, parts])


# ---- what the program says ----

def grid(triad, path, expect=0):
    """Run `triad grid PATH`: its numbers by name, or with another exit code its message."""
    done = subprocess.run([triad, "grid", path], capture_output=True, text=True, timeout=60)
    assert done.returncode == expect, (path, done.returncode, done.stdout, done.stderr)
    return done.stderr if expect else numbers(done.stdout)


def numbers(text):
    """What `triad grid` printed of a mesh."""
    of = {"text": text, "volume": float(re.search(r"volume +([^,]+),", text)[1]), "cells": int(re.search(r"cells +(\d+):", text)[1])}
    of["shapes"] = {word: int(n) for n, word in re.findall(r"(\d+) (tetrahedr|pyramid|prism|hexahedr|polyhedr)", re.search(r"cells .*", text)[0])}
    of["area"] = {name: float(area) for name, area in re.findall(r"patch (\S+) +\d+ faces, area (\S+)", text)}
    of["faces"] = {name: int(n) for name, n in re.findall(r"patch (\S+) +(\d+) faces", text)}
    return of


def check_row(of, shapes=None, rename=lambda name: name, n=4, close=1e-12):
    """What is right for `row()` of n cubes."""
    assert abs(of["volume"] - n) < close, of["text"]
    assert of["shapes"] == (shapes or {"hexahedr": 1, "prism": 2, "pyramid": 6, "tetrahedr": 6})
    expected = {rename(name): 1.0 if name[0] == "x" else float(n) for name in SIDES}
    assert set(of["area"]) == set(expected), of["text"]
    assert all(abs(of["area"][name] - area) < close for name, area in expected.items())


def check_plane(of, rename=lambda name: name):
    """What is right for `plane()`: the layer is as thick as the mean edge of all cells."""
    edge = (4 * 4 * 0.5 + 8 * (2 * 0.5 + 0.5**0.5)) / (4 * 4 + 8 * 3)
    assert abs(of["volume"] - 2 * edge) < 1e-8 and of["shapes"] == {"prism": 8, "hexahedr": 4}
    expected = {rename(name): edge * (1 if name[0] == "x" else 2) for name in SIDES[:4]}
    expected |= {"back": 2, "front": 2}
    assert set(of["area"]) == set(expected), of["text"]
    assert all(abs(of["area"][name] - area) < 1e-8 for name, area in expected.items())
    assert "12 cells, extruded by one layer of thickness" in of["text"]
