"""Means over time with their standard errors: those that a run has made (means.h5), and means of files of spectra."""
import os

import numpy as np

from triad.datasets import Dataset, Held, Variable, listed
from triad.errors import InputError, UsageError
from triad.tables import frame_of
from triad_plot.compute.errors import error_of, is_stationary



class Mean(Variable):
    """A mean over time: an array or one number, with .error, its standard error of the same shape; nan where none is known.

    A number of the series also has .trend, how far it drifts over the samples, with .trend_error."""

    @property
    def error(self):
        return self._of.companion(self.name, "_error")

    @property
    def trend(self):
        return self._of.companion(self.name, "_trend")

    @property
    def trend_error(self):
        return self._of.companion(self.name, "_trend_error")

    @property
    def stationary(self):
        """Is the drift within two of its standard errors? None where no drift is known."""
        trend, error = self.trend, self.trend_error
        if np.ndim(trend) or not np.isfinite([trend, error]).all():
            return None
        return is_stationary(trend, error)

    def to_xarray(self):
        out = super().to_xarray()
        return out.to_dataset(name=self.name).assign({f"{self.name}_error": (self.dims, np.asarray(self.error))}) if self.shape else out

    def __repr__(self):
        unit = f" {self.unit}" if self.unit not in ("", "1") else ""
        if self.shape:
            where = ", ".join(f"{d}: {n}" for d, n in zip(self.dims, self.shape))
            return f"<mean of {self.name} ({where}){unit and f' [{self.unit}]'} with .error, {self._of.when}>"
        drift = {True: "; looks stationary", False: f"; drifts by {self.trend:.2g}", None: ""}[self.stationary]
        return f"<mean of {self.name}: {float(self):.5g} +- {float(self.error):.2g}{unit}{drift}>"


class Means(Dataset):
    """A file of means: a mapping of names to Means. times: of the first and the last sample; samples, blocks; numbers: a
    table of all numbers of the series with errors and drifts; windows: the files of a run with output.means_window."""
    windows = ()

    def _read_time(self, file):
        from triad_plot.read.means import about
        self.samples, self.blocks, self.times = about(file)
        self.t, self.step = self.times[-1], int(file.attrs.get("step", -1))
        self.when = f"{self.samples} samples of t = {self.times[0]:g} to {self.times[-1]:g}"

    def _variable(self, name, item):
        plain = super()._variable(name, item)
        alone = item.shape == (1,) and name not in self._scales and not next(iter(item.dims[0].keys()), "")
        return Mean(self, name, () if alone else item.shape, () if alone else plain.dims, plain.unit, plain.long_name)

    def _read(self, name, index):
        if name in self._about and not self._about[name].shape:
            return super()._read(name, (0,))
        return super()._read(name, index)

    def companion(self, name, end):
        """NAME_error and the like."""
        found = self._about.get(name + end)
        return found[...] if found is not None else np.full(self._about[name].shape, np.nan)[()]

    def __iter__(self):
        from triad_plot.read.means import COMPANIONS
        ends = {name + end for name in self._about for end in COMPANIONS}
        return (name for name in self._about if name not in self._scales and name not in ends)

    @property
    def numbers(self):
        """A row for each number of the series: name, mean, error, trend, trend_error, unit. A DataFrame where pandas is."""
        names = [name for name in self if not self[name].shape]
        width = max([len(name) for name in names] + [len(self[name].unit) for name in names] + [1])
        rows = [(name, float(m), float(m.error), float(m.trend), float(m.trend_error), m.unit) for name, m in ((n, self[n]) for n in names)]
        kinds = [("name", f"U{width}"), *((k, float) for k in ("mean", "error", "trend", "trend_error")), ("unit", f"U{width}")]
        return frame_of(np.array(rows, kinds), {})

    def __repr__(self):
        return f"<{self.path}: {self.when}, errors from {self.blocks} blocks: {listed(self)}>"


class FieldMeans:
    """Means of the fields of a mesh, which its newest file of fields has: without errors."""
    windows, BEGINS = (), ("mean_", "stress_", "variance_")

    def __init__(self, mesh):
        self._mesh, self.path, self.t, self.when = mesh, mesh.path, mesh.t, f"over time up to t = {mesh.t:g}"

    def __iter__(self):
        return (name for name in self._mesh if name.startswith(self.BEGINS))

    def __len__(self):
        return sum(1 for _ in self)

    def keys(self):
        return list(self)

    def items(self):
        return [(name, self[name]) for name in self]

    def __contains__(self, name):
        return name in self.keys()

    def companion(self, name, _end):
        return np.full(self._mesh[name].shape, np.nan)

    def coordinate(self, name, n):
        return self._mesh.coordinate(name, n)

    def _read(self, name, index):
        return self._mesh._read(name, index)

    def __getitem__(self, name):
        if name not in self:
            raise InputError(f"{self.path} has no mean {name}; there are {', '.join(self)}")
        one = self._mesh[name]
        return Mean(self, name, one.shape, one.dims, one.unit, one.long_name)

    def __repr__(self):
        return f"<{self.path}: means {self.when}, without errors: {listed(self)}>"


class TimeMean(Held):
    """Means of spectra, or of other files of one shape, over their times: a mapping of names to Means with .error."""

    def __init__(self, times, t_from, t_to):
        files = [one for one in times if t_from <= one.t <= t_to]
        if not files:
            have = times.t
            raise InputError(f"no file has t = {t_from:g} to {t_to:g}; there are t = {have[0]:g} to {have[-1]:g}")
        last = files[-1]
        changed = next((n for n in last for one in files if n in one and one[n].shape != last[n].shape), None)
        if changed:
            raise UsageError(f"the shape of {changed} changes between t = {t_from:g} and {t_to:g}: choose times of one grid")
        arrays, self._errors = {}, {}
        for name in last:
            if any(name not in one for one in files):
                continue
            rows = np.array([one[name].values for one in files])
            arrays[name] = rows.mean(axis=0), last[name].dims, last[name].unit, last[name].long_name
            self._errors[name] = error_of(rows)
        self.times, self.samples = (files[0].t, last.t), len(files)
        when = f"{len(files)} file{'s' * (len(files) > 1)} of t = {files[0].t:g} to {last.t:g}"
        super().__init__(os.path.dirname(last.path), last.t, when, arrays, last._scales)
        self._about = {name: Mean(self, name, v.shape, v.dims, v.unit, v.long_name) for name, v in self._about.items()}

    def companion(self, name, end):
        return self._errors[name] if end == "_error" else np.nan

    def __repr__(self):
        return f"<{self.path}: mean of {self.when}: {listed(self)}>"
