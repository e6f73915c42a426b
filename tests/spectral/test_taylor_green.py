"""The Taylor-Green vortex at Re = 100 has the numbers that a refinement study in space and time gave: the table of
runs/taylor-green-re100/README.md."""

import re

import numpy as np
import pytest

import outputs
from conftest import ROOT
from outputs import sets
from verification import record

FOLDER = ROOT / "runs/taylor-green-re100"
NAMES = ("t_p", "eps(t_p)", "E(5)", "E(10)")


def table():
    """{points along a side: (t_p, eps, E(5), E(10))}"""
    rows = re.findall(r"^\| (\d+)\^3 \| rk4, [\d.]+ \| ([^\n]*) \| [\d.]+ \|$", (FOLDER / "README.md").read_text(),
                      re.M)
    return {int(n): tuple(map(float, values.split("|"))) for n, values in rows}


def measure(run):
    """(t_p, eps, E(5), E(10)) of a series with equal steps."""
    s = outputs.series(run)
    t, eps = s["t"], s["dissipation"]
    top = int(np.argmax(eps))
    assert 2 <= top < len(t) - 2
    near = slice(top - 2, top + 3)
    dt = t[1] - t[0]
    quartic = np.polynomial.Polynomial.fit((t[near] - t[top]) / dt, eps[near], 4)
    roots = [r.real for r in quartic.deriv().roots() if abs(r.imag) < 1e-9 and abs(r.real) <= 1]
    best = max(roots, key=quartic)
    return t[top] + best * dt, quartic(best), *(s["energy"][np.argmin(abs(t - when))] for when in (5, 10))


def test_table_shows_convergence():
    study = table()
    assert sorted(study) == [24, 32, 48, 64, 80, 96]
    for name, a, b in zip(NAMES, study[80], study[96]):
        assert a == pytest.approx(b, rel=1e-4), name
    for i, name in enumerate(NAMES):
        assert abs(study[24][i] - study[96][i]) > abs(study[64][i] - study[96][i]), name


@pytest.mark.parametrize("n, ranks, threads, precision", [
    (48, 2, 1, "double"), (32, 3, 1, "double"), (32, 1, 2, "single"),
], ids=["48-on-2-ranks", "32-on-3-ranks", "32-single"])
def test_dissipation_and_energy_are_the_converged_ones(mpirun, triad, rundir, n, ranks, threads, precision):
    mpirun(ranks, triad, "run", FOLDER / "case.toml", "--dir", rundir, "-q",
           *sets(grid__n=[n, n, n], precision=precision, output__spectra_interval=0.0), threads=threads, timeout=100,
           expect=0)
    study = table()
    # how far the 48^3 and 32^3 rows are from the converged one is what a correct run is off by; an error may cross zero
    # as the grid is refined, so the larger of this row's and the next finer one's counts
    finer = {32: 48, 48: 64}[n]
    for name, value, *rows in zip(NAMES, measure(rundir), study[96], study[n], study[finer]):
        converged, coarse, fine = rows
        allowed = 2 * max(abs(coarse - converged), abs(fine - converged))
        allowed += 1e-4 * converged if precision == "single" else 0
        assert abs(value - converged) <= allowed, f"{name} = {value:.8g}, converged {converged}, within {allowed:.2g}"
    if n == 48:
        peak = measure(rundir)[1]
        record("hd-taylor-green-100", abs(peak / study[96][1] - 1), peak)


def test_symmetries_of_the_vortex_last(mpirun, triad, rundir):
    """Mirror planes: no helicity; u(x, y, z) and v(y, x, z) mirror each other, so their energies are equal."""
    mpirun(2, triad, "run", FOLDER / "case.toml", "--dir", rundir, "-q",
           *sets(grid__n=[24, 24, 24], time__end=5.0, output__spectra_interval=0.0), timeout=60, expect=0)
    s = outputs.series(rundir)
    assert abs(s["helicity"]).max() < 1e-15
    m = outputs.modes(rundir)
    share = [(outputs.weights(m) * abs(m[f])**2).sum() / 2 for f in outputs.FIELDS]
    assert share[0] == pytest.approx(share[1], rel=1e-13) and share[2] > 0.01 * share[0]
    # modes of the vortex: all wavenumbers even, or all odd (Brachet et al. 1983, section 2)
    for field in outputs.FIELDS:
        for k, value in outputs.by_wavenumber(m, field).items():
            assert len({abs(i) % 2 for i in k}) == 1 or abs(value) < 1e-16, (field, k, value)
