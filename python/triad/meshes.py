"""Fields of meshes and of blocks: a value a cell, with the cells' corners, centres and volumes; walls with a value a face."""
import numpy as np

from triad.datasets import Arrays, Groups, Held, Variable, listed
from triad.errors import InputError
from triad.tables import frame_of
from triad.raising import import_required, raises_errors


class Mesh(Arrays):
    """Fields of a mesh: a mapping of names to Variables of dimension (cell).

    points [point, 3]: corners; shapes: {VTK's type: (numbers of its cells, their corners [cell, corner])}; centres
    [cell, 3] and volumes [cell]; t, step."""
    kind = "mesh"

    @raises_errors
    def __init__(self, path):
        self._cells = self._open(path)
        self.path, self.t, self.step = path, self._cells.t, self._cells.step
        self.when, self._scales = f"t = {self.t:g}", {}
        self._about = {name: Variable(self, name, (self._cells.n,), ("cell",), self._cells.unit(name), self._cells.words(name))
                       for name in self._cells.names}

    @staticmethod
    def _open(path):
        from triad_plot.read import cells
        return cells.of_mesh(path)

    @property
    def n(self):
        """How many cells."""
        return self._cells.n

    @property
    def points(self):
        return self._cells.points

    @property
    def shapes(self):
        return self._cells.shapes

    @property
    def centres(self):
        return self._cells.centres

    @property
    def volumes(self):
        return self._cells.volumes

    def positions(self):
        """Where the values are: the centres of cells."""
        return self.centres

    @raises_errors
    def _read(self, name, index):
        return self._cells.value(name)[index]

    def integral(self, name):
        """The sum of a field times the volumes of its cells."""
        return float(np.sum(self[name].values * self.volumes))

    def to_vtk(self):
        """A vtkUnstructuredGrid with all fields as data of cells, components of vectors together."""
        from triad import vtkdata
        return vtkdata.of_mesh(self)

    def to_pyvista(self):
        """The same as PyVista has it."""
        return import_required("pyvista").wrap(self.to_vtk())

    def __repr__(self):
        return f"<{self.path}: {self.kind} of {self.n} cells, {self.when}, step {self.step}: {listed(self)}>"


class Blocks(Mesh):
    """Fields of curvilinear blocks: of all blocks, one after the other, as a mesh has them.

    blocks: a list of mappings, one for each block, with "x", "y", "z" of its nodes [k, j, i] and its fields."""
    kind = "blocks"

    @staticmethod
    def _open(path):
        from triad_plot.read import cells
        return cells.of_blocks(path)

    @property
    def blocks(self):
        from triad_plot.read import cells
        out, first = [], 0
        for number, nodes in raises_errors(cells.nodes_of)(self.path).items():
            shape = tuple(n - 1 for n in nodes[0].shape)
            size = int(np.prod(shape))
            out.append(Block(self, number, nodes, shape, slice(first, first + size)))
            first += size
        return out

    def to_vtk(self):
        """A vtkMultiBlockDataSet of a vtkStructuredGrid a block."""
        from triad import vtkdata
        return vtkdata.of_blocks(self)


class Block(Arrays):
    """One block: nodes x, y, z [k, j, i] and fields of its cells, each one fewer along every axis."""

    def __init__(self, whole, number, nodes, shape, part):
        self._whole, self._nodes, self._part = whole, dict(zip("xyz", nodes)), part
        self.path, self.t, self.step, self.when, self._scales = whole.path, whole.t, whole.step, whole.when, {}
        self.number, self.shape = number, shape
        self._about = {a: Variable(self, a, n.shape, ("k_node", "j_node", "i_node"), "L", f"{a} of nodes") for a, n in self._nodes.items()}
        for name in whole:
            one = whole[name]
            self._about[name] = Variable(self, name, shape, ("k", "j", "i"), one.unit, one.long_name)

    def _read(self, name, index):
        if name in self._nodes:
            return self._nodes[name][index]
        return self._whole[name][self._part].reshape(self.shape)[index]

    def __repr__(self):
        return f"<block {self.number} of {self.path}: {' x '.join(map(str, self.shape[::-1]))} cells, {self.when}: {listed(self)}>"


class Wall(Held):
    """A wall: arrays with a value a face. position [face, 3], area [face, 3]: vectors out of the flow; array, frame: a table."""

    @property
    def position(self):
        return np.stack([self[a].values for a in "xyz"], axis=1)

    @property
    def area(self):
        return np.stack([self[f"area_{a}"].values for a in "xyz"], axis=1)

    @property
    def array(self):
        """A structured array with a row a face."""
        out = np.empty(len(self["x"]), [(name, float) for name in self])
        for name in self:
            out[name] = self[name].values
        return out

    @property
    def frame(self):
        """The same as a pandas.DataFrame; without pandas the structured array."""
        return frame_of(self.array, {name: self[name].unit for name in self})


class Surface(Groups):
    """The walls at one time: a mapping of their names to Walls; t, step."""

    @raises_errors
    def __init__(self, path):
        from triad_plot.read import hdf5
        self.path = path
        self.t, self.step, walls = hdf5.read(path, lambda file: (hdf5.time_of(file), int(file.attrs.get("step", -1)), _walls(hdf5, file)))
        self.when = f"t = {self.t:g}"
        super().__init__({name: Wall(path, self.t, self.when, arrays) for name, arrays in walls.items()}, f"{path} has no walls")

    def __missing__(self, name):
        raise InputError(f"{self.path} has no wall {name}; the walls are {', '.join(self)}" if self else self._missing)

    def __repr__(self):
        return f"<{self.path}: {self.when}: {listed(self)}>"


def _walls(hdf5, file):
    """{wall: {name: (values, dims, unit, long_name)}}: a dataset is called p.WALL, and a wall may have points in its name."""
    out = {}
    for full, item in file.items():
        name, _, wall = full.partition(".")
        if wall and isinstance(item, hdf5.h5py.Dataset) and item.ndim == 1:
            out.setdefault(wall, {})[name] = item[:], ("face",), hdf5.text_of(item, "units"), hdf5.text_of(item, "long_name")
    first = ("x", "y", "z", "area_x", "area_y", "area_z")
    return {wall: {n: arrays[n] for n in (*(f for f in first if f in arrays), *(n for n in arrays if n not in first))}
            for wall, arrays in out.items()}
