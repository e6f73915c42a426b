"""spectra/*.h5: one file a time, datasets over k (docs/outputs.md)."""
import h5py

from triad_plot import hdf5
from triad_plot.problem import Absent, Problem


class Spectra:
    """One file of spectra, read whole: they are small."""

    def __init__(self, path):
        self.path = path
        hdf5.read(path, self._load)
        if "k" not in self.data:
            raise Problem(f"{path}: not a file of spectra (no dataset k)")

    def _load(self, file):
        self.t, self.step = hdf5.time_of(file), int(file.attrs.get("step", -1))
        self.data, self.units, self.about = {}, {}, {}
        for name, item in file.items():
            if isinstance(item, h5py.Dataset) and item.dtype.kind == "f":
                self.data[name] = item[()]
                self.units[name] = hdf5.text_of(item, "units")
                self.about[name] = hdf5.text_of(item, "long_name")

    def __contains__(self, name):
        return name in self.data

    def __getitem__(self, name):
        if name not in self.data:
            raise Absent(f"{self.path}: has no dataset {name}")
        return self.data[name]

    @property
    def k_min(self):
        """Width of a shell: a sum over a shell divided by it is a density in k."""
        k = self["k"]
        return float(k[1] - k[0]) if len(k) > 1 else 1.0
