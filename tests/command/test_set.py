"""triad set: a run goes on with other values after its step, exactly as a stop and a start would have it, and keeps them."""
import csv
import os
import re
import signal
import subprocess

import pytest

import outputs
from waiting import wait_for

CASE = """
[equations]
solver = "hd"
viscosity = 0.02
[grid]
n = [16, 16, 16]
[initial]
kind = "random"
wavenumber = 2
[forcing]
kind = "random"
power = 0.1
[time]
end = 1000
cfl = 0.4
[output]
series_interval = 0.1
spectra_interval = 0
"""
VALUES = ["equations.viscosity=0.05", "forcing.power=0.4", "time.cfl=0.3"]


@pytest.fixture
def case(tmp_path):
    path = tmp_path / "case.toml"
    path.write_text(CASE)
    return path


def call(triad, *args):
    return subprocess.run([triad, *map(str, args)], capture_output=True, text=True, timeout=60)


def start(mpirun, triad, case, rundir, ranks=1, *more):
    process = mpirun.start(ranks, triad, "run", case, "--dir", rundir, *more, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                           text=True)
    wait_for(lambda: (rundir / "series.csv").exists() and len(outputs.rows(rundir)) > 3, "rows")
    return process


def records(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.reader(line for line in file if not line.startswith("#")))[1:]


def rows(rundir):
    """Names and rows of series.csv, as texts."""
    names, *values = [line.split(",") for line in (rundir / "series.csv").read_text().splitlines() if not line.startswith("#")]
    return names, values


def test_what_is_asked_while_a_run_takes_what_was_asked_before_is_taken_too(mpirun, triad, case, rundir):
    """The run is held for the second request where it has written the first one down, and not yet put it away."""
    process = start(mpirun, triad, case, rundir)
    pid = int(re.search(r"pid (\d+)", (rundir / "run.lock").read_text()).group(1))
    record = rundir / "case.set.csv"
    assert call(triad, "set", rundir, VALUES[0]).returncode == 0
    while not record.exists():
        pass
    os.kill(pid, signal.SIGSTOP)
    try:
        assert call(triad, "set", rundir, VALUES[1]).returncode == 0
    finally:
        os.kill(pid, signal.SIGCONT)
    wait_for(lambda: len(records(record)) == 2, "two records")
    assert {(r[2], r[4]) for r in records(record)} == {("equations.viscosity", "0.05"), ("forcing.power", "0.4")}
    wait_for(lambda: not list(rundir.glob("set*")), "the order taken")
    assert call(triad, "stop", rundir, "--wait").returncode == 0 and process.wait(30) == 75


