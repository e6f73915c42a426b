"""Named arrays with dimensions, coordinates and units: those of HDF5 files, read when they are indexed, and those in memory."""
import os

import numpy as np

from triad.errors import InputError, UsageError
from triad.raising import import_required, raises_errors
from triad.values import numbers


class Variable:
    """One array: nothing is read until it is indexed or made an array (numpy.asarray, .values).

    dims: names of its dimensions; coords: {name: array} of those that have coordinates; unit, long_name; t of its file.
    """

    def __init__(self, dataset, name, shape, dims, unit, long_name, complex_pairs=False):
        self._of, self.name, self.shape, self.dims = dataset, name, tuple(shape), tuple(dims)
        self.unit, self.long_name, self._pairs = unit, long_name, complex_pairs

    @property
    def t(self):
        return self._of.t

    @property
    def ndim(self):
        return len(self.shape)

    @property
    def size(self):
        return int(np.prod(self.shape, dtype=np.int64))

    @property
    def coords(self):
        return {name: self._of.coordinate(name, n) for name, n in zip(self.dims, self.shape)
                if self._of.coordinate(name, n) is not None}

    @property
    def attrs(self):
        return {"units": self.unit, "long_name": self.long_name}

    @property
    def values(self):
        return self[...]

    def __array__(self, dtype=None, copy=None):
        return np.asarray(self[...], dtype)

    def __float__(self):
        return float(self[...])

    def __len__(self):
        if not self.shape:
            raise TypeError(f"{self.name} is one number")
        return self.shape[0]

    def __getitem__(self, index):
        if not self._pairs:
            return self._of._read(self.name, index)
        values = self._of._read(self.name, self._before_the_pair(index))
        return values[..., 0] + 1j * values[..., 1]

    def _before_the_pair(self, index):
        """Of the file's dimensions, of which real and imaginary part are the last: "..." ends before that."""
        index = index if isinstance(index, tuple) else (index,)
        whole = [i for i, one in enumerate(index) if one is Ellipsis]
        if not whole:
            return index
        return (*index[:whole[0]], *[slice(None)] * (self.ndim - len(index) + 1), *index[whole[0] + 1:], slice(None))

    def sel(self, **places):
        """The values nearest to places along its dimensions: v.sel(z=0.5)."""
        index = [slice(None)] * self.ndim
        for name, where in places.items():
            if name not in self.dims or name not in self.coords:
                have = ", ".join(self.coords)
                raise UsageError(f"{self.name} has no coordinate {name}" + (f"; the coordinates are {have}" if have else ""))
            if not np.isscalar(where) or not np.isfinite(numbers(name, where, np.float64)):
                raise UsageError(f"{name} = {where!r} is not a position")
            index[self.dims.index(name)] = int(np.argmin(np.abs(self.coords[name] - where)))
        return self[tuple(index)]

    def to_xarray(self):
        xarray = import_required("xarray")
        return xarray.DataArray(self.values, dims=self.dims, coords=self.coords, name=self.name, attrs=self.attrs)

    def __repr__(self):
        where = ", ".join(f"{d}: {n}" for d, n in zip(self.dims, self.shape))
        unit = f" [{self.unit}]" if self.unit else ""
        words = f" {self.long_name}," if self.long_name else ""
        return f"<{self.name} ({where}){unit}{words} {self._of.when}>"


class Arrays:
    """A mapping of names to Variables. Subclasses fill _about {name: Variable} and _scales {name: coordinates}, and read."""
    path, t, step, when = "", np.nan, -1, ""

    def coordinate(self, name, n):
        found = self._scales.get(name)
        return found if found is not None and found.shape == (n,) else None

    def __getitem__(self, name):
        if name not in self._about:
            raise InputError(f"{self.path} has no {name}; the datasets are {', '.join(self)}")
        return self._about[name]

    def __contains__(self, name):
        return name in self._about

    def __iter__(self):
        return (name for name in self._about if name not in self._scales and name != "t")

    def __len__(self):
        return sum(1 for _ in self)

    def keys(self):
        return list(self)

    def values(self):
        return [self[name] for name in self]

    def items(self):
        return [(name, self[name]) for name in self]

    def to_xarray(self):
        xarray = import_required("xarray")
        return xarray.Dataset({name: self[name].to_xarray() for name in self}, attrs={"t": self.t, "step": self.step})

    def __repr__(self):
        return f"<{self.path}: {self.when}: {listed(self)}>"


