"""A run that was stopped goes on as if it had not been: bit for bit on the same ranks, to round-off on others."""

import os
import re
import shutil
import signal

import numpy as np
import pytest

import outputs
from conftest import ROOT, members
from outputs import sets
from waiting import wait_for

CASE = ROOT / "runs/taylor-green-demo/case.toml"

# Every step has its row; CFL steps, random forcing and a random field: all that a restart could forget.
FORCED = sets(grid__n=[15, 16, 12], grid__length=[5.0, 6.0, 4.0], equations__viscosity=0.02, initial__kind="random",
              forcing__kind="random", forcing__k_range=[1.0, 2.0], output__series_interval=0.0,
              output__spectra_interval=0.5, time__end=100.0)
VORTEX = sets(grid__n=[16, 16, 16], output__series_interval=0.0, output__spectra_interval=0.5, time__dt=0.01,
              time__end=100.0)
POWERED = [*FORCED, *sets(forcing__kind="constant-power", time__scheme="rk4")]

# What noise has drawn, and a power that follows the flow every fourth step: the kill comes between two looks.
HELD = [*FORCED, *sets(forcing__kind="ornstein-uhlenbeck", forcing__hold="energy", forcing__hold_value=2.0,
                       forcing__hold_interval=4)]
KEPT = [*FORCED, *sets(forcing__kind="constant-energy")]


def files_of(run):
    """What a finished run must keep as it is: results, not the log, the plans, and what describes the last command."""
    about = ("log.txt", "provenance.json", "case.toml", "case.resolved.toml", "wisdom-double")
    return {p.relative_to(run): p.read_bytes() for p in sorted(run.rglob("*")) if p.is_file() and p.name not in about}


@pytest.fixture(scope="module")
def plans(tmp_path_factory):
    """Runs of two directories are compared bit for bit here, so they share their measured plans; as runs of one user do
    anyway where the home directory can be written."""
    folder = tmp_path_factory.mktemp("plans")
    yield {"TRIAD_WISDOM": folder / "wisdom"}
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def run(mpirun, triad, plans):
    """run(ranks, folder, steps, ...): on to that step; steps = 0: to the end of the case."""
    def start(ranks, folder, steps, *arguments, threads=1, expect=0):
        return mpirun(ranks, triad, "run", CASE, "--dir", folder, *arguments, *sets(time__max_steps=steps),
                      threads=threads, timeout=60, expect=expect, env=plans)
    return start


# ---- continuing ----

@pytest.mark.parametrize("case, ranks, threads", [(FORCED, 1, 1), (FORCED, 3, 1), (VORTEX, 2, 2), (POWERED, 3, 1), (HELD, 2, 1),
                                                  (KEPT, 2, 1)],
                         ids=["random-1", "random-3", "vortex-2x2", "constant-power-3", "held", "kept"])
def test_restart_continues_bit_for_bit_on_the_same_ranks(run, tmp_path, case, ranks, threads):
    whole, halves = tmp_path / "whole", tmp_path / "halves"
    run(ranks, whole, 24, *case, threads=threads)
    for steps in (9, 24):
        result = run(ranks, halves, steps, *case, threads=threads)
    assert "resumed from" in result.stdout and "step 9" in result.stdout
    assert outputs.rows(halves) == outputs.rows(whole), "series"
    assert outputs.same_bits(halves, whole), "modes of the last checkpoint"
    assert outputs.modes(halves)["attributes"]["t"] == outputs.modes(whole)["attributes"]["t"]


def test_spectra_are_written_once_each_across_a_restart(run, tmp_path):
    whole, halves = tmp_path / "whole", tmp_path / "halves"
    run(2, whole, 120, *VORTEX)
    for steps in (50, 120):
        run(2, halves, steps, *VORTEX)
    assert [t for t, _ in outputs.spectra(whole)] == [t for t, _ in outputs.spectra(halves)]
    for (_, a), (_, b) in zip(outputs.spectra(whole), outputs.spectra(halves)):
        assert a["E"].tobytes() == b["E"].tobytes()


@pytest.mark.parametrize("case", [FORCED, VORTEX], ids=["random", "vortex"])
def test_restart_continues_to_round_off_on_other_ranks(run, tmp_path, case):
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    run(2, whole, 24, *case)
    for ranks, steps in ((3, 9), (1, 16), (4, 24)):
        run(ranks, parts, steps, *case)
    assert outputs.distance(parts, whole) < 1e-12
    a, b = outputs.series(parts), outputs.series(whole)
    assert list(a["step"]) == list(b["step"])
    for column in ("t", "energy", "enstrophy", "dissipation", "u_max"):
        np.testing.assert_allclose(a[column], b[column], rtol=1e-12, err_msg=column)


