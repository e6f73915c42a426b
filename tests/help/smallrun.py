"""A small run of every kind of output, made once for the tests of a file, and its modes by numpy."""

import shutil

import numpy as np
import pytest

from conftest import ROOT
from outputs import sets

CASE = ROOT / "runs/taylor-green-demo/case.toml"
SMALL = sets(grid__n=[16, 12, 18], grid__length=[5.0, 4.0, 7.0], equations__viscosity=0.02, time__end=0.5,
             output__series_interval=0.1, output__spectra_interval=0.25, output__fields_interval=0.25,
             output__checkpoint_interval=0.25, initial__kind="random", initial__helicity=0.4)
LENGTH = (5.0, 4.0, 7.0)


def grid_wavenumbers(length, kx, ky, kz):
    """Arrays that broadcast to [column][kz]."""
    return (2 * np.pi / length[0] * kx[:, None], 2 * np.pi / length[1] * ky[:, None],
            2 * np.pi / length[2] * kz[None, :])


def coefficients(values, m):
    """Fourier coefficients of a (z, y, x) array at the modes of a checkpoint, by numpy's transform."""
    n = values.shape
    full = np.fft.fftn(values.astype(float)) / values.size
    kx, ky, kz = m["kx"][:, None], m["ky"][:, None], m["kz"][None, :]
    return full[kz % n[0], ky % n[1], kx % n[2]]


@pytest.fixture(scope="module")
def small(launcher, triad, tmp_path_factory):
    """One run on 3 ranks that the tests below look at."""
    folder = tmp_path_factory.mktemp("small") / "a" / "run"
    result = launcher(3, triad, "run", CASE, "--dir", folder, *SMALL, timeout=60, expect=0)
    yield folder, result
    shutil.rmtree(folder.parent.parent, ignore_errors=True)
