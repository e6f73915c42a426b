"""`triad` in processes of its own: commands whose exit codes become exceptions; values at points by `triad query`."""
import os
import re
import subprocess
import sys
import tempfile

import numpy as np

from triad import errors, values
from triad.errors import FeatureError, InputError, UsageError
from triad.raising import raises_errors

# of launchers: a process that is started from a rank is none of the job's ranks
LAUNCHERS = ("OMPI_COMM_", "OMPI_UNIVERSE_", "OMPI_APP_", "OMPI_FILE_", "OMPI_FIRST_", "OMPI_NUM_", "OMPI_ARGV",
             "OMPI_COMMAND", "OMPI_MCA_orte_", "OMPI_MCA_ess_", "OMPI_MCA_pmix", "PMIX_", "PMI_", "PRTE_", "HYDI_",
             "MPI_LOCALRANKID", "SLURM_PROCID")


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


class Values(dict):
    """Values at points by name; t, and difference: between two checkpoints, the rms difference of both."""

    def __init__(self, t, values, difference):
        super().__init__(values)
        self.t, self.difference = t, difference

    def __repr__(self):
        shape = next(iter(self.values())).shape if self else ()
        n = int(np.prod(shape)) if self else 0
        return f"<values at {n} point{'s' * (n != 1)}, t = {self.t:g}: {', '.join(self)}>"


@raises_errors
def query(path, points, what="fields", time=None, device="auto", advect=None, steps=100):
    from triad_plot.read import hdf5
    points = np.asarray(values.numbers("points", points, np.float64), np.float64)
    if points.ndim < 1 or points.shape[-1] != 3 or not points.size:
        raise UsageError(f"points must have x, y, z in the last dimension: [.., 3], not {points.shape}")
    if not os.path.exists(path):
        raise InputError(f"{path}: no such file or folder")
    if advect is not None and time is None:
        raise UsageError("advect requires time: the time at which the points are where they are given")
    with tempfile.TemporaryDirectory(prefix="triad-") as folder:
        table, out = os.path.join(folder, "points.h5"), os.path.join(folder, "values.h5")
        with hdf5.h5py.File(table, "w") as file:
            file["position"] = points.reshape(-1, 3)
        more = ["--time", repr(float(time))] if time is not None else []
        more += ["--what", what] if advect is None else ["--advect", repr(float(advect)), "--steps", str(int(steps))]
        command("query", "-q", path, "--at", table, "--device", device, "-o", out, *more)
        shape = points.shape[:-1]
        return hdf5.read(out, lambda file: values_of(file, shape) if advect is None else paths_of(file, shape))


def values_of(file, shape):
    """What triad query has written."""
    names = [name for name in file if name not in ("position", "notes")]
    return Values(float(file.attrs["t"]), {name: file[name][()].reshape(shape) for name in names},
                  {name: float(file[name].attrs["difference"]) for name in names if "difference" in file[name].attrs})


def paths_of(file, shape):
    """Of --advect: t [row], position and velocity [row, .., 3]."""
    t = file["t"][()]
    found = {"t": t, **{name: file[name][()].reshape(len(t), *shape, 3) for name in ("position", "velocity")}}
    return Values(float(t[-1]), found, {})
