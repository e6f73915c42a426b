"""Runs that stand on the disk: triad.open(path)."""
import os
import re
import subprocess
import sys
import tempfile

import numpy as np

from triad import errors, values
from triad.datasets import Checkpoint, Dataset, Times
from triad.errors import FeatureError, InputError, UsageError
from triad.told import told

# of launchers: a process that is started from a rank is none of the job's ranks
LAUNCHERS = ("OMPI_COMM_", "OMPI_UNIVERSE_", "OMPI_APP_", "OMPI_FILE_", "OMPI_FIRST_", "OMPI_NUM_", "OMPI_ARGV",
             "OMPI_COMMAND", "OMPI_MCA_orte_", "OMPI_MCA_ess_", "OMPI_MCA_pmix", "PMIX_", "PMI_", "PRTE_", "HYDI_",
             "MPI_LOCALRANKID", "SLURM_PROCID")


def open(path):
    """The run in a directory: see Run."""
    return Run(path)


class Series:
    """series.csv, or another table that is written like it: columns by name, with units and meanings."""

    @told
    def __init__(self, path):
        from triad_plot.read import series
        self._table = series.Series(path)
        self.path, self.units, self.meanings = path, self._table.units, self._table.formulae

    @property
    def names(self):
        return list(self._table.columns)

    @property
    def t(self):
        return self._table.t

    @told
    def __getitem__(self, name):
        return self._table[name]

    def __contains__(self, name):
        return name in self._table

    def __len__(self):
        return len(self.t)

    def __iter__(self):
        return iter(self.names)

    def keys(self):
        return self.names

    def at(self, name, t):
        """A column at time t, linear between rows."""
        return self._table.at(name, t)

    @property
    def array(self):
        """All of it as a structured array."""
        out = np.empty(len(self), [(name, np.int64 if name == "step" else np.float64) for name in self.names])
        for name in self.names:
            out[name] = self[name]
        return out

    @property
    def frame(self):
        """All of it as a pandas.DataFrame; .attrs["units"] has the units."""
        import pandas
        frame = pandas.DataFrame({name: self[name] for name in self.names}).astype({"step": np.int64})
        frame.attrs["units"] = dict(self.units)
        return frame

    def __repr__(self):
        return f"<{self.path}: {len(self)} rows of {', '.join(self.names)}>"


class Values(dict):
    """Values at points by name; t, and difference: of two checkpoints between which they lie, the rms difference."""

    def __init__(self, t, values, difference):
        super().__init__(values)
        self.t, self.difference = t, difference


class Run:
    """A run directory, each part read when it is looked at, while it runs too.

    series; spectra, fields: files by time; slices: {number: files by time}; checkpoints; case, a dictionary;
    provenance, a list of sessions; files(folder, prefix): any other HDF5 files; table(name): any other table.
    """

    @told
    def __init__(self, path):
        from triad_plot.read import run
        self._run = run.Run(os.fspath(path))
        self.path, self.name = self._run.path, self._run.case_name

    @property
    def series(self):
        """series.csv as it is now."""
        return self.table("series.csv")

    def table(self, name):
        return Series(os.path.join(self.path, name))

    @property
    def case(self):
        """{"equations.viscosity": 0.01, ..}"""
        return self._run.case

    @property
    def provenance(self):
        return self._run.sessions

    def files(self, folder, prefix="", kind=Dataset):
        """HDF5 files of a folder by time, as those of spectra/, fields/ and slices/."""
        from triad_plot.read import hdf5
        return Times(hdf5.files_in(os.path.join(self.path, folder), prefix), kind)

    @property
    def spectra(self):
        return self.files("spectra", "spectra-")

    @property
    def fields(self):
        return self.files("fields", "fields-")

    @property
    def slices(self):
        """{1: the files of the first plane, ..}"""
        from triad_plot.read import hdf5
        out = {}
        for path in hdf5.files_in(os.path.join(self.path, "slices"), "slice"):
            number = os.path.basename(path)[len("slice"):].partition("-")[0]
            if number.isdigit():
                out.setdefault(int(number), []).append(path)
        return {number: Times(paths) for number, paths in sorted(out.items())}

    @property
    def checkpoints(self):
        folder = os.path.join(self.path, "checkpoints")
        names = sorted(os.listdir(folder), key=lambda name: (len(name), name)) if os.path.isdir(folder) else []
        return Times([os.path.join(folder, name) for name in names if name.startswith("step-")],
                     lambda path: Checkpoint(path, query))

    def at(self, points, what="fields", time=None, device="auto"):
        """Exact values at points [.., 3] of the modes in a checkpoint, by `triad query`: {"u": [..], ..}.

        what: as its --what: "velocity", "u,theta", "gradient", "hessian", "filtered=8". time: between two checkpoints,
        linear; by default that of the newest. device: "gpu", "cpu", or "auto".
        """
        return query(self.path, points, what, time, device)

    def __repr__(self):
        return f"<triad run {self.path}: {self._run.title()}>"


