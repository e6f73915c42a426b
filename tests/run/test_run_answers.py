"""Whole runs: who computes them does not matter, and the cases of runs/ say what is known of them."""

import re

import numpy as np
import pytest

import outputs
from conftest import ROOT
from outputs import sets
from smallrun import CASE, SMALL


# ---- who computes it does not matter ----

FORCED = [*SMALL, *sets(forcing__kind="random", forcing__k_range=[1.0, 2.0], output__series_interval=0.0,
                        time__end=0.25, output__fields_interval=0.0)]


@pytest.mark.limit(180)
def test_answer_is_the_same_bit_for_bit_when_reproducible(mpirun, triad, tmp_path):
    first = None
    for ranks, threads in ((1, 1), (2, 1), (3, 1), (4, 1), (1, 2), (3, 2), (6, 1)):
        run = tmp_path / f"{ranks}x{threads}"
        mpirun(ranks, triad, "run", CASE, "--dir", run, "-q", *FORCED, *sets(parallel__reproducible=True),
               threads=threads, timeout=60, expect=0)
        now = (outputs.rows(run), [(t, a["E"].tobytes(), a["H"].tobytes()) for t, a in outputs.spectra(run)])
        first = first or (run, now)
        assert now[0] == first[1][0], f"series on {ranks} x {threads}"
        assert now[1] == first[1][1], f"spectra on {ranks} x {threads}"
        assert outputs.same_bits(run, first[0]), f"modes on {ranks} x {threads}"


def test_answer_is_the_same_to_round_off_otherwise(mpirun, triad, tmp_path):
    first = None
    for ranks, threads in ((1, 1), (3, 2), (4, 1)):
        run = tmp_path / f"{ranks}x{threads}"
        mpirun(ranks, triad, "run", CASE, "--dir", run, "-q", *FORCED, threads=threads, timeout=60, expect=0,
               env={"TRIAD_WISDOM": tmp_path / f"wisdom-{ranks}"})  # plans of its own
        s = outputs.series(run)
        first = first or (run, s)
        assert outputs.distance(run, first[0]) < 1e-12
        for column in ("t", "energy", "enstrophy", "dissipation", "u_max"):
            np.testing.assert_allclose(s[column], first[1][column], rtol=1e-12,
                                       err_msg=f"{column} on {ranks} x {threads}")


def test_streams_do_not_change_the_answer(mpirun, triad, tmp_path):
    for n in (1, 2, 8):
        mpirun(3, triad, "run", CASE, "--dir", tmp_path / str(n), "-q", *FORCED,
               *sets(parallel__reproducible=True, parallel__nstreams=n), timeout=60, expect=0)
        assert outputs.same_bits(tmp_path / str(n), tmp_path / "1")


def test_more_ranks_than_planes_run_and_are_told(mpirun, triad, tmp_path):
    flat = [*FORCED, *sets(grid__n=[16, 16, 3], grid__length=[5.0, 4.0, 1.0], parallel__reproducible=True)]
    one = mpirun(1, triad, "run", CASE, "--dir", tmp_path / "1", *flat, timeout=60, expect=0)
    many = mpirun(5, triad, "run", CASE, "--dir", tmp_path / "5", *flat, timeout=60, expect=0)
    assert outputs.same_bits(tmp_path / "1", tmp_path / "5")
    assert "5 ranks share 3 planes" in many.stdout + many.stderr and "share" not in one.stdout + one.stderr


def test_single_precision_follows_double(mpirun, triad, tmp_path):
    for precision in ("double", "single"):
        mpirun(2, triad, "run", CASE, "--dir", tmp_path / precision, "-q", *FORCED,
               *sets(precision=precision, time__dt=0.01), timeout=60, expect=0)
    # 25 steps of 3 stages, each rounding by some 6e-8
    assert outputs.distance(tmp_path / "single", tmp_path / "double") < 25 * 3 * 6e-8 * 4
    assert outputs.modes(tmp_path / "single")["u"].dtype == np.complex64


# ---- the cases of runs/ at a size that a test can afford ----

