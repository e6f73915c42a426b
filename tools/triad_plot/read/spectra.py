"""spectra/*.h5: one file a time, datasets over k, k_perp, k_par, .. (docs/reference/spectra.md)."""
import h5py
import numpy as np

from triad_plot.problem import Absent, Problem
from triad_plot.read import hdf5


class Spectra:
    """One file of spectra, read whole: they are small."""

    def __init__(self, path):
        self.path = path
        hdf5.read(path, self._load)
        if "k" not in self.data:
            raise Problem(f"{path}: not a file of spectra (no dataset k)")

    def _load(self, file):
        self.t, self.step = hdf5.time_of(file), int(file.attrs.get("step", -1))
        self.data, self.units, self.about, self.over = {}, {}, {}, {}
        for name, item in file.items():
            if isinstance(item, h5py.Dataset) and item.dtype.kind == "f":
                self.data[name] = item[()]
                self.units[name] = hdf5.text_of(item, "units")
                self.about[name] = hdf5.text_of(item, "long_name")
                self.over[name] = [next(iter(scale.keys()), "") for scale in item.dims]

    def __contains__(self, name):
        return name in self.data

    def __getitem__(self, name):
        if name not in self.data:
            raise Absent(f"{self.path}: has no dataset {name}{self._like(name)}")
        return self.data[name]

    def _like(self, name):
        """What there is under names that begin as this one does."""
        head = name.split("_")[0]
        near = sorted(n for n in self.data if n.split("_")[0] == head and self.is_curve(n))
        return f"; similar datasets are {', '.join(near)}" if near else ""

    def is_curve(self, name):
        """A spectrum over one kind of wavenumber: k, k_perp, k_par, k_x, .. (and not one of these itself)."""
        if self.data[name].ndim != 1 or name in ("k", "t") or name.startswith(("k_", "r_", "z_")):
            return False
        axis = self.over[name][0] or "k"
        return axis.startswith("k") and axis in self.data and len(self.data[name]) == len(self.data[axis])

    def axis(self, name):
        """Name of the wavenumber that dataset `name` is over."""
        self[name]
        if not self.is_curve(name):
            raise Absent(f"{self.path}: {name} is not a spectrum over shells, rings or planes{self._like(name)}")
        return self.over[name][0] or "k"

    def along(self, name):
        return self.data[self.over[name][0] or "k"]

    def width(self, name):
        """Width of a shell (ring, pair of planes): a sum over it divided by this is a density in k."""
        k = self.along(name)
        return float(k[1] - k[0]) if len(k) > 1 else 1.0

    def kept(self, name):
        """How many of its shells there are up to the last that holds energy: beyond lie no modes, only zeros."""
        k = self.along(name)
        energy = next((self.data[n] for n in ("E" + self.axis(name)[1:], "E") if n in self.data and
                       len(self.data[n]) == len(k)), np.ones(len(k)))
        held = np.nonzero(energy > 0)[0]
        return int(held[-1]) + 1 if len(held) else len(k)
