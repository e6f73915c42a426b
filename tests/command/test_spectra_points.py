"""triad spectra of flows whose values are at points: checkpoints of compressible and staggered runs, fields of a gas."""

import io

import h5py
import numpy as np
import pytest

from conftest import ROOT
from outputs import sets

GAS = ROOT / "runs" / "compressible-hit-decay" / "case.toml"
STAGGERED = ROOT / "runs" / "staggered-tgv" / "case.toml"
NAMES = ("E", "E_u", "E_solenoidal", "E_dilatational", "rho_variance", "p_variance")


def table(text):
    """{column: numbers} of what was printed."""
    return np.genfromtxt(io.StringIO("\n".join(line for line in text.splitlines() if not line.startswith("#"))), delimiter=",", names=True)


def of_run(folder):
    with h5py.File(sorted((folder / "spectra").glob("*.h5"))[-1]) as f:
        return {name: f[name][:] for name in f if getattr(f[name], "shape", None) == f["k"].shape}


@pytest.fixture(scope="module")
def gas(launcher, triad, tmp_path_factory):
    folder = tmp_path_factory.mktemp("gas") / "run"
    result = launcher(
        1, triad, "run", "-q", GAS, "--dir", folder,
        *sets(grid__n=[16, 12, 18], time__end=0.3, output__spectra_interval=0.3, output__fields_interval=0.3, output__slices_interval=0,
              output__report=False))
    assert result.code == 0, result.stderr
    return folder


@pytest.mark.parametrize("ranks", [1, 2])
def test_a_checkpoint_of_a_gas_has_the_spectra_of_its_run(mpirun, triad, gas, ranks):
    found, wanted = table(mpirun(ranks, triad, "spectra", gas, expect=0).stdout), of_run(gas)
    assert found.dtype.names[0] == "k" and set(found.dtype.names) == set(wanted) == {"k", *NAMES}
    for name in wanted:
        assert (found[name] == wanted[name]).all(), name


def test_fields_of_a_gas_have_the_spectra_of_plain_sums(mpirun, triad, gas):
    """E of sqrt(rho) u, the parts of u across and along k, the variances of rho and p: by numpy's transform."""
    path = sorted((gas / "fields").glob("*.h5"))[-1]
    found = table(mpirun(1, triad, "spectra", path, expect=0).stdout)
    with h5py.File(path) as f:
        rho, u, p = f["rho"][:], np.array([f[name][:] for name in "uvw"]), f["p"][:]
    k = np.array(np.meshgrid(*(np.fft.fftfreq(n, 1 / n) for n in rho.shape), indexing="ij"))[::-1]
    shell = np.rint(np.sqrt((k**2).sum(axis=0))).astype(int)

    def shells(values):
        return np.bincount(shell.ravel(), values.ravel(), len(found))

    def modes(f):
        return np.fft.fftn(f, axes=(-3, -2, -1)) / rho.size
    velocity = modes(u)
    derivative = np.where(2 * np.abs(k) == np.array(rho.shape[::-1]).reshape(3, 1, 1, 1), 0, k)  # the highest wave has none
    k2 = np.maximum((derivative**2).sum(axis=0), 1e-300)
    along = np.abs((derivative * velocity).sum(axis=0))**2 / k2 / 2
    wanted = {"E": shells((np.abs(modes(np.sqrt(rho) * u))**2).sum(axis=0) / 2), "E_u": shells((np.abs(velocity)**2).sum(axis=0) / 2),
              "E_dilatational": shells(along), "rho_variance": shells(np.abs(modes(rho - rho.mean()))**2),
              "p_variance": shells(np.abs(modes(p - p.mean()))**2)}
    for name, values in wanted.items():
        assert np.abs(found[name] - values).max() < 1e-12 * max(values.max(), 1e-6), name
    assert found["E_solenoidal"] == pytest.approx(found["E_u"] - found["E_dilatational"], abs=1e-16)


def test_a_staggered_checkpoint_has_the_spectra_of_its_run(mpirun, triad, tmp_path):
    small = sets(grid__n=[16, 16, 16], time__end=0.2, output__spectra_interval=0.2, output__slices_interval=0, output__report=False)
    mpirun(1, triad, "run", "-q", STAGGERED, "--dir", tmp_path / "run", *small, expect=0)
    found, wanted = table(mpirun(1, triad, "spectra", tmp_path / "run", expect=0).stdout), of_run(tmp_path / "run")
    assert set(found.dtype.names) == {"k", "E", "p_variance"}
    assert all((found[name] == wanted[name]).all() for name in wanted)
    said = mpirun(1, triad, "spectra", tmp_path / "run", "--dir", tmp_path / "out", expect=0).stdout
    assert (of_run(tmp_path / "out")["E"] == wanted["E"]).all() and "spectra-" in said


def test_a_flow_between_walls_has_none(mpirun, triad, tmp_path):
    case = ROOT / "runs" / "lid-driven-cavity" / "case.toml"
    mpirun(1, triad, "run", "-q", case, "--dir", tmp_path / "run",
           *sets(grid__n=[8, 8, 1], time__max_steps=2, output__report=False, output__slices_interval=0), expect=0)
    assert "spectra require a periodic box" in mpirun(1, triad, "spectra", tmp_path / "run", expect=65).stderr
