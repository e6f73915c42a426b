"""Tables: series.csv and others like it, forces, profiles; as structured arrays, and as DataFrames where pandas is."""
import os

import numpy as np

from triad.datasets import listed, times_text
from triad.errors import CaseError, InputError
from triad.raising import raises_errors


def frame_of(array, units):
    """A pandas.DataFrame with .attrs["units"]; the structured array itself where pandas is not installed."""
    try:
        import pandas
    except ImportError:
        return array
    frame = pandas.DataFrame({name: array[name] for name in array.dtype.names})
    frame.attrs["units"] = dict(units)
    return frame


class Columns:
    """Columns by name, with units and meanings. Subclasses have names and __getitem__."""
    path, units, meanings, when = "", {}, {}, ""

    def __contains__(self, name):
        return name in self.names

    def __iter__(self):
        return iter(self.names)

    def keys(self):
        return list(self.names)

    @property
    def array(self):
        """All of it as a structured array."""
        out = np.empty(len(self), [(name, np.int64 if name == "step" else np.asarray(self[name]).dtype) for name in self.names])
        for name in self.names:
            out[name] = self[name]
        return out

    @property
    def frame(self):
        """All of it as a pandas.DataFrame, whose .attrs["units"] has the units; without pandas the structured array."""
        return frame_of(self.array, self.units)

    def __repr__(self):
        rest = [name for name in self.names if name not in ("step", "t", "dt")]
        return f"<{self.path}: {self.when}: {listed(rest) or 'no columns'}>"


class Series(Columns):
    """series.csv, or another table that is written like it: columns by name, with units and meanings.

    only: the columns that it shows, besides step and t."""

    @raises_errors
    def __init__(self, path, only=None):
        from triad_plot.read import series
        self._table = series.Series(path)
        self.path, self.units, self.meanings = path, self._table.units, self._table.formulae
        self._names = [name for name in self._table.columns if only is None or name in ("step", "t") or name in only]
        self.when = times_text(self.t, "rows")

    @property
    def names(self):
        return list(self._names)

    @property
    def t(self):
        return self._table.t

    @raises_errors
    def __getitem__(self, name):
        return self._table[name]

    def __len__(self):
        return len(self.t)

    def at(self, name, t):
        """A column at time t, linear between rows."""
        return self._table.at(name, t)


class Profiles(Columns):
    """profiles.csv: means over planes and time against a coordinate, which is the first column."""

    def __init__(self, path):
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                lines = [line.strip() for line in file if line.strip()]
        except OSError as error:
            raise InputError(f"{path}: {error.strerror}") from None
        self.path = path
        self.about = " ".join(line.lstrip("# ") for line in lines if line.startswith("#"))
        head, *rows = [line for line in lines if not line.startswith("#")] or [""]
        self._names = head.split(",")
        try:
            table = np.array([[float(word) if word else np.nan for word in row.split(",")] for row in rows])
            self._columns = dict(zip(self._names, table.reshape(len(rows), len(self._names)).T))
        except ValueError:
            raise CaseError(f"{path}: damaged: a row is not {len(self._names)} numbers") from None
        self.when = f"{len(rows)} rows"

    @property
    def names(self):
        return list(self._names)

    def __len__(self):
        return len(self._columns[self._names[0]])

    def __getitem__(self, name):
        if name not in self._columns:
            raise InputError(f"{self.path} has no {name}; the columns are {', '.join(self._names)}")
        return self._columns[name]


def open_table(path):
    """A table of a run directory: with a column t a Series, else Profiles."""
    if os.path.basename(path) == "profiles.csv":
        return Profiles(path)
    return Series(path)
