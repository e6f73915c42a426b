"""Probes of any solver: rows of fields at fixed points, of probes.csv or of the files probes/NAME-STEP.h5 of solver fct."""
import os
import re

import numpy as np

from triad_plot.problem import Absent, Problem
from triad_plot.read import hdf5
from triad_plot.read.series import Series

EVEN = 1e-6     # of an interval: times that count as evenly spaced
PLACE = re.compile(r".* at \(([^()]*)\)")


class Table:
    """Points of probes.csv. t [row]; x [point, 3], nan if the file has no coordinates; fields by name."""
    shape = None

    def __init__(self, path):
        self.path, self.name = path, "points"
        self.series = Series(path)
        self.t, found = self.series.t, {}
        for name in self.series.columns:
            column = re.fullmatch(r"(\w+)_(\d+)", name)
            if column:
                found.setdefault(column[1], {})[int(column[2])] = name
        if not found:
            raise Absent(f"{path}: has no columns of probes")
        self.columns = {field: [places[i] for i in sorted(places)] for field, places in found.items()}
        self.x = np.array([self._place(name) for name in next(iter(self.columns.values()))])

    def _place(self, column):
        said = PLACE.fullmatch(self.series.formulae.get(column, ""))
        return [float(word) for word in said[1].split(",")] if said else [np.nan] * 3

    @property
    def fields(self):
        return list(self.columns)

    def unit(self, field):
        return self.series.unit(self.columns[field][0])

    def read(self, field, points=slice(None)):
        """[row, point]; empty places are nan."""
        return np.stack([self.series[name] for name in self.columns[field][points]], axis=1)


class Files:
    """Points of probes/NAME-STEP.h5. shape: points along it, and around a cylinder or a ring of a disk."""

    def __init__(self, name, paths):
        self.name, self.path = name, os.path.join(os.path.dirname(paths[-1]), f"{name}-*.h5") if len(paths) > 1 else paths[0]
        about = [hdf5.read(path, self._look) for path in paths]
        self.x, self.shape, self.units = about[-1][1:]
        # A run that was resumed from an older checkpoint has written later rows again: the newer file counts.
        kept = [(path, np.nonzero(t < min((later[0][0] for later in about[i + 1:] if len(later[0])), default=np.inf))[0])
                for i, (path, (t, *_)) in enumerate(zip(paths, about))]
        self.parts = [(path, len(rows)) for path, rows in kept if len(rows)]
        self.t = np.concatenate([t[:len(rows)] for (t, *_), (_, rows) in zip(about, kept)])
        other = next((path for path, (_, x, *_) in zip(paths, about) if not np.array_equal(x, self.x)), None)
        if other:
            raise Problem(f"{other}: its points are not those of {paths[-1]}: move the files of one of the two away")
        if not len(self.t):
            raise Absent(f"{self.path}: has no rows yet")

    @staticmethod
    def _look(file):
        shape = [int(n) for n in file.attrs["shape"]] if "shape" in file.attrs else [len(file["x"]), 1]
        units = {name: hdf5.text_of(item, "units") for name, item in file.items() if name not in ("t", "x") and item.ndim == 2}
        return file["t"][:], file["x"][:], tuple(shape), units

    @property
    def fields(self):
        return list(self.units)

    def unit(self, field):
        return self.units[field]

    def read(self, field, points=slice(None)):
        """[row, point]"""
        return np.concatenate([hdf5.read(path, lambda file, n=n: file[field][:n, points]) for path, n in self.parts])


def files_of(run):
    """{name: paths in the order of their steps} of the files in probes/."""
    found = {}
    for path in hdf5.files_in(run / "probes", ""):
        name = re.fullmatch(r"(.+)-\d+\.h5", os.path.basename(path))
        if name and not name[1].startswith("."):
            found.setdefault(name[1], []).append(path)
    return found


def names_in(run):
    return (["points"] if os.path.exists(run / "probes.csv") else []) + list(files_of(run))


def open_one(run, name):
    return Table(run / "probes.csv") if name == "points" and os.path.exists(run / "probes.csv") else Files(name, files_of(run)[name])


def missing(run):
    """An Absent that says why a run has no probes."""
    if run.solver == "multiblock":
        return Absent(f"{run.path}: solver multiblock has no probes")
    if run.case.get("output.probes"):
        return Absent(f"{run.path}: has no rows of probes yet: solver fct writes them with checkpoints and at the end")
    return Absent(f"{run.path}: has no probes; set output.probes")


def choose(run, wanted):
    """(probe, field) of NAME:FIELD, NAME or FIELD; by default the first field of the first probe, pressure if it has one of solver fct."""
    names = names_in(run)
    if not names:
        raise missing(run)
    name, colon, field = (wanted or "").rpartition(":")
    if not colon and field in names:
        name, field = field, ""
    if name and name not in names:
        raise Absent(f"{run.path}: has no probe {name[:80]}; the probes are {', '.join(names)}")
    probe = open_one(run, name or names[0])
    field = field or ("p" if isinstance(probe, Files) and "p" in probe.fields else probe.fields[0])
    if field not in probe.fields:
        raise Absent(f"{probe.path}: has no field {field[:80]}; the fields are {', '.join(probe.fields)}" +
                     (f", the probes {', '.join(names)}" if len(names) > 1 and not name else ""))
    return probe, field


def is_even(t):
    gaps = np.diff(t)
    return bool(len(gaps)) and float(np.ptp(gaps)) <= 2 * EVEN * float(gaps.mean())