def test_restart_continues_bit_for_bit_on_any_ranks_when_reproducible(run, tmp_path):
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    exact = [*FORCED, *sets(parallel__reproducible=True)]
    run(1, whole, 24, *exact)
    for ranks, threads, steps in ((3, 1, 8), (1, 2, 16), (4, 1, 24)):
        run(ranks, parts, steps, *exact, threads=threads)
    assert outputs.rows(parts) == outputs.rows(whole)
    assert outputs.same_bits(parts, whole)


def test_single_precision_restarts_bit_for_bit(run, tmp_path):
    whole, halves = tmp_path / "whole", tmp_path / "halves"
    single = [*FORCED, *sets(precision="single")]
    run(2, whole, 20, *single)
    for steps in (9, 20):
        run(2, halves, steps, *single)
    assert outputs.rows(halves) == outputs.rows(whole) and outputs.same_bits(halves, whole)


def test_restart_on_another_grid_keeps_the_modes_of_both(run, tmp_path):
    run(2, tmp_path / "run", 10, *VORTEX, *sets(equations__viscosity=0.05))
    before = outputs.modes(tmp_path / "run")
    result = run(3, tmp_path / "run", 11, *VORTEX, *sets(equations__viscosity=0.05, grid__n=[24, 20, 27]))
    assert "step 10" in result.stdout
    after = outputs.modes(tmp_path / "run")
    assert list(after["attributes"]["n"]) == [24, 20, 27] and after["attributes"]["step"] == 11
    # one step of 0.01 later: no mode has moved far
    assert abs(outputs.energy(after) - outputs.energy(before)) < 0.01 * outputs.energy(before)
    assert (np.diff(outputs.series(tmp_path / "run")["energy"]) < 0).all()


