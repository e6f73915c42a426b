"""What tests of the compressible solver share: a case and its run, the state of a checkpoint, start files of a gas."""

import h5py
import numpy as np
import pytest

import outputs
from outputs import sets

CASE = """[equations]
solver = "compressible"
viscosity = 1e-2
[grid]
n = [{n}]
length = {length}
[initial]
kind = "{kind}"
[time]
end = 100
dt = {dt}
[output]
series_interval = 0
spectra_interval = 0
"""

STATE = ("rho", "rho_u", "rho_v", "rho_w", "e")


@pytest.fixture
def case(tmp_path):
    """case(text by name): the path of a case file."""
    def write(n="16, 13, 18", length='["2pi", "2pi", "2pi"]', kind="taylor-green", dt="5e-3", more=""):
        path = tmp_path / "case.toml"
        path.write_text(CASE.format(n=n, length=length, kind=kind, dt=dt) + more)
        return path
    return write


@pytest.fixture
def run(mpirun, triad):
    def start(ranks, path, folder, steps, *arguments, expect=0, threads=1):
        return mpirun(ranks, triad, "run", "-q", path, "--dir", folder, *arguments, *sets(time__max_steps=steps),
                      expect=expect, threads=threads, timeout=100)
    return start


def state(run_dir):
    """The fields of the newest checkpoint, [5][z][y][x]."""
    return outputs.points(run_dir, STATE)


def differ(a, b):
    """Largest difference of two states, each field in units of its largest value (velocities share one)."""
    sizes = [abs(b[0]).max(), *[abs(b[1:4]).max()] * 3, abs(b[4]).max()]
    return max(abs(x - y).max() / size for x, y, size in zip(a, b, sizes))


def gas_file(path, n, **changes):
    """A start file of n points, (z, y, x), at rest with density and pressure 1 but for the fields that are given: its path."""
    fields = {"rho": np.ones(n), "u": np.zeros(n), "v": np.zeros(n), "w": np.zeros(n), "p": np.ones(n)}
    with h5py.File(path, "w") as f:
        for name, values in fields.items():
            f[name] = changes.get(name, values)
    return path
