"""The fields of a run on points of a box, file by file in time, as they are or filtered exactly to a coarser grid."""
import functools
import os

import h5py
import numpy as np

from triad_plot.problem import MISSING, USAGE, Absent, Problem
from triad_plot.read import cells, hdf5
from triad_plot.read import run as runs

AXES = "xyz"
# fields that are components of one vector: its name, its components along x, y, z
VECTORS = {"velocity": ("u", "v", "w"), "magnetic_field": ("bx", "by", "bz"),
           "vorticity": ("vorticity_x", "vorticity_y", "vorticity_z"), "current": ("current_x", "current_y", "current_z")}
ENDS = {"periodic": "PERIODIC", "wall": "WALL", "slip": "WALL", "reflecting": "WALL", "adiabatic": "WALL", "isothermal": "WALL"}
EVEN = 1e-6   # of an interval: times that count as evenly spaced


def filtered(values, m):
    """A periodic field [z][y][x] on m = (z, y, x) points: modes with |k| < m/2 along each axis, the others dropped, at the coarser points."""
    n = values.shape
    c = np.fft.rfftn(values.astype(np.float64))
    for axis in (0, 1):
        half = (m[axis] + 1) // 2   # modes 0 .. half - 1, and their negatives
        c = np.moveaxis(c, axis, 0)
        out = np.zeros((m[axis], *c.shape[1:]), complex)
        out[:half] = c[:half]
        if half > 1:
            out[1 - half:] = c[1 - half:]
        c = np.moveaxis(out, 0, axis)
    half = (m[2] + 1) // 2
    out = np.zeros((m[0], m[1], m[2] // 2 + 1), complex)
    out[:, :, :half] = c[:, :, :half]
    return np.fft.irfftn(out, m, axes=(0, 1, 2)) * (np.prod(m) / np.prod(n))


class Source:
    """A run: t of its files, names, n and coordinates (x, y, z) of the grid that is exported, case and ends of the box."""

    def __init__(self, path, options):
        self.run = runs.Run(path)
        self.path, self.case = self.run.path, self.run.case
        if not self.run.field_files:
            if cells.files_of(self.run):
                raise Problem(f"{self.path}: triad export requires fields on points of a box; fields/ of this solver has cells, which "
                              "ParaView opens (.vtkhdf, .xmf)")
            raise Absent(f"{self.path}: has no fields: set output.fields_interval")
        pairs = [(hdf5.read(one, hdf5.time_of), one) for one in self.run.field_files]
        pairs = [(t, one) for t, one in sorted(pairs) if options.first <= t <= options.last]
        if not pairs:
            raise Absent(f"{self.path}: no file of fields has a time in --from {options.first:g} --to {options.last:g}")
        self.t, self.files = np.array([t for t, _ in pairs]), [one for _, one in pairs]
        hdf5.read(self.files[0], self._look)
        self._choose_fields(options.fields)
        self._choose_grid(options.grid)

    def _look(self, file):
        self.whole, self.evenly = not hdf5.is_part(file), "stretched" not in file.attrs
        data = {name: item for name, item in file.items() if isinstance(item, h5py.Dataset) and item.ndim == 3}
        if not data:
            raise Absent(f"{file.filename}: has no fields on points (z, y, x)")
        self.own = next(iter(data.values())).shape
        self.names = [name for name, item in data.items() if item.shape == self.own]
        self.units = {name: hdf5.text_of(item, "units") for name, item in data.items()}
        self.long = {name: hdf5.text_of(item, "long_name") for name, item in data.items()}
        self.coordinates = [file[letter][()].astype(np.float64) for letter in AXES]
        self.lengths = [float(length) for length in file.attrs["length"]]
        ends = {axis: self.case.get(f"boundaries.{axis}") or ["periodic", "periodic"] for axis in AXES}
        self.sheared = bool(self.case.get("equations.shear"))   # then its fields are periodic along y at some times only
        self.ends = {axis: [ENDS.get(end, "OPEN") if self.whole and not (self.sheared and axis == "y") else "OPEN" for end in two] for axis, two in ends.items()}

    @functools.cached_property
    def periodic(self):
        return self.whole and self.evenly and all(end == "PERIODIC" for two in self.ends.values() for end in two)

    def _choose_fields(self, wanted):
        if not wanted:
            return
        chosen = [part for word in wanted.split(",") for part in VECTORS.get(word.strip(), (word.strip(),))]
        for name in chosen:
            if name not in self.names:
                raise Problem(f"--fields {name[:80]}: {self.files[0]} has {', '.join(self.names)}; output.fields of the case lists what is written",
                              MISSING)
        self.names = list(dict.fromkeys(chosen))

    def _choose_grid(self, wanted):
        own, most = self.own, max(self.own)
        self.n = own
        if wanted is None or wanted == most:
            return
        if wanted > most:
            raise Problem(f"--grid {wanted}: {self.files[0]} has {most} points along its longest axis; export can only make a grid coarser", USAGE)
        if not self.periodic:
            raise Problem(f"--grid {wanted}: {self.path} is not periodic and whole, and cannot be filtered in modes; leave out --grid")
        if any(size > 1 and size * wanted % most for size in own):
            raise Problem(f"--grid {wanted}: {' x '.join(map(str, own[::-1]))} points cannot be reduced in the same proportion along each axis", USAGE)
        self.n = tuple(max(1, size * wanted // most) for size in own)
        self.coordinates = [np.arange(m) * length / m + x[0] for m, length, x in zip(self.n[::-1], self.lengths, self.coordinates)]

    @property
    def axes(self):
        """Those with more than one point."""
        return [axis for axis, size in zip(AXES, self.n[::-1]) if size > 1]

    def read(self, i, name):
        """[z][y][x] of file number i, in the precision of the file or, filtered, in double."""
        with hdf5.open_file(self.files[i]) as file:
            if name not in file or file[name].shape != self.own:
                raise Problem(f"{self.files[i]}: has no {name} on {' x '.join(map(str, self.own[::-1]))} points, which {self.files[0]} has; "
                              "select files with --from and --to, or fields with --fields")
            values = file[name][()]
        if not np.isfinite(values).all():
            raise Problem(f"{self.files[i]}: {name} has values that are not finite")
        return values if self.n == self.own else filtered(values, self.n)

    @functools.cached_property
    def interval(self):
        """The time between files, which must be constant."""
        if len(self.t) < 2:
            return 0.0
        steps = np.diff(self.t)
        mean = (self.t[-1] - self.t[0]) / len(steps)
        worst = int(np.argmax(np.abs(steps - mean)))
        if abs(steps[worst] - mean) > EVEN * mean:
            raise Problem(f"{self.path}: times of fields are not evenly spaced: {self.t[worst]:g} to {self.t[worst + 1]:g} is "
                          f"{steps[worst]:g}, but the mean interval is {mean:g}; select evenly spaced ones with --from and --to")
        return mean

    def vectors(self):
        """[(vector, components)] and [scalars] among the fields; components along axes of one point are scalars."""
        found, single = [], list(self.names)
        for vector, parts in VECTORS.items():
            if vector in self.names:   # that name is taken, by a modulus
                vector += "_vector"
            along = [part for part, axis in zip(parts, AXES) if axis in self.axes]
            if len(along) > 1 and all(part in self.names for part in along):
                found.append((vector, along))
                single = [name for name in single if name not in along]
        return found, single


def open_all(paths, options):
    """The Sources of runs, or of the runs of ensembles."""
    found = []
    for path in paths:
        below = sorted(name for name in os.listdir(path) if name.startswith("run-")) if os.path.isdir(path) and not runs.is_run(path) else []
        members = [os.path.join(path, name) for name in below if runs.is_run(os.path.join(path, name))]
        found += members or [path]
    real = [os.path.realpath(path) for path in found]
    twice = next((path for path, name in zip(found, real) if real.count(name) > 1), None)
    if twice:
        raise Problem(f"{twice}: is given twice", USAGE)
    return [Source(path, options) for path in found]

