"""particles/NAME.h5: rows of a group of particles, each dataset read when it is asked for."""
import functools

import numpy as np

from triad_plot import hdf5
from triad_plot.problem import Absent


class Group:
    def __init__(self, path):
        self.path = path
        self.data = {}

    def __contains__(self, name):
        return hdf5.read(self.path, lambda file: name in file)

    def __getitem__(self, name):
        if name not in self.data:
            if name not in self:
                raise Absent(f"{self.path}: has no {name} (sample, of [[particles]])")
            self.data[name] = hdf5.read(self.path, lambda file: file[name][:])
        return self.data[name]

    def part(self, name, *where):
        """self[name][where], and no more of it is read."""
        if name in self.data or name not in self:
            return self[name][where]
        return hdf5.read(self.path, lambda file: file[name][where])

    @property
    def t(self):
        return self["t"]

    @property
    def step(self):
        return self["step"]

    @functools.cached_property
    def count(self):
        return hdf5.read(self.path, lambda file: int(file["position"].shape[1]))

    def key(self, run, name):
        """What the case says of it."""
        own = self.path.replace("\\", "/").rsplit("/", 1)[-1][:-3]
        number = next((k for k in range(1, 65) if run.case.get(f"particles[{k}].name") == own), 0)
        return run.case.get(f"particles[{number}].{name}")

    def kind(self, run):
        return self.key(run, "kind")

    @staticmethod
    def kinetic(series, row):
        return float(series["kinetic_energy" if "kinetic_energy" in series else "energy"][row])

    @functools.cached_property
    def interval(self):
        """Of rows that are evenly spaced; Absent where they are not."""
        gaps = np.diff(self.t)
        if len(gaps) < 4 or np.ptp(gaps) > 1e-3 * gaps.mean():
            raise Absent(f"{self.path}: its rows are not evenly spaced in time: take time.dt and an interval of whole steps")
        return float(gaps.mean())
