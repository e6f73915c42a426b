"""Runs on the disk: triad.open(path). A run of any solver has the same members; a part that it does not have is empty."""
import os
import re

from triad import getdata, means, meshes, probes
from triad.datasets import Checkpoint, Dataset, Groups, Nothing, Particles, Times, listed
from triad.errors import Error, InputError
from triad.program import query
from triad.tables import Series, open_table
from triad.raising import raises_errors

# columns of series.csv that are forces or coefficients of bodies and walls, or patterns of them
FORCES = ("cl", "cd", "cm", "cl_*", "cd_*", "cm_*", "strouhal*", "body*_force_*", "body*_cl", "body*_cd", "body*_strouhal", "force_*", "friction_*", "drag_*", "wall_shear", "thrust", "nusselt*")

PART = re.compile(r"(\.\d{4}|/grid)\.h5$")  # files that belong to others: rows of particles, nodes of blocks


def open(path):
    """The run in a directory: see Run."""
    return Run(path)


class Spectra(Times):
    """Files of spectra by time. spectra(mean=(t0, t1)): their means over these times, with standard errors."""

    def __call__(self, mean=None):
        if not len(self):
            raise InputError(self._missing)
        t0, t1 = mean if mean is not None else (self[0].t, self[-1].t)
        return means.TimeMean(self, float(t0), float(t1))


class Run:
    """A run directory, each part read when it is looked at, while it runs too. All solvers have these members:

    series, forces: tables over time; spectra, fields, slices, surfaces, checkpoints: files by time; means: means over time
    with errors; profiles: means over planes; particles, probes: groups by name; case, a dictionary; provenance, a list of
    sessions; query(points): exact values; files(folder, prefix): any other HDF5 files; table(name): any other table.
    """

    @raises_errors
    def __init__(self, path):
        from triad_plot.read import run
        self._run = run.Run(os.fspath(path))
        self.path, self.name = self._run.path, self._run.case_name

    @property
    def solver(self):
        return self._run.solver

    def _in(self, *parts):
        return os.path.join(self.path, *parts)

    def _lacks(self, what, key):
        return f"{self.path} has no {what} ({key})"

    # ---- tables ----

    @property
    def series(self):
        """series.csv as it is now."""
        return Series(self._in("series.csv"))

    @property
    def forces(self):
        """The columns of the series that are forces and coefficients of bodies and walls: none of a flow without them."""
        import fnmatch
        series = self.series
        return Series(series.path, [name for name in series.names if any(fnmatch.fnmatchcase(name, one) for one in FORCES)])

    @property
    def profiles(self):
        """profiles.csv, of staggered with profiles.every: means and covariances over planes and time."""
        path = self._in("profiles.csv")
        return open_table(path) if os.path.exists(path) else Nothing(self._lacks("profiles.csv", "profiles.every of solver staggered"))

    def table(self, name):
        """Another table of the directory."""
        return open_table(self._in(name))

    # ---- files by time ----

    def files(self, folder, prefix="", kind=None, missing=None):
        """HDF5 files of a folder by time, as those of spectra/, fields/ and slices/, or a file of the directory alone."""
        from triad_plot.read import hdf5
        path = self._in(folder)
        found = [path] if os.path.isfile(path) else [one for one in hdf5.files_in(path, prefix) if not PART.search(one)]
        return Times(found, kind or _any_kind, missing or f"{path}: no files {prefix}*.h5")

    @property
    def spectra(self):
        from triad_plot.read import hdf5
        return Spectra(hdf5.files_in(self._in("spectra"), "spectra-"), Dataset, self._lacks("spectra", "output.spectra_interval"))

    @property
    def fields(self):
        """Of a grid: Datasets of points [z, y, x]; of fct Mesh, of multiblock Blocks: a value a cell."""
        from triad_plot.read import cells, hdf5
        missing = self._lacks("fields", "output.fields_interval")
        points = hdf5.files_in(self._in("fields"), "fields-")
        if points:
            return Times(points, Dataset, missing)
        return Times(cells.files_of(self._run), _cells, missing)

    @property
    def surfaces(self):
        """Walls of multiblock: each file a mapping of their names to tables with a row a face."""
        from triad_plot.read import hdf5
        return Times(hdf5.files_in(self._in("surfaces"), "surface-"), meshes.Surface,
                     self._lacks("surfaces", "solver multiblock writes them, every output.fields_interval"))

    @property
    def slices(self):
        """{1: the files of the first plane, ..}"""
        from triad_plot.read import hdf5
        out = {}
        for path in hdf5.files_in(self._in("slices"), "slice"):
            number = os.path.basename(path)[len("slice"):].partition("-")[0]
            if number.isdigit():
                out.setdefault(int(number), []).append(path)
        return Groups({number: Times(paths) for number, paths in sorted(out.items())},
                      self._lacks("slices", "output.slices, output.slices_interval"))

    @property
    def checkpoints(self):
        folder = self._in("checkpoints")
        names = sorted(os.listdir(folder), key=lambda name: (len(name), name)) if os.path.isdir(folder) else []
        return Times([os.path.join(folder, name) for name in names if name.startswith("step-")],
                     lambda path: Checkpoint(path, query), self._lacks("checkpoints", "output.checkpoint_interval"))

    # ---- statistics and points ----

    @property
    def means(self):
        """Means over time with standard errors, of means.h5; with output.means_window the newest, and .windows has all. Of fct
        those that its newest file of fields has."""
        from triad_plot.read.means import path_of, windows_of
        path = path_of(self._run)
        if path:
            found = means.Means(path)
            found.windows = Times(windows_of(self._run), means.Means)
            return found
        fields = self.fields
        newest = fields[-1] if len(fields) and fields.paths[-1].endswith(".vtkhdf") else None
        if newest is not None and any(name.startswith(means.FieldMeans.BEGINS) for name in newest):
            return means.FieldMeans(newest)
        return Nothing(self._lacks("means", "output.means"))

    @property
    def particles(self):
        """{name: a group of particles}: position and velocity [t, id, component], and what was sampled."""
        return Groups({name: Particles(group.path) for name, group in self._run.particles.items()},
                      self._lacks("particles", "[[particles]], output.particles_interval"))

    @property
    def probes(self):
        """{name: fields at points [t, point]}: "points" are those of probes.csv; fct has names of its own."""
        out, path = {}, self._in("probes.csv")
        if os.path.exists(path):
            out["points"] = probes.of_table(path)
        named = {}
        from triad_plot.read import hdf5
        for file in hdf5.files_in(self._in("probes"), ""):
            named.setdefault(os.path.basename(file).rpartition("-")[0], []).append(file)
        out.update({name: probes.of_files(files) for name, files in named.items()})
        return Groups(out, self._lacks("probes", "output.probes"))

    def query(self, points, what="fields", time=None, device="auto", advect=None, steps=100):
        """Exact values at points [.., 3] of the modes in a checkpoint of a spectral solver, by `triad query`: {"u": [..], ..}.

        what: as its --what: "velocity", "u,theta", "gradient", "hessian", "filtered=8". time: between two checkpoints,
        linear; by default that of the newest. device: "gpu", "cpu", or "auto". advect: instead the paths of the points from
        `time` to this time, in so many steps: {"t": [row], "position": [row, .., 3], "velocity": ..}.
        """
        return query(self.path, points, what, time, device, advect, steps)

    def getData(self, variable, time, temporal_method, spatial_method, spatial_operator, points, **more):
        """Values by the call of the Johns Hopkins databases: see triad.getData, whose first argument this run is."""
        return getdata.getData(self, variable, time, temporal_method, spatial_method, spatial_operator, points, **more)

    def at(self, points, what="fields", time=None, device="auto"):
        """query, by its earlier name."""
        return query(self.path, points, what, time, device)

    # ---- what it is ----

    @property
    def case(self):
        """{"equations.viscosity": 0.01, ..}"""
        return self._run.case

    @property
    def provenance(self):
        return self._run.sessions

    PARTS = ("series", "forces", "profiles", "spectra", "fields", "slices", "surfaces", "means", "particles", "probes", "checkpoints")

    def _line(self, part):
        """What there is of a part, in a line; "" for nothing."""
        try:
            found = getattr(self, part)
            if isinstance(found, Groups):
                return "; ".join(f"{name}: {_short(one)}" for name, one in found.items())
            return _short(found) if len(found) else ""
        except Error as error:
            return f"cannot be read: {error}"

    def __repr__(self):
        lines = [f"<triad.Run {self.path}: " + " ".join(self._run.title().replace("\u00a0", " ").split())]
        for part in self.PARTS:
            words = self._line(part)
            if words and words != "no columns":
                lines.append(f"  {part:<12}{words}")
        return "\n".join(lines) + ">"


