"""Cells of a mesh or of blocks, with values: fields-*.vtkhdf of a mesh, and blocks-*.h5 with the nodes in grid.h5.

Corners are in VTK's order. Cells of one shape are kept together, so that numpy works on all of them at once.
"""
import functools
import os

import h5py
import numpy as np

from triad_plot.problem import Absent, Problem
from triad_plot.read import hdf5

# VTK's number of a shape: its faces, all turned the same way
FACES = {
    10: ((0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)),
    12: ((0, 4, 7, 3), (1, 2, 6, 5), (0, 1, 5, 4), (3, 7, 6, 2), (0, 3, 2, 1), (4, 5, 6, 7)),
    13: ((0, 1, 2), (3, 5, 4), (0, 3, 4, 1), (1, 4, 5, 2), (2, 5, 3, 0)),
    14: ((0, 3, 2, 1), (0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4)),
}
SOLVERS = ("fct", "multiblock")   # whose fields are of cells
CORNERS = {10: 4, 12: 8, 13: 6, 14: 5}


def edges_of(shape):
    """Pairs of corners."""
    pairs = {tuple(sorted(pair)) for face in FACES[shape] for pair in zip(face, (*face[1:], face[0]))}
    return np.array(sorted(pairs))


class Cells:
    """points [point, 3]; shapes: {VTK's number: (numbers of the cells, their corners [cell, corner])}; n: how many cells.

    value(name): an array of a value a cell; names, units and words of these."""

    def __init__(self, path, t, step, points, shapes, about):
        self.path, self.t, self.step, self.points, self.shapes = path, t, step, points, shapes
        self.about = about   # {name: (unit, long name, how to read it)}
        self.n = sum(len(numbers) for numbers, _ in shapes.values())

    def __contains__(self, name):
        return name in self.about

    @property
    def names(self):
        return list(self.about)

    def value(self, name):
        if name not in self.about:
            raise Absent(f"{self.path}: has no {name[:80]}; there are {', '.join(self.about)}")
        return self.about[name][2]()

    def unit(self, name):
        return self.about[name][0]

    def words(self, name):
        return self.about[name][1]

    def _gather(self, of_shape, width):
        out = np.empty((self.n, *width))
        for shape, (numbers, corners) in self.shapes.items():
            out[numbers] = of_shape(shape, self.points[corners])
        return out

    @functools.cached_property
    def centres(self):
        """The mean of the corners of each cell, [cell, 3]."""
        return self._gather(lambda _shape, corners: corners.mean(axis=1), (3,))

    @functools.cached_property
    def volumes(self):
        """Of each cell, with faces of four corners divided around their middle."""
        return self._gather(volumes_of, ())


def volumes_of(shape, corners):
    """By Gauss' theorem: a third of the flux of the position through all faces."""
    middle = corners.mean(axis=1, keepdims=True)
    corners = corners - middle   # near zero, where nothing cancels
    total = np.zeros(len(corners))
    for face in FACES[shape]:
        nodes = corners[:, face]
        centre = nodes.mean(axis=1)
        for a, b in zip(range(len(face)), (*range(1, len(face)), 0)):
            total += np.einsum("ci,ci->c", centre, np.cross(nodes[:, a], nodes[:, b])) / 6
    return np.abs(total)


def of_mesh(path):
    """Cells of a file of VTKHDF."""
    def look(file):
        root = file["VTKHDF"]
        types, offsets, corners = root["Types"][:], root["Offsets"][:], root["Connectivity"][:]
        if len(offsets) != len(types) + 1 or (len(offsets) and offsets[-1] > len(corners)):
            raise ValueError("its cells and their corners do not fit together")
        points, shapes = root["Points"][:], {}
        for shape in np.unique(types):
            if int(shape) not in FACES:
                raise ValueError(f"cells of VTK's type {shape} are not supported")
            numbers = np.flatnonzero(types == shape)
            nodes = corners[offsets[numbers][:, None] + np.arange(CORNERS[int(shape)])]
            if nodes.size and (nodes.min() < 0 or nodes.max() >= len(points)):
                raise ValueError("a cell has a corner that is no point")
            shapes[int(shape)] = numbers, nodes
        data = root["CellData"]
        about = {name: (hdf5.text_of(item, "units"), hdf5.text_of(item, "long_name"),
                        lambda name=name: hdf5.read(path, lambda f: f["VTKHDF/CellData"][name][:]))
                 for name, item in data.items() if isinstance(item, h5py.Dataset) and item.shape == types.shape}
        return Cells(path, hdf5.time_of(file), int(file.attrs.get("step", -1)), points, shapes, about)
    return hdf5.read(path, look)


def block_numbers(file, what):
    """Numbers of the blocks for which a file has `what`."""
    return sorted(int(name.rpartition(".")[2]) for name in file if name.rpartition(".")[0] == what and name.rpartition(".")[2].isdigit())


def nodes_of(path):
    """{block: (x, y, z), each [k][j][i]} of the nodes of blocks."""
    grid = os.path.join(os.path.dirname(path), "grid.h5")
    return hdf5.read(grid, lambda file: {b: tuple(file[f"{a}.{b}"][:] for a in "xyz") for b in block_numbers(file, "x")})


def corners_of_block(shape):
    """Corners [cell, 8] of the cells of a block of nodes [k][j][i], cells in the order [k][j][i]."""
    number = np.arange(int(np.prod(shape))).reshape(shape)
    low, high = slice(None, -1), slice(1, None)
    ends = ((low, low, low), (low, low, high), (low, high, high), (low, high, low),
            (high, low, low), (high, low, high), (high, high, high), (high, high, low))
    return np.stack([number[end].ravel() for end in ends], axis=1)


def of_blocks(path):
    """Cells of all blocks, one block after the other, each [k][j][i]."""
    nodes = nodes_of(path)
    points, corners, first = [], [], 0
    for block in nodes.values():
        corners.append(corners_of_block(block[0].shape) + first)
        points.append(np.stack([a.ravel() for a in block], axis=1))
        first += block[0].size
    corners = np.concatenate(corners) if corners else np.zeros((0, 8), np.int64)

    def value(name):
        found = hdf5.read(path, lambda file: np.concatenate([file[f"{name}.{b}"][:].ravel() for b in nodes]))
        if len(found) != len(corners):
            raise Problem(f"{path}: {name} has {len(found)} values for {len(corners)} cells")
        return found

    def look(file):
        names = dict.fromkeys(name.rpartition(".")[0] for name, item in file.items()
                              if isinstance(item, h5py.Dataset) and name.rpartition(".")[2].isdigit())
        about = {name: (*(hdf5.text_of(file[f"{name}.{next(iter(nodes))}"], text) for text in ("units", "long_name")),
                        lambda name=name: value(name)) for name in names}
        return hdf5.time_of(file), int(file.attrs.get("step", -1)), about
    t, step, about = hdf5.read(path, look)
    return Cells(path, t, step, np.concatenate(points) if points else np.zeros((0, 3)),
                 {12: (np.arange(len(corners)), corners)}, about)


def files_of(run):
    """Files of cells of a run, oldest first."""
    folder = run / "fields"
    return hdf5.files_in(folder, "fields-", ".vtkhdf") or hdf5.files_in(folder, "blocks-")


def open_cells(path):
    return of_mesh(path) if path.endswith(".vtkhdf") else of_blocks(path)
