"""Spectral flows whose answer is known in closed form: ABC flow, unstable stratification, the velocity around a quantised ring."""

import math

import h5py
import numpy as np
import pytest

from conftest import ROOT
from outputs import series, sets
from verification import record


@pytest.fixture
def ready(mpirun, triad, rundir):
    def start(name, **values):
        mpirun(1, triad, "run", "-q", ROOT / f"runs/{name}/case.toml", "--dir", rundir, timeout=100, expect=0,
               *sets(output__spectra_interval=0.0, output__slices_interval=0.0, output__report=False, **values))
        return rundir
    return start


@pytest.mark.quick
def test_the_abc_flow_decays_as_an_exponential(ready):
    """curl u = u, so that the pressure takes all of the advection."""
    s = series(ready("abc-decay", grid__n=[12, 12, 12]))
    exact = 0.83745 * np.exp(-0.2 * s["t"])
    error = max(abs(s["energy"] / exact - 1).max(), abs(s["helicity"] / exact / 2 - 1).max(), abs(s["enstrophy"] / exact - 1).max())
    assert error < 1e-12
    record("hd-abc", error)


def test_unstable_stratification_makes_a_wave_grow_at_its_rate(ready):
    """exp(s t), s^2 = N^2 k_h^2/k^2 - f^2 k_z^2/k^2 = 0.8 - 0.05: by e in the amplitude, e^2 in the energy."""
    rate = math.sqrt(0.75)
    s = series(ready("internal-wave", equations__stratification="unstable", initial__amplitude=1e-3, time__end=1 / rate, time__dt=0.01 / rate))
    found = math.log(s["energy"][-1] / s["energy"][0]) / 2 * rate
    assert found == pytest.approx(rate, rel=1e-8)
    record("boussinesq-unstable", abs(found / rate - 1), found)


def biot_savart(n, centre, radius, circulation, smooth):
    """The velocity of a ring across x and of its images, [3][z][y][x]: modes i k x omega_k/k^2 of a filament, smoothed by a Gaussian."""
    k = np.fft.fftfreq(n, 1 / n)
    angle = 2 * np.pi * np.arange(128) / 128
    y, z = centre[1] + radius * np.cos(angle), centre[2] + radius * np.sin(angle)
    along = np.exp(-1j * k[:, None] * z)[:, None] * np.exp(-1j * k[:, None] * y)[None]  # [kz][ky][angle]
    part = circulation / (2 * np.pi)**3 * radius * 2 * np.pi / 128
    omega_y, omega_z = (part * (along @ w)[:, :, None] * np.exp(-1j * k * centre[0]) for w in (-np.sin(angle), np.cos(angle)))
    kz, ky, kx = np.meshgrid(k, k, k, indexing="ij")
    k2 = kx**2 + ky**2 + kz**2
    filtered = 1j * np.exp(-k2 * smooth**2 / 2) / np.where(k2 > 0, k2, 1)
    u = np.array([ky * omega_z - kz * omega_y, -kx * omega_z, kx * omega_y]) * filtered
    u[0, 0, 0, 0] = circulation * np.pi * radius**2 / (2 * np.pi)**3  # the phase is periodic: it jumps on the disc alone
    return np.fft.ifftn(u, axes=(1, 2, 3), norm="forward").real


def test_the_flow_around_a_ring_is_that_of_biot_and_savart(ready):
    """2 alpha grad(phase) of the start at points more than 1.2 from the filament. Both are smoothed over a length of 0.3, which takes away what
    the truncation of psi leaves of its core and does not change a potential flow; exp(-(1.2/0.3)^2/2) = 3e-4 of the core is seen there."""
    n, radius, smooth = 48, 1.0, 0.3
    folder = ready("gpe-vortex-ring", grid__n=[n, n, n], equations__healing_length=0.1, time__end=0.0, output__fields_interval=1.0)
    with h5py.File(sorted((folder / "fields").glob("*.h5"))[0]) as f:
        psi = f["psi_re"][:] + 1j * f["psi_im"][:]
    k = np.fft.fftfreq(n, 1 / n)
    k = np.array(np.meshgrid(k, k, k, indexing="ij"))[::-1]
    alpha = 0.1 / math.sqrt(2)
    u = 2 * alpha * (psi.conj() * np.fft.ifftn(1j * k * np.fft.fftn(psi), axes=(1, 2, 3))).imag / abs(psi)**2
    u = np.fft.ifftn(np.fft.fftn(u, axes=(1, 2, 3)) * np.exp(-(k**2).sum(axis=0) * smooth**2 / 2), axes=(1, 2, 3)).real
    exact = biot_savart(n, (np.pi / 2, np.pi, np.pi), radius, 4 * np.pi * alpha, smooth)
    z, y, x = np.meshgrid(*[2 * np.pi * np.arange(n) / n] * 3, indexing="ij")
    off = (x - np.pi / 2 + np.pi) % (2 * np.pi) - np.pi
    away = np.hypot(np.hypot(y - np.pi, z - np.pi) - radius, off) > 1.2
    error = abs(u - exact)[:, away].max() / abs(exact[:, away]).max()
    assert error < 0.01
    record("gpe-biot-savart", error)