def _short(found):
    """How many of what, and which."""
    if isinstance(found, Times):
        n = len(found)
        return f"{n} file{'s' * (n != 1)}, {found[0].when}{f' to {found[-1].t:g}' * (n > 1)}: {listed(found[-1], 8)}"
    if isinstance(found, Series):
        rest = [name for name in found.names if name not in ("step", "t", "dt")]
        return f"{found.when}: {listed(rest, 8)}" if rest else "no columns"
    if isinstance(found, Particles):
        return f"{found.count}, {found.when}: {listed(found, 8)}"
    if isinstance(found, probes.Probes):
        return f"{len(found.position)}, {found.when}: {listed(found, 8)}"
    return f"{found.when}: {listed(found, 8)}"


def _cells(path):
    return meshes.Mesh(path) if path.endswith(".vtkhdf") else meshes.Blocks(path)


@raises_errors
def _any_kind(path):
    """By what is in the file."""
    from triad_plot.read import hdf5
    def look(file):
        if "t" in file.attrs:
            return meshes.Surface if os.path.basename(path).startswith("surface-") else Dataset
        if "samples" in file.attrs:
            return means.Means
        return Particles if "position" in file and "velocity" in file else None
    kind = hdf5.read(path, look)
    name = os.path.basename(path)
    if kind is None and name == "probes.h5" or name.endswith(".h5") and os.path.basename(os.path.dirname(path)) == "probes":
        from triad.datasets import Rows
        return Rows(path)
    if kind is None:
        raise InputError(f"{path}: not a file with fields, rows or means of a run")
    return meshes.Blocks(path) if kind is Dataset and name.startswith("blocks-") else kind(path)
