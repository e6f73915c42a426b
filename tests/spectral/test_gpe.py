"""Runs of the Gross-Pitaevskii set as a user makes them: the ready cases against what theory says, and restart."""

import h5py
import numpy as np
import pytest

import outputs
from conftest import ROOT
from outputs import sets
from verification import record

WAVES, RING, VORTICES = (ROOT / f"runs/gpe-{name}/case.toml" for name in ("waves", "vortex-ring", "taylor-green"))
RANDOM = sets(grid__n=[15, 16, 12], grid__length=[5.0, 6.0, 4.0], initial__kind="random", initial__energy=0.05,
              equations__healing_length=0.5, output__series_interval=0.0, output__spectra_interval=0.5, time__end=100.0)


@pytest.fixture
def run(mpirun, triad):
    def start(case, folder, *arguments, ranks=1, expect=0, env=None):
        return mpirun(ranks, triad, "run", case, "--dir", folder, *arguments, timeout=100, expect=expect, env=env)
    return start


def densities(folder):
    """[(t, rho)] of the snapshots."""
    out = []
    for path in sorted((folder / "fields").glob("*.h5")):
        with h5py.File(path) as f:
            out.append((float(f.attrs["t"]), f["psi_re"][:]**2 + f["psi_im"][:]**2))
    return out


def test_series_begins_with_the_columns_of_the_contract(run, rundir):
    said = run(WAVES, rundir, *sets(time__max_steps=3))
    header = outputs.rows(rundir)[0].split(",")
    assert header == ["step", "t", "dt", "energy", "enstrophy", "dissipation", "injection", "mass", "kinetic_energy",
                      "interaction_energy", "incompressible_energy", "compressible_energy", "quantum_energy",
                      "momentum_x", "momentum_y", "momentum_z"]
    for word in ("alpha = 0.141421", "beta = 3.53553", "mu = 3.53553", "sound speed c = 1", "healing length xi = 0.2",
                 "density rho0 = 1", "quantum of circulation 4 pi alpha = 1.77715", "k_max xi = "):
        assert word in said.stdout, said.stdout


def test_sound_wave_goes_as_bogoliubov_says(run, rundir):
    run(WAVES, rundir)
    t, wave = zip(*[(t, np.fft.fft(rho.mean(axis=(0, 1)))[2].real / rho.shape[2]) for t, rho in densities(rundir)])
    omega = 2 * np.sqrt(1 + 0.2**2 * 2**2 / 2)
    # an error of 1e-6 in the frequency, and corrections of the order of the amplitude squared
    assert np.allclose(np.array(wave) / wave[0], np.cos(omega * np.array(t)), atol=1e-6 * omega * t[-1] + 1e-6, rtol=0)
    record("gpe-sound", abs(np.array(wave) / wave[0] - np.cos(omega * np.array(t))).max())
    s = outputs.series(rundir)
    assert abs(s["mass"] / s["mass"][0] - 1).max() < 1e-12 and abs(s["energy"] / s["energy"][0] - 1).max() < 1e-12


def test_formulas_are_in_units_of_the_root_of_the_density(run, tmp_path):
    """mean |psi|^2 is the density for psi = 1, as for kind uniform; a file of that run's fields holds psi itself."""
    common = sets(grid__n=[8, 8, 8], equations__density=0.7, time__end=0.01, time__dt=0.01, output__fields_interval=0.01,
                  output__slices_interval=0)
    run(WAVES, tmp_path / "formula", *common, *sets(initial__kind="formula", initial__psi_re="1 + 0.5*cos(x)", initial__psi_im="0.25*sin(y)"))
    mean = 0.7 * (1 + 0.5**2 / 2 + 0.25**2 / 2)
    assert abs(outputs.series(tmp_path / "formula")["mass"][0] - mean) < 1e-14
    fields = sorted((tmp_path / "formula/fields").glob("*.h5"))[0]
    run(WAVES, tmp_path / "file", *common, *sets(initial__kind="file", initial__file=str(fields)))
    assert abs(outputs.series(tmp_path / "file")["mass"][0] - mean) < 1e-14