def listed(names, most=12):
    """Names after each other, the first ones of many."""
    names = [str(name) for name in names if name != "t"]
    return ", ".join(names[:most]) + (f", .. ({len(names)} in all)" if len(names) > most else "")


class Held(Arrays):
    """Arrays in memory: {name: (values, dims, unit, long_name)}."""

    def __init__(self, path, t, when, arrays, scales=None):
        self.path, self.t, self.when = path, t, when
        self._scales = dict(scales or {})
        self._data = {name: np.asarray(entry[0]) for name, entry in arrays.items()}
        self._about = {name: Variable(self, name, self._data[name].shape, *entry[1:]) for name, entry in arrays.items()}

    def _read(self, name, index):
        return self._data[name][index]


def _is_scale(item):
    return item.attrs.get("CLASS") == b"DIMENSION_SCALE"


class Dataset(Arrays):
    """One file, of one time: a mapping of names to Variables; t and step, attrs and notes of the file."""

    @raises_errors
    def __init__(self, path):
        from triad_plot.read import hdf5
        self.path = path
        self._hdf5 = hdf5
        hdf5.read(path, self._look)

    def _look(self, file):
        self._read_time(file)
        self.attrs = {name: value for name, value in file.attrs.items()}
        self._scales, self._about = {}, {}
        h5py = self._hdf5.h5py
        for name, item in file.items():
            if not isinstance(item, h5py.Dataset):
                continue
            if _is_scale(item) or item.ndim == 1 and name in ("kx", "ky", "kz"):
                self._scales[name] = item[()]
            self._about[name] = self._variable(name, item)
        self.notes = dict(file["notes"].attrs) if "notes" in file else {}

    def _read_time(self, file):
        self.t, self.step = self._hdf5.time_of(file), int(file.attrs.get("step", -1))
        self.when = f"t = {self.t:g}"

    def _variable(self, name, item):
        dims = tuple(next(iter(d.keys()), f"{name}_{i}") for i, d in enumerate(item.dims))
        return Variable(self, name, item.shape, (name,) if _is_scale(item) else dims, self._hdf5.text_of(item, "units"),
                        self._hdf5.text_of(item, "long_name"))

    @raises_errors
    def _read(self, name, index):
        return self._hdf5.read(self.path, lambda file: file[name][index])

    def positions(self):
        """Where the values of a file of fields are: [z, y, x, 3]."""
        axes = [self._scales.get(letter) for letter in "zyx"]
        if any(axis is None for axis in axes):
            raise UsageError(f"{self.path}: not a file of fields at points x, y, z")
        z, y, x = np.meshgrid(*axes, indexing="ij")
        return np.stack([x, y, z], axis=-1)

    def to_vtk(self):
        """A file of fields as VTK has it: points of a grid with values, components of vectors together."""
        from triad import vtkdata
        return vtkdata.of_points(self)

    def to_pyvista(self):
        """The same as PyVista has it."""
        return import_required("pyvista").wrap(self.to_vtk())

    def __repr__(self):
        return f"<{self.path}: {self.when}, step {self.step}: {listed(self)}>"


class Rows(Dataset):
    """A file with a row for each time, as those of particles: t and step are arrays, the first dimension of the others."""

    def _read_time(self, file):
        if "t" not in file:
            raise KeyError("not a file with rows in time (no dataset t)")
        self.t = file["t"][:]
        self.step = file["step"][:] if "step" in file else np.full(len(self.t), -1)
        self.when = times_text(self.t, "rows")

    def __iter__(self):
        return (name for name in self._about if name not in self._scales and name not in ("t", "step"))

    def at(self, t):
        """The number of the row nearest to a time."""
        if not len(self.t):
            raise InputError(f"{self.path} has no rows yet")
        return int(np.argmin(np.abs(self.t - t)))

    def to_xarray(self):
        xarray = import_required("xarray")
        return xarray.Dataset({name: self[name].to_xarray() for name in self}, coords={"t": self.t, "step": ("t", self.step)})

    def __repr__(self):
        return f"<{self.path}: {self.when}: {listed(self)}>"