def test_abc_decay_case(mpirun, triad, rundir):
    mpirun(3, triad, "run", ROOT / "runs/abc-decay/case.toml", "--dir", rundir, *sets(grid__n=[12, 12, 12]), timeout=60,
           expect=0)
    s = outputs.series(rundir)
    energy = (1 + 0.7**2 + 0.43**2) / 2
    np.testing.assert_allclose(s["energy"], energy * np.exp(-0.2 * s["t"]), rtol=1e-12)
    np.testing.assert_allclose(s["helicity"], 2 * energy * np.exp(-0.2 * s["t"]), rtol=1e-12)
    assert s["step"][-1] == 100


def test_iso_decay_case(mpirun, triad, rundir):
    """Numbers of runs/iso-decay/README.md, on the coarsest grid of its table."""
    readme = (ROOT / "runs/iso-decay/README.md").read_text()
    row = re.search(r"\| 32\^3 \|([^\n]*)\|", readme).group(1).split("|")
    converged = re.search(r"\| 96\^3 \|([^\n]*)\|", readme).group(1).split("|")
    mpirun(2, triad, "run", ROOT / "runs/iso-decay/case.toml", "--dir", rundir, *sets(grid__n=[32, 32, 32]), timeout=60,
           expect=0)
    s = outputs.series(rundir)
    at_2 = [arrays["E"].sum() for t, arrays in outputs.spectra(rundir) if t == 2]
    got = [s["energy"][0], s["dissipation"][0], *at_2, s["energy"][-1], s["dissipation"].max()]
    assert len(got) == 5
    assert s["energy"][0] == pytest.approx(0.5, rel=1e-14)
    for name, value, fine, coarse in zip(("E(0)", "eps(0)", "E(2)", "E(4)", "largest eps"), got,
                                         map(float, converged), map(float, row)):
        # as far from the converged value as the table says of this grid, and half of that again for another machine
        assert abs(value - fine) <= 1.5 * abs(coarse - fine) + 1e-4 * fine, (name, value, fine, coarse)
    assert (np.diff(s["energy"]) < 0).all()


def test_iso_forced_case(mpirun, triad, rundir):
    mpirun(2, triad, "run", ROOT / "runs/iso-forced/case.toml", "--dir", rundir,
           *sets(grid__n=[24, 24, 24], time__end=2.0, time__dt=0.01, output__series_interval=0.0,
                 equations__viscosity=0.02), timeout=60, expect=0)
    s = outputs.series(rundir)
    assert (s["injection"] == 0.1).all()
    gained = s["energy"][-1] - s["energy"][0]
    spent = ((s["dissipation"][1:] + s["dissipation"][:-1]) / 2 * np.diff(s["t"])).sum()
    # a kick at the end of each step raises the dissipation by at most 2 nu k^2 P dt at once, of which the trapezoidal
    # rule counts half too much
    slack = 0.02 * 2.5**2 * 0.1 * 0.01 * 2.0
    assert abs(gained - (0.1 * 2.0 - spent)) < 1.5 * slack + 1e-5, (gained, spent, slack)
    assert slack < 0.01 * spent


def test_tgv_1600_case_starts_as_published(mpirun, triad, rundir):
    mpirun(2, triad, "run", ROOT / "runs/tgv-re1600/case.toml", "--dir", rundir,
           *sets(grid__n=[24, 24, 24], time__end=0.5, time__cfl=0.05, output__series_interval=0.0),
           timeout=60, expect=0)
    s = outputs.series(rundir)
    assert s["energy"][0] == pytest.approx(0.125, rel=1e-14)
    assert s["dissipation"][0] == pytest.approx(2 * 6.25e-4 * 0.375, rel=1e-14)
    # mirror symmetries, and the energy budget, to the order of scheme and trapezoidal rule
    assert abs(s["helicity"]).max() < 1e-15
    lost = ((s["dissipation"][1:] + s["dissipation"][:-1]) / 2 * np.diff(s["t"])).sum()
    assert s["energy"][0] - s["energy"][-1] == pytest.approx(lost, rel=1e-5)
