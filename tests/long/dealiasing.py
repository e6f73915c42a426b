"""Truncation and phase shifts at equal cost (docs/dealiasing.md): for check, beside it."""

import resource
import subprocess
from pathlib import Path

import numpy as np

import outputs

CASE = Path(__file__).resolve().parents[2] / "runs/iso-decay/case.toml"
GRIDS = (("truncation", 64, 0.5), ("phase-shift", 48, 0.36), ("phase-shift", 50, 0.36), ("phase-shift", 54, 0.36))


def decay(options, folder, dealiasing, n, cfl):
    """E(k) at t = 2 and dissipation since t = 0 of decaying turbulence that 64^3 truncated points do not resolve; processor time [s]."""
    at = folder / f"{dealiasing}-{n}"
    sets = outputs.sets(time__scheme="rk2", time__end=2, time__cfl=cfl, equations__viscosity=5e-3, output__spectra_interval=1,
                        output__report=False, parallel__threads=1, grid__n=[n, n, n], grid__dealiasing=dealiasing)
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run([options.triad, "run", "-q", CASE, "--dir", at, *sets], check=True)
    took = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    series = outputs.series(at)
    return outputs.spectra(at)[-1][1]["E"], series["dissipation"][-1], took


def spectra(options, name, folder, note):
    """The flow of one seed on grids of about one cost beside 128^3."""
    finest, dissipation, _ = decay(options, folder, "truncation", 128, 0.5)
    found = []
    for dealiasing, n, cfl in GRIDS:
        e, eps, took = decay(options, folder, dealiasing, n, cfl)
        high = [100 * (e[k] / finest[k] - 1) for k in (14, 18, 20)]
        found.append((np.sqrt(np.mean(np.log(e[1:21] / finest[1:21])**2)), took))
        note(f"{name}: {dealiasing}, {n}^3: E(14), E(18), E(20) against 128^3; rms of ln E, k = 1 to 20; dissipation; processor time",
             f"{high[0]:.1f}, {high[1]:.1f}, {high[2]:.1f} %; {found[-1][0]:.3f}; {100 * (eps / dissipation - 1):.2f} %; {took:.2f} s",
             "rms of shifts half of truncation's", n == 64 or found[-1][0] < found[0][0] / 2)