@pytest.mark.limit(200)
def test_vortex_ring_has_its_own_velocity(run, rundir):
    """v = Gamma/(4 pi R) (ln(8 R/xi) - 0.615) (Roberts and Grant 1971, J. Phys. A 4, 55). The ring's images add the
    field that a cubic lattice of dipoles Gamma pi R^2 has at each of them when the phase is periodic, a third of their
    mean: Gamma pi R^2/(3 V), some per cent of v. Left out are terms of order (xi/R)^2 times the logarithm, near 2 % here,
    and next multipoles of the images, of order (R/L)^5."""
    run(RING, rundir, *sets(grid__n=[48, 48, 48], equations__healing_length=0.1, time__end=8.0))
    position = []
    for t, rho in densities(rundir):
        n, x = rho.shape[2], 2 * np.pi * np.arange(rho.shape[2]) / rho.shape[2]
        core = np.clip(1 - rho, 0, None)**4   # sound does not weigh here
        position.append((t, np.angle((core.mean(axis=(0, 1)) * np.exp(1j * x)).sum())))
        along = core.sum(axis=2)
        y = x[None, :] - np.pi
        radius = np.sqrt((along * (y**2 + y.T**2)).sum() / along.sum())
        assert abs(radius - 1) < 0.05
    t, x = np.array(position).T
    velocity = np.polyfit(t, np.unwrap(x), 1)[0]
    gamma = 4 * np.pi * 0.1 / np.sqrt(2)
    own = gamma / (4 * np.pi) * (np.log(8 / 0.1) - 0.615)
    images = gamma * np.pi / 3 / (2 * np.pi)**3
    assert abs(velocity / (own + images) - 1) < 0.03, (velocity, own, images)
    record("gpe-ring", abs(velocity / (own + images) - 1), velocity)


@pytest.mark.parametrize("scheme", ["rk4", "split2"])
@pytest.mark.parametrize("ranks", [1, 3])
def test_restart_continues_bit_for_bit(run, tmp_path, scheme, ranks):
    plans = {"TRIAD_WISDOM": tmp_path / "wisdom"}
    whole, halves = tmp_path / "whole", tmp_path / "halves"
    case = [*RANDOM, *sets(time__scheme=scheme)]
    run(VORTICES, whole, *case, *sets(time__max_steps=12), ranks=ranks, env=plans)
    for steps in (5, 12):
        run(VORTICES, halves, *case, *sets(time__max_steps=steps), ranks=ranks, env=plans)
    a, b = outputs.modes(whole), outputs.modes(halves)
    for field in ("kx", "ky", "kz", "psi_re", "psi_im"):
        assert a[field].tobytes() == b[field].tobytes()
    assert outputs.rows(whole) == outputs.rows(halves)


def test_relaxed_state_starts_a_run_from_checkpoint_and_from_file(run, tmp_path):
    tiny = sets(grid__n=[32, 32, 32], equations__healing_length=0.112, output__series_interval=0.0)
    relaxed = tmp_path / "relaxed"
    run(VORTICES, relaxed, *tiny, *sets(equations__imaginary_time=True, time__end=0.2, output__fields_interval=0.2))
    last = {name: column[-1] for name, column in outputs.series(relaxed).items()}
    fields = sorted((relaxed / "fields").glob("*.h5"))[-1]
    for kind, file in (("checkpoint", relaxed), ("file", fields)):
        folder = tmp_path / kind
        run(VORTICES, folder, *tiny, *sets(initial__kind=kind, initial__file=str(file), time__max_steps=5))
        s = outputs.series(folder)
        for name in ("energy", "mass", "kinetic_energy", "incompressible_energy"):
            assert np.isclose(s[name][0], last[name], rtol=1e-12), (kind, name)
        assert abs(s["energy"][-1] / s["energy"][0] - 1) < 1e-6


def test_energy_of_taylor_green_turns_to_sound(run, rundir):
    run(VORTICES, rundir, *sets(grid__n=[32, 32, 32], equations__healing_length=0.112, time__end=4.0))
    s = outputs.series(rundir)
    assert abs(s["mass"] / s["mass"][0] - 1).max() < 1e-5 and abs(s["energy"] / s["energy"][0] - 1).max() < 1e-5
    parts = s["incompressible_energy"] + s["compressible_energy"] + s["quantum_energy"]
    assert np.allclose(parts, s["kinetic_energy"], rtol=1e-12)
    assert s["incompressible_energy"][-1] < s["incompressible_energy"][0]
    for t, e in outputs.spectra(rundir):
        assert np.isclose(e["E"].sum(), np.interp(t, s["t"], s["energy"]), rtol=1e-5)
        assert np.allclose(e["E"], e["E_kinetic"] + e["E_interaction"], rtol=1e-12)