def times_text(t, what):
    """'11 rows, t = 0 to 0.5'."""
    if not len(t):
        return f"no {what}"
    words = f"{len(t)} {what if len(t) > 1 else what[:-1]}, t = {t[0]:g}"
    return words + (f" to {t[-1]:g}" if len(t) > 1 else "")


class Particles(Rows):
    """A group of particles: position, velocity and what was sampled, each [row, particle, ..]."""

    @property
    def name(self):
        return os.path.basename(self.path)[:-3]

    @property
    def count(self):
        return self["position"].shape[1]

    def __repr__(self):
        return f"<{self.path}: {self.count} particles, {self.when}: {listed(self)}>"


class Checkpoint(Dataset):
    """A checkpoint: modes complex [column, kz] with coordinates kx and ky of columns, or values at points."""

    def __init__(self, folder, at):
        names = [name for name in ("modes.h5", "points.h5") if os.path.exists(os.path.join(folder, name))]
        if not names:
            raise InputError(f"{folder}: not a checkpoint: modes.h5 and points.h5 are missing")
        self.folder, self._at = folder, at
        super().__init__(os.path.join(folder, names[0]))

    def _variable(self, name, item):
        modes = self.path.endswith("modes.h5") and item.ndim == 3
        if not modes:
            return super()._variable(name, item)
        return Variable(self, name, item.shape[:2], ("column", "kz"), "", "", True)

    def at(self, points, what="fields", device="auto"):
        """Exact values at points, as `triad query` has them: see Run.query."""
        return self._at(self.folder, points, what, None, device)


class Times:
    """Files of one kind in the order of their times; each is opened when it is looked at. times["E"] stacks what all have.

    missing: what an empty one says of why there are none."""

    def __init__(self, paths, kind=Dataset, missing="there are no files of this kind"):
        self._paths, self._kind, self._open, self._missing = list(paths), kind, {}, missing

    def __len__(self):
        return len(self._paths)

    def __iter__(self):
        return (self[i] for i in range(len(self)))

    def __getitem__(self, which):
        if isinstance(which, slice):
            return type(self)(self._paths[which], self._kind, self._missing)
        if not len(self):
            raise InputError(self._missing)
        if isinstance(which, str):
            return self.stack(which)
        path = self._paths[which]
        if path not in self._open:
            self._open[path] = self._kind(path)
        return self._open[path]

    @property
    def paths(self):
        return list(self._paths)

    @property
    def t(self):
        return np.array([one.t for one in self])

    @property
    def steps(self):
        return np.array([one.step for one in self])

    def nearest(self, t):
        """The file of the time nearest to t."""
        if not len(self):
            raise InputError(self._missing)
        return self[int(np.argmin(np.abs(self.t - t)))]

    def stack(self, name):
        """An array [time, ..] of what all files have by this name, of one shape."""
        parts = [one[name].values for one in self]
        if len({part.shape for part in parts}) > 1:
            raise UsageError(f"the shape of {name} changes with time; read each file")
        return np.array(parts)

    def __repr__(self):
        if not len(self):
            return f"<no files: {self._missing}>"
        one = len(self) == 1
        return f"<{len(self)} file{'s' * (not one)}, {self[0].when}{'' if one else f' to {self[-1].t:g}'}: {listed(self[-1])}>"


class Groups(dict):
    """Named parts of a run; missing: what an empty one says of why there are none."""

    def __init__(self, parts, missing):
        super().__init__(parts)
        self._missing = missing

    def __missing__(self, name):
        raise InputError(f"there is no {name}; there are {', '.join(map(str, self))}" if self else self._missing)

    def __repr__(self):
        return "<" + "\n ".join(f"{name}: {part!r}" for name, part in self.items()) + ">" if self else f"<none: {self._missing}>"


class Nothing(Arrays):
    """An empty mapping in the place of a part that a run does not have."""

    def __init__(self, missing):
        self._about, self._scales, self._missing = {}, {}, missing

    def __getitem__(self, name):
        raise InputError(self._missing)

    def __repr__(self):
        return f"<none: {self._missing}>"