def test_requests_at_the_same_time_are_all_taken_and_each_waits_for_its_own(mpirun, triad, case, rundir):
    process = start(mpirun, triad, case, rundir)
    wanted = ["equations.viscosity=0.05", "forcing.power=0.4", "time.cfl=0.3", "output.keep=4", "equations.drag=0.01"]
    wrong = ["time.end=1e-9"]  # refused by the run, for it lies behind its step
    asked = [subprocess.Popen([triad, "set", rundir, word, "--wait"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
             for word in wanted + wrong]
    said = [p.communicate(timeout=60) for p in asked]
    assert [p.returncode for p in asked] == [0] * len(wanted) + [65], said
    assert {f"{r[2]}={r[4]}" for r in records(rundir / "case.set.csv")} == set(wanted)
    assert "already" in call(triad, "set", rundir, wanted[0]).stdout
    # two who ask for the same: the second finds the case as it asks for, and its request counts as taken
    os.kill(pid := int(re.search(r"pid (\d+)", (rundir / "run.lock").read_text()).group(1)), signal.SIGSTOP)
    asked = [subprocess.Popen([triad, "set", rundir, "output.keep=5", "--wait"], stdout=subprocess.PIPE, text=True) for _ in "ab"]
    wait_for(lambda: len(list(rundir.glob("set-*"))) == 2, "two requests")
    os.kill(pid, signal.SIGCONT)
    assert [(p.communicate(timeout=60)[0].count("taken:"), p.returncode) for p in asked] == [(1, 0), (1, 0)]
    stops = [subprocess.Popen([triad, "stop", rundir, "--wait"], stderr=subprocess.PIPE, text=True) for _ in range(8)]
    assert [(p.wait(60), p.stderr.read()) for p in stops] == [(0, "")] * len(stops)
    assert process.wait(30) == 75 and not list(rundir.glob(".tmp-*"))


@pytest.mark.parametrize("ranks", [1, 2])
def test_values_hold_from_their_step_on_as_after_a_stop_and_a_start(mpirun, triad, case, rundir, tmp_path, ranks):
    process = start(mpirun, triad, case, rundir, ranks)
    said = call(triad, "set", rundir, *VALUES, "--wait")
    assert said.returncode == 0 and "taken" in said.stdout, said
    kept = records(rundir / "case.set.csv")
    assert {(r[2], r[3], r[4]) for r in kept} == {("equations.viscosity", "0.02", "0.05"), ("forcing.power", "0.1", "0.4"),
                                                 ("time.cfl", "0.4", "0.3")}
    assert records(rundir / "case.changes.csv") == kept
    assert "changes by triad set" in call(triad, "info", rundir / "case.set.csv").stdout
    step = int(kept[0][0])
    resolved = (rundir / "case.resolved.toml").read_text()
    assert "viscosity = 0.05" in resolved and "power = 0.4" in resolved
    wait_for(lambda: int(rows(rundir)[1][-1][0]) > step + 3, "three steps more")
    call(triad, "stop", rundir, "--wait")
    log = process.communicate(timeout=30)[0]
    assert process.returncode == 75 and f"equations.viscosity was 0.02, is 0.05 from step {step}" in log, log

    # the same command goes on; and beside it a run that was stopped at that step and started with --set
    last = int(rows(rundir)[1][-1][0]) + 40
    mpirun(ranks, triad, "run", case, "--dir", rundir, "--set", f"time.max_steps={last}", expect=0)
    other = tmp_path / "other"
    mpirun(ranks, triad, "run", case, "--dir", other, "--set", f"time.max_steps={step}", expect=0)
    sets = [word for value in (*VALUES, f"time.max_steps={last}") for word in ("--set", value)]
    mpirun(ranks, triad, "run", case, "--dir", other, *sets, expect=0)
    names, got = rows(rundir)
    plain, wanted = rows(other)
    assert names == [*plain, "case"] and got[-1][0] == str(last)
    ours = {row[0]: row for row in got}
    # a run writes a row where it ends: the other has one more at each of its two ends
    assert [ours[row[0]][:-1] for row in wanted if row[0] in ours] == [row for row in wanted if row[0] in ours]
    assert {row[0] for row in wanted} - set(ours) <= {str(step)} and len(set(ours) & {row[0] for row in wanted}) > 20
    assert [row[-1] for row in got] == ["1" if int(row[0]) > step else "0" for row in got]


def test_what_the_case_says_anew_is_stronger(mpirun, triad, case, rundir):
    process = start(mpirun, triad, case, rundir)
    assert call(triad, "set", rundir, "equations.viscosity=0.05", "--wait").returncode == 0
    assert call(triad, "set", rundir, "equations.viscosity=0.06", "output.keep=2", "--wait").returncode == 0
    call(triad, "stop", rundir, "--wait")
    process.communicate(timeout=30)
    resolved = rundir / "case.resolved.toml"

    def viscosity(*more):
        step = int(rows(rundir)[1][-1][0])
        mpirun(1, triad, "run", case, "--dir", rundir, "--set", f"time.max_steps={step + 2}", *more, expect=0)
        return next(line for line in resolved.read_text().splitlines() if line.startswith("viscosity = "))

    assert "0.06" in viscosity()
    assert "0.03" in viscosity("--set", "equations.viscosity=0.03")
    assert "0.06" in viscosity()
    assert rows(rundir)[1][-1][-1] == "2" and "keep = 2" in resolved.read_text()
    case.write_text(CASE.replace("0.02", "0.04"))
    assert "0.04" in viscosity("--new-case")
    mpirun(1, triad, "run", case, "--dir", rundir, "--from-start", "--set", "time.max_steps=2", expect=0)
    assert not (rundir / "case.set.csv").exists() and rows(rundir)[0][-1] != "case"


CANNOT = ["grid.n=[32,32,32]", "equations.solver=mhd", "initial.seed=2", "equations.scalars=[0.1]", "parallel.nstreams=2",
          "precision=single", "time.scheme=rk2", "parameters.U=1", "forcing.kind=none", "output.slices=[]"]


def test_what_cannot_change_is_refused_and_nothing_is_asked(mpirun, triad, case, rundir, tmp_path):
    start(mpirun, triad, case, rundir)
    for word in CANNOT:
        said = call(triad, "set", rundir, word)
        assert said.returncode == 65 and "cannot be changed during a run" in said.stderr, (word, said)
    for word, why in (("equations.viscosity=-1", "at least 0"), ("equations.viscosity=fast", "number"), ("nonsense", "key=value"),
                      ("time.cfl=0.3\nforcing.seed=3", "one line"), ("equations.viscocity=1", "cannot be changed")):
        said = call(triad, "set", rundir, word)
        assert said.returncode == 65 and why in said.stderr, (word, said)
    assert not list(rundir.glob("set*"))
    assert "already" in call(triad, "set", rundir, "equations.viscosity=2e-2").stdout
    said = call(triad, "set", rundir, "time.end=1e-9", "--wait")
    assert said.returncode == 65 and "triad set is refused: this end is before step" in (rundir / "log.txt").read_text()
    (rundir / "set").write_text("grid.n=[8,8,8]\n")  # not by triad set
    wait_for(lambda: not (rundir / "set").exists(), "the order taken")
    wait_for(lambda: "grid.n cannot be changed during a run" in (rundir / "log.txt").read_text(), "the refusal")
    call(triad, "stop", rundir, "--wait")
    said = call(triad, "set", rundir, "time.end=2")
    assert said.returncode == 66 and "nothing is running" in said.stderr
    assert call(triad, "set", tmp_path, "time.end=2").returncode == 65
    assert call(triad, "set", tmp_path / "none", "time.end=2").returncode == 66
    assert call(triad, "set", rundir).returncode == 64
    assert not (rundir / "case.set.csv").exists()


def test_record_that_is_torn_is_told_with_its_line(mpirun, triad, case, rundir):
    mpirun(1, triad, "run", case, "--dir", rundir, "--set", "time.max_steps=2", expect=0)
    head = "# about\nstep,t,key,was,is\n"
    for text, why in ((head + '2,0.1,time.cfl,"0.4', ":3:"), (head + "2,0.1\n", ":3:"), (head + '2,0.1,time.cfl,"0.4","-3"\n', "time.cfl")):
        (rundir / "case.set.csv").write_text(text)
        said = mpirun(1, triad, "run", case, "--dir", rundir, "--set", "time.max_steps=4", expect=65)
        assert "case.set.csv" in said.stderr and why in said.stderr, said


def test_a_value_that_the_run_does_not_use_is_a_warning(mpirun, triad, case, rundir):
    """As `triad case` has it: forcing.amplitude is of other forces, hyperviscosity_order of a hyperviscosity above 0."""
    process = start(mpirun, triad, case, rundir)
    void = call(triad, "set", rundir, "forcing.amplitude=2")
    assert void.returncode == 0 and "or does not use them" in void.stdout
    assert void.stderr.count("warning") == 1 and 'forcing.amplitude is not used with forcing.kind = "random"' in void.stderr
    both = call(triad, "set", rundir, "forcing.amplitude=2", "forcing.power=0.2")
    assert both.returncode == 0 and "will continue with 1 other value after" in both.stdout and both.stderr.count("is not used") == 1
    good = call(triad, "set", rundir, "forcing.power=0.3")
    assert good.returncode == 0 and not good.stderr
    assert call(triad, "stop", rundir, "--wait").returncode == 0 and process.wait(30) == 75
