"""Triad's HDF5 files as named arrays with dimensions, coordinates and units: read when they are looked at."""
import numpy as np

from triad.errors import InputError, UsageError
from triad.told import told
from triad.values import numbers


class Variable:
    """One dataset: nothing is read until it is indexed or made an array (numpy.asarray, .values).

    dims: names of its dimensions; coords: {name: array} of those that have coordinates; unit, long_name; t of its file.
    """

    def __init__(self, dataset, name, shape, dims, unit, long_name, complex_pairs=False):
        self._of, self.name, self.shape, self.dims = dataset, name, shape, dims
        self.unit, self.long_name, self._pairs = unit, long_name, complex_pairs
        self.t = dataset.t

    @property
    def ndim(self):
        return len(self.shape)

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

    def __len__(self):
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
                raise UsageError(f"{self.name} has no coordinate {name}; the coordinates are {', '.join(self.coords)}")
            if not np.isscalar(where) or not np.isfinite(numbers(name, where, np.float64)):
                raise UsageError(f"{name} = {where!r} is not a position")
            index[self.dims.index(name)] = int(np.argmin(np.abs(self.coords[name] - where)))
        return self[tuple(index)]

    def to_xarray(self):
        import xarray
        return xarray.DataArray(self.values, dims=self.dims, coords=self.coords, name=self.name, attrs=self.attrs)

    def __repr__(self):
        where = ", ".join(f"{d}: {n}" for d, n in zip(self.dims, self.shape))
        return f"<{self.name} ({where}) [{self.unit}] {self.long_name}, t = {self.t:g}>"


def _is_scale(item):
    return item.attrs.get("CLASS") == b"DIMENSION_SCALE"


class Dataset:
    """One file, of one time: a mapping of names to Variables; t and step, attrs and notes of the file."""

    @told
    def __init__(self, path):
        from triad_plot.read import hdf5
        self.path = path
        self._hdf5 = hdf5
        hdf5.read(path, self._look)

    def _look(self, file):
        h5py = self._h5py()
        self.t, self.step = self._hdf5.time_of(file), int(file.attrs.get("step", -1))
        self.attrs = {name: value for name, value in file.attrs.items()}
        self._scales, self._about = {}, {}
        for name, item in file.items():
            if not isinstance(item, h5py.Dataset):
                continue
            if _is_scale(item) or item.ndim == 1 and name in ("kx", "ky", "kz"):
                self._scales[name] = item[()]
            self._about[name] = self._variable(name, item)
        self.notes = dict(file["notes"].attrs) if "notes" in file else {}

    @staticmethod
    def _h5py():
        import h5py
        return h5py

    def _variable(self, name, item):
        dims = tuple(next(iter(d.keys()), f"{name}_{i}") for i, d in enumerate(item.dims))
        return Variable(self, name, item.shape, (name,) if _is_scale(item) else dims, self._hdf5.text_of(item, "units"),
                        self._hdf5.text_of(item, "long_name"))

    def coordinate(self, name, n):
        found = self._scales.get(name)
        return found if found is not None and found.shape == (n,) else None

    @told
    def _read(self, name, index):
        return self._hdf5.read(self.path, lambda file: file[name][index])

    def __getitem__(self, name):
        if name not in self._about:
            raise InputError(f"{self.path} has no {name}; the datasets are {', '.join(self)}")
        return self._about[name]

    def __contains__(self, name):
        return name in self._about

    def __iter__(self):
        return (name for name in self._about if name not in self._scales or name == "t")

    def keys(self):
        return list(self)

    def to_xarray(self):
        import xarray
        return xarray.Dataset({name: self[name].to_xarray() for name in self if name != "t"},
                              attrs={"t": self.t, "step": self.step})

    def __repr__(self):
        return f"<{self.path}: t = {self.t:g}, step {self.step}: {', '.join(self)}>"


class Checkpoint(Dataset):
    """A checkpoint: modes complex [column, kz] with coordinates kx and ky of columns, or values at points."""

    def __init__(self, folder, at):
        import os
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
        """Exact values at points, as `triad query` has them: see Run.at."""
        return self._at(self.folder, points, what, None, device)


class Times:
    """Files of one kind in the order of their times; each is opened when it is looked at. times["E"] stacks what all have."""

    def __init__(self, paths, kind=Dataset):
        self._paths, self._kind, self._open = list(paths), kind, {}

    def __len__(self):
        return len(self._paths)

    def __iter__(self):
        return (self[i] for i in range(len(self)))

    def __getitem__(self, which):
        if isinstance(which, str):
            return self.stack(which)
        if isinstance(which, slice):
            return Times(self._paths[which], self._kind)
        path = self._paths[which]
        if path not in self._open:
            self._open[path] = self._kind(path)
        return self._open[path]

    @property
    def t(self):
        return np.array([one.t for one in self])

    @property
    def steps(self):
        return np.array([one.step for one in self])

    def nearest(self, t):
        """The file of the time nearest to t."""
        if not len(self):
            raise InputError("there are no files of this kind")
        return self[int(np.argmin(np.abs(self.t - t)))]

    def stack(self, name):
        """An array [time, ..] of what all files have by this name, of one shape."""
        parts = [one[name].values for one in self]
        if len({part.shape for part in parts}) > 1:
            raise UsageError(f"the shape of {name} changes with time; read each file")
        return np.array(parts)

    def __repr__(self):
        return f"<{len(self)} files>" + (f" from {self[0]} to {self[-1]}" if len(self) else "")