def test_restart_on_a_coarser_grid_tells_what_it_drops(run, tmp_path):
    case = [*FORCED, *sets(initial__spectrum="power-law", initial__k_range=[1.0, 5.0], forcing__kind="none")]
    run(2, tmp_path / "run", 4, *case)
    before = outputs.modes(tmp_path / "run")
    result = run(1, tmp_path / "run", 5, *case, *sets(grid__n=[9, 10, 8]))
    told = re.search(r"energy ([\d.e+-]+) is in modes outside this grid and is dropped",
                     result.stdout + result.stderr)
    assert told, result
    kmax = [(n - 1) // 3 for n in (9, 10, 8)]
    lost = sum(abs(v)**2 * (1 if (k[0], k[1]) != (0, 0) else 0.5) for f in outputs.FIELDS
               for k, v in outputs.by_wavenumber(before, f).items()
               if sum((a / b)**2 for a, b in zip(k, kmax)) > 1 + 1e-12)
    assert float(told.group(1)) == pytest.approx(lost, rel=1e-5)


# ---- nothing left to do ----

def test_finished_run_says_so_and_changes_nothing(run, tmp_path):
    case = [*VORTEX, *sets(time__end=0.1)]
    run(2, tmp_path / "run", 0, *case)
    before = files_of(tmp_path / "run")
    for ranks in (2, 3):
        assert "already finished" in run(ranks, tmp_path / "run", 0, *case).stdout
    assert files_of(tmp_path / "run") == before


def test_later_end_continues_a_finished_run(run, tmp_path):
    for end in (0.1, 0.2):
        run(2, tmp_path / "two", 0, *VORTEX, *sets(time__end=end))
    run(2, tmp_path / "one", 0, *VORTEX, *sets(time__end=0.2))
    # the first end is hit exactly, by a step that may differ from the others in its last bit
    assert outputs.distance(tmp_path / "two", tmp_path / "one") < 1e-14
    assert list(outputs.series(tmp_path / "two")["step"]) == list(range(21))


# ---- signals ----

def ranks_of(process):
    """Process ids of the program's own ranks, not of the launcher."""
    out = []
    for pid in members(process.pid):
        try:
            if os.readlink(f"/proc/{pid}/exe").endswith("/triad"):
                out.append(pid)
        except OSError:
            pass
    return out


def rows_written(run):
    return len(outputs.rows(run)) - 1 if (run / "series.csv").exists() else 0


LONG = [*FORCED, *sets(grid__n=[24, 24, 24])]


@pytest.mark.parametrize("number, ranks, to_all", [
    (signal.SIGUSR1, 3, False), (signal.SIGTERM, 2, True), (signal.SIGINT, 2, True), (signal.SIGXCPU, 1, True),
    (signal.SIGHUP, 2, True), (signal.SIGQUIT, 1, True),
], ids=["USR1-to-one-rank", "TERM", "INT", "XCPU", "HUP", "QUIT"])
def test_signal_stops_with_a_checkpoint(mpirun, triad, plans, rundir, number, ranks, to_all):
    process = mpirun.start(ranks, triad, "run", CASE, "--dir", rundir, "-q", *LONG, env=plans)
    wait_for(lambda: rows_written(rundir) > 10, "ten steps", process)
    pids = ranks_of(process)
    assert len(pids) == ranks
    for pid in pids if to_all else pids[-1:]:
        os.kill(pid, number)
    assert process.wait(30) == 75
    steps = int(outputs.series(rundir)["step"][-1])
    assert outputs.modes(rundir)["attributes"]["step"] == steps, "the checkpoint is of the last step taken"
    log = (rundir / "log.txt").read_text()
    assert "stopped by a signal" in log and f"step {steps}" in log


def test_run_under_nohup_does_not_hear_that_its_terminal_is_closed(mpirun, triad, plans, rundir):
    process = mpirun.start(1, "nohup", triad, "run", CASE, "--dir", rundir, "-q", *LONG, env=plans,
                           cwd=rundir.parent)  # mpirun gives it a terminal, so it writes nohup.out where it is
    wait_for(lambda: rows_written(rundir) > 5, "five steps", process)
    (pid,) = ranks_of(process)
    os.kill(pid, signal.SIGHUP)
    at = rows_written(rundir)
    wait_for(lambda: rows_written(rundir) > at + 5, "five steps more", process)
    os.kill(pid, signal.SIGTERM)
    assert process.wait(30) == 75


def test_run_stopped_at_a_random_step_continues_bit_for_bit(mpirun, run, triad, plans, tmp_path):
    stopped, whole = tmp_path / "stopped", tmp_path / "whole"
    process = mpirun.start(2, triad, "run", CASE, "--dir", stopped, "-q", *LONG, env=plans)
    wait_for(lambda: rows_written(stopped) > 5, "five steps", process)
    for pid in ranks_of(process):
        os.kill(pid, signal.SIGUSR1)
    assert process.wait(30) == 75
    steps = int(outputs.series(stopped)["step"][-1]) + 10
    for folder in (stopped, whole):
        run(2, folder, steps, *LONG)
    assert outputs.rows(stopped) == outputs.rows(whole)
    assert outputs.same_bits(stopped, whole)


def test_sigusr2_saves_and_goes_on(mpirun, triad, plans, rundir):
    folder = rundir
    process = mpirun.start(2, triad, "run", CASE, "--dir", folder, "-q", *LONG, env=plans)
    wait_for(lambda: rows_written(folder) > 5, "five steps", process)
    assert not outputs.checkpoints(folder)
    for pid in ranks_of(process):
        os.kill(pid, signal.SIGUSR2)
    wait_for(lambda: len(outputs.checkpoints(folder)) == 1, "checkpoint", process)
    at = rows_written(folder)
    wait_for(lambda: rows_written(folder) > at + 5, "five steps more", process)
    assert len(outputs.checkpoints(folder)) == 1, "saved once"
    for pid in ranks_of(process):
        os.kill(pid, signal.SIGTERM)
    assert process.wait(30) == 75


# ---- what a crash leaves ----

TWICE = [*VORTEX, *sets(output__checkpoint_interval=0.1)]


@pytest.fixture(scope="module")
def finished(launcher, triad, plans, tmp_path_factory):
    """A run of 20 steps with checkpoints at 10 and 20."""
    folder = tmp_path_factory.mktemp("finished") / "run"
    launcher(2, triad, "run", CASE, "--dir", folder, *TWICE, *sets(time__max_steps=20), timeout=60, expect=0, env=plans)
    assert [c.name for c in outputs.checkpoints(folder)] == ["step-00000010", "step-00000020"]
    yield folder
    shutil.rmtree(folder.parent, ignore_errors=True)


@pytest.fixture
def crashed(finished, tmp_path):
    """A copy to do harm to, what it was, and its case."""
    folder = tmp_path / "crashed"
    shutil.copytree(finished, folder, symlinks=True)
    return folder, finished, TWICE


def test_rows_after_the_last_checkpoint_are_set_aside_and_written_again(run, crashed):
    folder, kept, case = crashed
    shutil.rmtree(outputs.checkpoints(folder)[-1])
    with open(folder / "series.csv", "a") as f:
        f.write("21,0.2100000")  # a torn row, as a crash leaves it
    run(2, folder, 20, *case)
    assert outputs.rows(folder) == outputs.rows(kept)
    assert outputs.same_bits(folder, kept)
    aside = (folder / "series.discarded.csv").read_text().splitlines()
    assert aside[:10] == outputs.rows(kept)[12:] and aside[10] == "21,0.2100000"


@pytest.mark.parametrize("harm", ["flip", "truncate", "manifest", "empty"])
def test_damaged_checkpoint_is_named_and_the_one_before_is_used(run, crashed, harm):
    folder, kept, case = crashed
    newest = outputs.checkpoints(folder)[-1]
    data = bytearray((newest / "modes.h5").read_bytes())
    if harm == "flip":
        data[len(data) // 2] ^= 1
        (newest / "modes.h5").write_bytes(data)
    if harm == "truncate":
        (newest / "modes.h5").write_bytes(data[:-100])
    if harm == "manifest":
        (newest / "manifest.txt").unlink()
    if harm == "empty":
        (newest / "modes.h5").unlink()
    result = run(2, folder, 20, *case)
    said = result.stdout + result.stderr
    assert "step-00000020 is skipped" in said and "step-00000010" in said, said
    assert outputs.rows(folder) == outputs.rows(kept)
    assert outputs.same_bits(folder, kept)


def test_series_that_is_gone_is_begun_anew(run, crashed):
    folder, kept, case = crashed
    (folder / "series.csv").unlink()
    run(2, folder, 22, *case)
    assert list(outputs.series(folder)["step"]) == [21, 22]


def test_foreign_series_is_not_overwritten(run, crashed):
    folder, _, case = crashed
    (folder / "series.csv").write_text("a,b\n1,2\n")
    result = run(2, folder, 22, *case, expect=65)
    assert "series.csv" in result.stderr
    assert (folder / "series.csv").read_text() == "a,b\n1,2\n"


def test_checkpoint_of_another_box_is_refused(run, crashed):
    folder, _, case = crashed
    before = files_of(folder)
    result = run(2, folder, 22, *case, *sets(grid__length=[6.0, 6.0, 6.0]), expect=65)
    assert "length" in result.stderr
    assert files_of(folder) == before


# ---- other precision, other resolution ----

def begin_from(run, tmp_path, name, source, *more):
    """A run of no steps that starts from another's newest checkpoint; its directory."""
    run(2, tmp_path / name, 0, *VORTEX, *sets(initial__kind="checkpoint", initial__file=str(source), time__end=0), *more)
    return tmp_path / name


def test_single_precision_in_between_rounds_each_mode_once(run, tmp_path):
    run(2, tmp_path / "double", 10, *FORCED)
    single = begin_from(run, tmp_path, "single", tmp_path / "double", *sets(precision="single", grid__n=[15, 16, 12],
                                                                            grid__length=[5.0, 6.0, 4.0]))
    again = begin_from(run, tmp_path, "again", single, *sets(grid__n=[15, 16, 12], grid__length=[5.0, 6.0, 4.0]))
    # rounding to 24 bits changes no mode by more than 2^-24 of itself; the projection rounds about thrice more
    assert 0 < outputs.distance(again, tmp_path / "double") < 4 * 2.0**-24


def test_a_run_goes_on_in_the_other_precision_and_back(run, tmp_path):
    case = [*VORTEX, *sets(equations__viscosity=0.05)]
    run(2, tmp_path / "whole", 30, *case)
    for steps, precision in ((10, "double"), (20, "single"), (30, "double")):
        said = run(2, tmp_path / "parts", steps, *case, *sets(precision=precision)).stdout
    assert "step 20" in said
    # ten steps in single precision: some 1e2 roundings of 2^-24 in 16 transforms a step, and the flow is laminar
    assert outputs.distance(tmp_path / "parts", tmp_path / "whole") < 1e-5


def test_finer_and_back_keeps_the_modes_of_both(run, tmp_path):
    run(2, tmp_path / "coarse", 5, *VORTEX, *sets(grid__n=[32, 32, 32]))
    fine = begin_from(run, tmp_path, "fine", tmp_path / "coarse", *sets(grid__n=[48, 48, 48]))
    back = begin_from(run, tmp_path, "back", fine, *sets(grid__n=[32, 32, 32]))
    # the copies are exact (tests/unit/store/test_checkpoint_converted.c); what is left is the projection's rounding, twice
    assert outputs.distance(back, tmp_path / "coarse") < 1e-15
    m = outputs.modes(fine)
    assert outputs.energy(m) == pytest.approx(outputs.energy(outputs.modes(tmp_path / "coarse")), rel=1e-14)


def test_a_group_of_particles_that_a_restart_adds_is_reported_in_one_line(mpirun, triad, rundir):
    keys = [*VORTEX, *sets(output__report=False)]
    mpirun(1, triad, "run", CASE, "--dir", rundir, *keys, *sets(time__max_steps=2), timeout=60, expect=0)
    groups = 'particles=[{name="first", count=3}, {name="second", count=2, start="pairs", separation=0.1}]'
    mpirun(1, triad, "run", CASE, "--dir", rundir, *keys, *sets(time__max_steps=4), "--set", groups, timeout=60, expect=0)
    lines = [line for line in (rundir / "log.txt").read_text().splitlines() if "particles[" in line]
    assert len(lines) == 2 and all("begins at t = " in line for line in lines), lines
    assert 'particles[1]' in lines[0] and 'name "first"' in lines[0] and 'name "second"' in lines[1], lines
