"""A run directory, or what is left of one: each part is read when it is asked for."""
import csv
import functools
import json
import os

from triad_plot.problem import MISSING, Absent, Problem, of_reading
from triad_plot.read import case, hdf5
from triad_plot.read.particles import Group
from triad_plot.read.series import Series
from triad_plot.read.spectra import Spectra

PARTS = ("series.csv", "case.resolved.toml", "spectra", "slices", "fields", "checkpoints")


def is_run(path):
    return os.path.isdir(path) and any(os.path.exists(os.path.join(path, part)) for part in PARTS)


def newest_below(folder):
    """The run directory to take when none is named: this one, or the one below that was changed last; None."""
    if is_run(folder):
        return folder
    below = [os.path.join(folder, name) for name in sorted(os.listdir(folder))]
    below = [path for path in below if is_run(path) and os.path.exists(os.path.join(path, "series.csv"))]
    return max(below, key=lambda path: os.path.getmtime(os.path.join(path, "series.csv")), default=None)


class Run:
    def __init__(self, path):
        self.path = path.rstrip("/") or path
        self.label = os.path.basename(os.path.realpath(path))
        if not os.path.exists(path):
            raise Problem(f"{path}: no such file or folder", MISSING)
        if not os.path.isdir(path):
            raise Problem(f"{path}: is a file; a run directory is required")
        if not is_run(path):
            raise Problem(f"{path}: not a run directory: series.csv, spectra/ and slices/ are missing")

    def __truediv__(self, name):
        return os.path.join(self.path, name)

    @functools.cached_property
    def case_text(self):
        """The resolved case: the file's, else what a file of spectra, slices or fields carries with it."""
        try:
            with open(self / "case.resolved.toml", encoding="utf-8", errors="replace") as file:
                return file.read()
        except OSError:
            pass
        for path in (*self.spectra_files[:1], *self.slice_files[:1], *self.field_files[:1]):
            try:
                return hdf5.case_text(path)
            except Problem:
                continue
        return ""

    @functools.cached_property
    def case(self):
        return case.parse(self.case_text)

    @functools.cached_property
    def given(self):
        """Keys that are not at their defaults."""
        return case.given(self.case_text)

    @functools.cached_property
    def case_name(self):
        return case.name_of(self.case_text) or self.label

    @functools.cached_property
    def sessions(self):
        """Of provenance.json, in order; earlier versions wrote the last one alone."""
        try:
            with open(self / "provenance.json", encoding="utf-8", errors="replace") as file:
                found = json.load(file)
        except (OSError, ValueError):
            return []
        return [item for item in (found if isinstance(found, list) else [found]) if isinstance(item, dict)]

    @property
    def provenance(self):
        """The last session."""
        return self.sessions[-1] if self.sessions else {}

    @functools.cached_property
    def changes(self):
        """Of the case in the course of the run: (step, t, key, was, is), from the row after that step on."""
        try:
            with open(self / "case.changes.csv", encoding="utf-8", errors="replace", newline="") as file:
                rows = list(csv.reader(line for line in file if not line.startswith("#")))[1:]
            return [(int(row[0]), float(row[1]), *row[2:]) for row in rows if len(row) == 5]
        except (OSError, ValueError, csv.Error):
            return []

    @functools.cached_property
    def series(self):
        path = self / "series.csv"
        if not os.path.exists(path):
            raise Absent(f"{self.path}: has no series.csv")
        return Series(path)

    @property
    def has_series(self):
        return os.path.exists(self / "series.csv")

    @functools.cached_property
    def spectra_files(self):
        return hdf5.files_in(self / "spectra", "spectra-")

    @functools.cached_property
    def slice_files(self):
        return hdf5.files_in(self / "slices", "slice")

    @functools.cached_property
    def field_files(self):
        return hdf5.files_in(self / "fields", "fields-")

    @functools.cached_property
    def particles(self):
        """Its groups of particles, by name."""
        try:
            names = sorted(n for n in os.listdir(self / "particles") if n.count(".") == 1 and n.endswith(".h5") and n[0] != ".")
        except OSError:
            names = []
        return {name[:-3]: Group(self / os.path.join("particles", name)) for name in names}

    @functools.cached_property
    def spectra(self):
        """Every file of spectra, by time."""
        if not self.spectra_files:
            raise Absent(f"{self.path}: has no spectra (output.spectra_interval)")
        return sorted((Spectra(path) for path in self.spectra_files), key=lambda s: s.t)

    def scale_of(self, name, t):
        """A column of the series at time t, nan without a series: scales to make spectra dimensionless."""
        return self.series.at(name, t) if self.has_series else float("nan")

    @property
    def solver(self):
        return self.case.get("equations.solver") or ""

    def is_inviscid(self, key):
        """Has the case a viscosity that its equations do not heed?"""
        return key == "equations.viscosity" and self.case.get("equations.model") == "euler"

    def symbol_of(self, key, symbol):
        return "\u03bc" if key == "equations.viscosity" and self.solver in DYNAMIC else symbol

    def title(self):
        """The case in a line: name, equations, grid, and the numbers that matter."""
        grid = os.path.basename(self.case.get("grid.file") or "") or grid_text(self.case.get("grid.n"))
        parts = [word for word in (self.solver, grid) if word]
        parts += [f"{self.symbol_of(key, symbol)}\u00a0=\u00a0{self.case[key]:g}" for key, symbol in NUMBERS
                  if isinstance(self.case.get(key), (int, float)) and self.case[key] and not self.is_inviscid(key)]
        parts += [f"{symbol}\u00a0=\u00a0{vector_text(self.case[key])}" for key, symbol in VECTORS
                  if isinstance(self.case.get(key), list) and any(self.case[key])]
        return self.case_name + (":  " + ", ".join(parts) if parts else "")


NUMBERS = (("equations.viscosity", "\u03bd"), ("equations.resistivity", "\u03b7"), ("equations.diffusivity", "\u03ba"),
           ("equations.buoyancy_frequency", "N"), ("equations.sound_speed", "c"), ("equations.healing_length", "\u03be"))
# Solvers whose viscosity is of a mass, not kinematic.
DYNAMIC = ("multiblock", "fct")


VECTORS = (("equations.rotation", "\u03a9"), ("equations.mean_field", "B\u2080"))


def vector_text(v):
    """(0, 0, 1) as one word."""
    return f"({', '.join(f'{x:g}' for x in v)})".replace(" ", "\u00a0")


def grid_text(n):
    """64\u00b3, or 128 \u00d7 64 \u00d7 64."""
    if not isinstance(n, list) or len(n) != 3:
        return ""
    return f"{n[0]}\u00b3" if n[0] == n[1] == n[2] else "\u00a0\u00d7\u00a0".join(str(i) for i in n)


def read_json(path):
    """A JSON file as a dictionary or list, or a Problem."""
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError) as error:
        if isinstance(error, ValueError):
            raise Problem(f"{path}: not JSON ({' '.join(str(error).split())[:120]})") from None
        raise of_reading(path, error) from None