def environment(place):
    """That of a process which is no rank of this one's job, and finds this package. place: a folder of its own for what MPI keeps
    while it runs, which processes that end at the same time would else take from one another."""
    env = {key: value for key, value in os.environ.items() if not key.startswith(LAUNCHERS)}
    here = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
    env["TMPDIR"] = place
    env["PYTHONPATH"] = os.pathsep.join(filter(None, [here, env.get("PYTHONPATH")]))
    return env


def command(*words, launcher=()):
    """`triad` with these words, in a process of its own; its exit code and message become an exception. Ctrl-C has it stop in good order."""
    with tempfile.TemporaryDirectory(prefix="triad-") as place, _begin([*launcher, sys.executable, "-m", "triad", *words], place) as process:
        out, said = _talk(process)
    if process.returncode:
        raise errors.of(process.returncode, reason(said))
    return out


def _begin(words, place):
    try:
        return subprocess.Popen(words, env=environment(place), text=True, errors="replace", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    except FileNotFoundError:
        raise FeatureError(f"{words[0]}: no such program; set MPIRUN to the program that starts MPI ranks") from None


def _talk(process):
    """What it says, to its end. subprocess.run would kill it 0.25 s after Ctrl-C: mpirun without its ranks, a run without a checkpoint."""
    try:
        try:
            return process.communicate()
        except KeyboardInterrupt:
            process.terminate()  # from a terminal it has had SIGINT, of which a second one would end it at once
            _, said = process.communicate()
            raise errors.Interrupted(reason(said) or "interrupted; a checkpoint was saved") from None
    except BaseException:
        process.kill()  # no harm where it has ended
        raise


def reason(said):
    """Of what a command says on its way out: all errors of a case, and its last message without the place in the sources. Behind
    it may come what mpirun says."""
    lines = said.splitlines()
    last = [line for line in lines if line.startswith("triad: ")][-1:]
    texts = [line for line in lines if ": error: " in line and not line.startswith("triad: ")]
    texts += [re.sub(r"^triad: (error: )?(rank \d+: )?|( \[[\w./-]+:\d+\])$", "", line) for line in last]
    return "\n".join(texts) or said.strip()[-400:]


@told
def query(path, points, what, time, device):
    from triad_plot.read import hdf5
    points = np.asarray(values.numbers("points", points, np.float64), np.float64)
    if points.ndim < 1 or points.shape[-1] != 3 or not points.size:
        raise UsageError(f"points must have x, y, z in the last dimension: [.., 3], not {points.shape}")
    if not os.path.exists(path):
        raise InputError(f"{path}: no such file or folder")
    with tempfile.TemporaryDirectory(prefix="triad-") as folder:
        table, out = os.path.join(folder, "points.h5"), os.path.join(folder, "values.h5")
        with hdf5.h5py.File(table, "w") as file:
            file["position"] = points.reshape(-1, 3)
        more = ["--time", repr(float(time))] if time is not None else []
        command("query", "-q", path, "--at", table, "--what", what, "--device", device, "-o", out, *more)
        return hdf5.read(out, lambda file: values_of(file, points.shape[:-1]))


def values_of(file, shape):
    """What triad query has written."""
    names = [name for name in file if name not in ("position", "notes")]
    return Values(float(file.attrs["t"]), {name: file[name][()].reshape(shape) for name in names},
                  {name: float(file[name].attrs["difference"]) for name in names if "difference" in file[name].attrs})
