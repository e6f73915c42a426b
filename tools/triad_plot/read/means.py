"""means.h5 and means/means-*.h5: means over time with their standard errors (docs/reference/probes-means-particles.md)."""
import os

import h5py

from triad_plot.problem import Absent
from triad_plot.read import hdf5

COMPANIONS = ("_error", "_trend", "_trend_error")   # of a name


def windows_of(run):
    """Files of a run with output.means_window, in order."""
    return hdf5.files_in(run / "means", "means-")


def path_of(run):
    """means.h5, or the newest window; None."""
    path = run / "means.h5"
    return path if os.path.exists(path) else next(reversed(windows_of(run)), None)


def about(file):
    """(samples, blocks, (first, last t)) of an open file; KeyError if it is not one of means."""
    if "samples" not in file.attrs:
        raise KeyError("not a file of means (attribute samples is missing)")
    return int(file.attrs["samples"]), int(file.attrs["blocks"]), tuple(float(t) for t in file.attrs["times"])


class Means:
    """numbers {name: (mean, error, trend, error of the trend, unit)}, nan where a trend is not known; arrays {name: (over, values,
    errors, unit)}; scales {over: (values, unit)}; samples, blocks, times."""

    def __init__(self, run):
        self.path = path_of(run)
        if not self.path and run.solver == "fct" and run.case.get("output.means"):
            raise Absent(f"{run.path}: means of fct are in its fields, without errors: use slice or contour --field mean_u")
        if not self.path:
            raise Absent(f"{run.path}: has no means (output.means)")
        self.run, self.arrays, self.numbers, self.scales = run, {}, {}, {}
        hdf5.read(self.path, self._look)

    def _look(self, file):
        self.samples, self.blocks, self.times = about(file)
        for name, item in file.items():
            if not isinstance(item, h5py.Dataset) or name.endswith(COMPANIONS) or f"{name}_error" not in file or item.ndim != 1:
                continue
            over = next(iter(item.dims[0].keys()), "")
            values, error, unit = item[:], file[f"{name}_error"][:], hdf5.text_of(item, "units")
            if over in file:
                self.scales[over] = file[over][:], hdf5.text_of(file[over], "units")
                self.arrays[name] = over, values, error, unit
            elif item.shape == (1,):
                trend = [float(file[name + end][0]) if name + end in file else float("nan") for end in COMPANIONS[1:]]
                self.numbers[name] = float(values[0]), float(error[0]), *trend, unit

    def words(self):
        return f"mean of {self.samples} samples, t\u00a0=\u00a0{self.times[0]:.4g} to {self.times[1]:.4g}, {self.blocks} blocks"
