"""A mesh of polyhedra as a CGNS file (HDF5, version 3.4): faces as NGON_n, cells as NFACE_n, one boundary condition for all outer faces."""

import h5py
import numpy as np

NGON, NFACE = 22, 23


def put(parent, name, label, data=None, text=None):
    """A node of the library's layout in HDF5; data in C order, the reverse of the library's."""
    node = parent.create_group(name, track_order=True)
    kind = "MT"
    if text is not None:
        data, kind = np.frombuffer(text.encode(), dtype=np.int8), "C1"
    elif data is not None:
        kind = {"i": "I", "f": "R"}[data.dtype.kind] + str(data.dtype.itemsize)
    for key, value, size in (("name", name, 33), ("label", label, 33), ("type", kind, 3)):
        node.attrs.create(key, np.bytes_(value.encode().ljust(size, b"\0")), dtype=h5py.string_dtype("ascii", size))
    node.attrs.create("flags", np.array([1], dtype=np.int32))
    if data is not None:
        node.create_dataset(" data", data=data)
    return node


def begin(path):
    """A new file with what every file has."""
    f = h5py.File(path, "w", track_order=True, libver=("earliest", "v110"))
    for key, value, size in (("name", "HDF5 MotherNode", 33), ("label", "Root Node of HDF5 File", 33), ("type", "MT", 3)):
        f.attrs.create(key, np.bytes_(value.encode().ljust(size, b"\0")), dtype=h5py.string_dtype("ascii", size))
    f.create_dataset(" format", data=np.frombuffer(b"IEEE_LITTLE_32\0", dtype=np.int8))
    f.create_dataset(" hdf5version", data=np.frombuffer(b"HDF5 Version 1.10.8".ljust(33, b"\0"), dtype=np.int8))
    put(f, "CGNSLibraryVersion", "CGNSLibraryVersion_t", np.array([3.4], dtype=np.float32))
    return f


def coordinates(zone, x, names="XYZ"):
    grid = put(zone, "GridCoordinates", "GridCoordinates_t")
    for axis, name in enumerate(names):
        put(grid, f"Coordinate{name}", "DataArray_t", np.ascontiguousarray(x[..., axis], dtype=np.float64))


def condition(zone, name, words, data, where):
    if "ZoneBC" not in zone:
        put(zone, "ZoneBC", "ZoneBC_t")
    node = put(zone["ZoneBC"], name, "BC_t", text="BCWall")
    put(node, words, "IndexRange_t" if words == "PointRange" else "IndexArray_t", np.array(data, dtype=np.int32))
    put(node, "GridLocation", "GridLocation_t", text=where)


def fixed(zone, name, kind, first, lists):
    """A section of elements of one type."""
    node = put(zone, name, "Elements_t", np.array([kind, 0], dtype=np.int32))
    put(node, "ElementRange", "IndexRange_t", np.array([first, first + len(lists) - 1], dtype=np.int32))
    put(node, "ElementConnectivity", "DataArray_t", (np.array(lists).ravel() + 1).astype(np.int32))
    return first + len(lists)


def write_plane(path, mesh, by):
    """A plane of triangles and quadrilaterals; by: lines with conditions that are ranges of elements, lines in sections with names, or conditions that
    are lists of points, without lines."""
    with begin(path) as f:
        base = put(f, "Base", "CGNSBase_t", np.array([2, 2], dtype=np.int32))
        zone = put(base, "Zone", "Zone_t", np.array([[len(mesh.x)], [len(mesh.cells)], [0]], dtype=np.int32))
        put(zone, "ZoneType", "ZoneType_t", text="Unstructured")
        coordinates(zone, mesh.x, "XY")
        first = fixed(zone, "Triangles", 5, 1, [c for c in mesh.cells if len(c) == 3])
        first = fixed(zone, "Squares", 7, first, [c for c in mesh.cells if len(c) == 4])
        for name, lines in mesh.sides.items():
            if by == "points":
                condition(zone, name, "PointList", [[p + 1] for p in sorted({p for line in lines for p in line})], "Vertex")
                continue
            last = fixed(zone, name if by == "sections" else f"lines of {name}", 3, first, lines)
            if by == "elements":
                condition(zone, name, "PointRange", [[first], [last - 1]], "EdgeCenter")
            first = last


def write_squares(path, n=(5, 3), length=(2, 1)):
    """A structured plane of (n - 1) squares."""
    x = np.stack(np.meshgrid(np.linspace(0, length[0], n[0]), np.linspace(0, length[1], n[1])), axis=-1)
    with begin(path) as f:
        base = put(f, "Base", "CGNSBase_t", np.array([2, 2], dtype=np.int32))
        zone = put(base, "Zone", "Zone_t", np.array([n, [n[0] - 1, n[1] - 1], [0, 0]], dtype=np.int32))
        put(zone, "ZoneType", "ZoneType_t", text="Structured")
        coordinates(zone, x, "XY")
        for name, low, high in (("xmin", (1, 1), (1, n[1])), ("xmax", (n[0], 1), n), ("ymin", (1, 1), (n[0], 1)), ("ymax", (1, n[1]), n)):
            condition(zone, name, "PointRange", [low, high], "Vertex")


def section(zone, name, kind, first, lists):
    node = put(zone, name, "Elements_t", np.array([kind, 0], dtype=np.int32))
    put(node, "ElementRange", "IndexRange_t", np.array([first, first + len(lists) - 1], dtype=np.int32))
    put(node, "ElementConnectivity", "DataArray_t", np.concatenate(lists).astype(np.int32))
    put(node, "ElementStartOffset", "DataArray_t", np.concatenate([[0], np.cumsum([len(part) for part in lists])]).astype(np.int32))


def write_polyhedra(path, x, cells, patch):
    """x: points; cells: of each the faces, as lists of points from 0 that are seen from outside in turn."""
    number, faces, of_cell, seen = {}, [], [], {}
    for cell in cells:
        of_cell.append([])
        for face in cell:
            key = tuple(sorted(face))
            if key not in number:
                number[key] = len(faces)
                faces.append(face)
            seen[key] = seen.get(key, 0) + 1
            of_cell[-1].append((number[key], seen[key] > 1))  # the second cell sees it from its other side
    inside = [number[key] for key in number if seen[key] == 2]
    order = inside + [number[key] for key in number if seen[key] == 1]  # outer ones behind, for one range
    place = {old: new + 1 for new, old in enumerate(order)}
    with begin(path) as f:
        base = put(f, "Base", "CGNSBase_t", np.array([3, 3], dtype=np.int32))
        zone = put(base, "Zone", "Zone_t", np.array([[len(x)], [len(cells)], [0]], dtype=np.int32))
        put(zone, "ZoneType", "ZoneType_t", text="Unstructured")
        grid = put(zone, "GridCoordinates", "GridCoordinates_t")
        for axis, name in enumerate("XYZ"):
            put(grid, f"Coordinate{name}", "DataArray_t", np.ascontiguousarray(x[:, axis], dtype=np.float64))
        section(zone, "Faces", NGON, 1, [np.array(faces[i]) + 1 for i in order])
        section(zone, "Cells", NFACE, len(faces) + 1,
                [np.array([-place[face] if second else place[face] for face, second in cell]) for cell in of_cell])
        conditions = put(zone, "ZoneBC", "ZoneBC_t")
        condition = put(conditions, patch, "BC_t", text="BCWall")
        put(condition, "PointRange", "IndexRange_t", np.array([[len(inside) + 1], [len(faces)]], dtype=np.int32))
        put(condition, "GridLocation", "GridLocation_t", text="FaceCenter")
