"""`triad run --sweep`: each combination a run like any other, side by side on ranks; the table of all."""

import csv
import re
import signal
import subprocess
import time

import pytest

from outputs import sets
from waiting import wait_for

CASE = """
[equations]
solver = "hd"
viscosity = 0.05
[grid]
n = [8, 8, 8]
[initial]
kind = "random"
wavenumber = 2
[time]
end = 0.2
[output]
report = false
"""


@pytest.fixture
def case(tmp_path):
    (tmp_path / "case.toml").write_text(CASE)
    return tmp_path


def table(folder):
    with open(folder / "ensemble.csv", newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def last_row(run):
    lines = [line for line in (run / "series.csv").read_text().splitlines() if not line.startswith("#")]
    return dict(zip(lines[0].split(","), lines[-1].split(",")))


def run(mpirun, triad, case, *words, n=1, expect=0):
    return mpirun(n, triad, "run", "case.toml", "--dir", "all", *words, cwd=case, expect=expect)


SWEEP = ("--sweep", "equations.viscosity=0.05, 0.1", "--sweep", "initial.seed=1..2")


@pytest.mark.parametrize("n", [1, 2, 3, 5])
def test_runs_of_a_sweep_are_those_of_their_own_commands(triad, mpirun, case, n):
    """Also with more ranks than runs, of which some then share one."""
    run(mpirun, triad, case, *SWEEP, n=n)
    rows = table(case / "all")
    assert [(r["run"], r["equations.viscosity"], r["initial.seed"]) for r in rows] == [
        (f"run-{i + 1:03d}", v, s) for i, (v, s) in enumerate((v, s) for v in ("0.05", "0.1") for s in "12")]
    mpirun(1, triad, "run", "case.toml", "--dir", "alone", *sets(equations__viscosity=0.1, initial__seed=2), cwd=case, expect=0)
    assert (case / "alone/series.csv").read_text() == (case / "all/run-004/series.csv").read_text()
    for row in rows:
        said = last_row(case / "all" / row["run"])
        assert row["exit_code"] == "0"
        assert all(float(row[name]) == float(said[name]) for name in ("step", "t", "energy", "dissipation"))


def test_a_sweep_goes_on_where_it_stood_and_a_run_that_fails_ends_no_other(triad, mpirun, case):
    (case / "case.toml").write_text(CASE.replace("[time]", "energy = 1e4\n[time]"))
    words = ("--sweep", "time.dt=100,0.0001", "--set", "time.max_steps=4", "--set", "time.end=1e4")
    ended = run(mpirun, triad, case, *words, n=2, expect=80)
    assert [row["exit_code"] for row in table(case / "all")] == ["80", "0"] and "run-001 ended with exit code 80" in ended.stderr
    before = (case / "all/run-002/series.csv").read_text()
    run(mpirun, triad, case, *words, expect=80)
    assert (case / "all/run-002/series.csv").read_text() == before


def test_a_folder_of_other_values_is_refused_and_keeps_its_table(triad, mpirun, case):
    """Else its numbers would stand beside the value of another run, or half of a run be of one value and half of the other."""
    words = ("--sweep", "equations.viscosity=0.05,0.1", "--sweep", "initial.seed=1,2")
    run(mpirun, triad, case, *words, n=2)
    before = (case / "all/ensemble.csv").read_text()
    for others in (("--sweep", "equations.viscosity=0.1,0.05", "--sweep", "initial.seed=1,2"),
                   ("--sweep", "equations.viscosity=0.05,0.1", "--sweep", "initial.seed=1,3", "--set", "time.end=0.4")):
        said = run(mpirun, triad, case, *others, n=2, expect=65).stderr
        assert re.search(r"all/run-00[12] contains a run with (equations.viscosity = 0.05|initial.seed = 2), but this sweep has", said), said
        assert (case / "all/ensemble.csv").read_text() == before
    # more values of the first key, a later end and another number of threads are no other runs
    run(mpirun, triad, case, "--sweep", "equations.viscosity=0.05,0.1,0.2", "--sweep", "initial.seed=1,2", "--set", "time.end=0.4")
    assert [(row["equations.viscosity"], float(row["t"])) for row in table(case / "all")] == [(v, 0.4) for v in ("0.05", "0.1", "0.2") for _ in "12"]
    # as asked: anew
    run(mpirun, triad, case, "--sweep", "equations.viscosity=0.2,0.1", "--from-start")
    assert [float(line.split()[2]) for n in (1, 2) for line in (case / f"all/run-00{n}/case.resolved.toml").read_text().splitlines()
            if line.startswith("viscosity = ")] == [0.2, 0.1]


def test_parameters_tell_runs_apart_too(triad, mpirun, case):
    (case / "case.toml").write_text("[parameters]\nRe = 20\n" + CASE.replace("0.05", '"1/Re"'))
    run(mpirun, triad, case, "--sweep", "parameters.Re=10,20")
    assert "contains a run with parameters.Re = 10" in run(mpirun, triad, case, "--sweep", "parameters.Re=20,10", expect=65).stderr


def test_what_a_run_starts_from_tells_runs_apart_too(triad, mpirun, case):
    for seed in (1, 2):
        mpirun(1, triad, "run", "case.toml", "--dir", f"from-{seed}", *sets(initial__seed=seed, time__max_steps=1), cwd=case, expect=0)
    words = ("--set", "initial.kind=checkpoint", "--set", "time.max_steps=2")
    run(mpirun, triad, case, *words, "--sweep", "initial.file=from-1,from-2")
    assert "contains a run with initial.file = " in run(mpirun, triad, case, *words, "--sweep", "initial.file=from-2,from-1", expect=65).stderr


def test_what_triad_set_has_changed_holds_when_the_sweep_goes_on(triad, mpirun, case):
    words = [triad, "run", "case.toml", "--dir", "all", "-q", "--sweep", "initial.seed=1..2", "--set", "time.dt=1e-4"]
    series = case / "all/run-001/series.csv"
    process = subprocess.Popen([*words, "--set", "time.end=1e3"], cwd=case, stderr=subprocess.DEVNULL)
    try:
        wait_for(lambda: series.exists() and len(series.read_text().splitlines()) >= 3, "rows", process)
        mpirun(1, triad, "set", "all/run-001", "equations.viscosity=0.3", cwd=case, expect=0)
        wait_for((case / "all/run-001/case.set.csv").exists, "the change", process)
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=60) == 75
    finally:
        process.kill()
    steps = int(max(folder.name for folder in (case / "all/run-001/checkpoints").glob("step-*"))[len("step-"):])
    mpirun(1, *words, "--set", "time.end=1e3", "--set", f"time.max_steps={steps + 3}", cwd=case, expect=0)
    resolved = (case / "all/run-001/case.resolved.toml").read_text()
    assert int(last_row(case / "all/run-001")["step"]) == steps + 3 and "\nviscosity = 0.3 " in resolved, resolved


def test_runs_at_once_are_those_one_after_the_other(triad, mpirun, case):
    """By turns in one process, of other lengths, one of which fails: the same files, and where they stopped they go on."""
    words = ("--sweep", "initial.seed=1..4", "--sweep", "time.dt=0.01,0.004,100", "--set", "time.max_steps=30", "--set", "initial.energy=1e4",
             "--set", "parallel.reproducible=true", "--set", "output.spectra_interval=0.02", "--set", "output.slices_interval=0.05",
             "--set", 'output.slices=["z=0: u, vorticity"]', "--set", 'output.disk_check="warn"', "--set", "output.checkpoint_interval=0.03", "--set", "time.end=1e4")
    said = run(mpirun, triad, case, *words, "--at-once", "5", expect=80).stdout
    steps, points = map(float, re.search(r"12 runs on 1 group of ranks, 5 at once per process, (\S+) steps and (\S+) points per second", said).groups())
    assert points == pytest.approx(8**3 * steps, rel=0.02), "all runs are of 8^3 points; each figure has three digits"
    mpirun(1, triad, "run", "case.toml", "--dir", "after", *words, cwd=case, expect=80)
    for number in range(1, 13):
        for name in ("series.csv", "case.resolved.toml"):
            assert (case / f"all/run-{number:03d}" / name).read_bytes() == (case / f"after/run-{number:03d}" / name).read_bytes()
        for kind in ("spectra", "slices"):
            alone = sorted((case / f"after/run-{number:03d}" / kind).iterdir())
            assert alone and [file.name for file in alone] == sorted(file.name for file in (case / f"all/run-{number:03d}" / kind).iterdir())
            for file in alone:
                assert file.read_bytes() == (case / f"all/run-{number:03d}" / kind / file.name).read_bytes(), file
    assert [row["exit_code"] for row in table(case / "all")] == ["0", "0", "80"] * 4
    logs = [(case / f"all/run-{number:03d}/log.txt").read_text() for number in range(1, 13)]
    assert all(("blow-up" in log) == (number % 3 == 0) for number, log in enumerate(logs, 1))
    # they were under way together: the second began before the first had ended
    assert logs[1].splitlines()[0].split()[0] < logs[0].splitlines()[-1].split()[0]


def test_signals_reach_all_runs_under_way(triad, mpirun, case):
    words = [triad, "run", "case.toml", "--dir", "all", "--sweep", "initial.seed=1..3", "--at-once", "2", "--set", "time.dt=1e-5",
             "--set", "time.end=1e3"]
    process = subprocess.Popen(words, cwd=case, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    logs = [case / f"all/run-{number:03d}/log.txt" for number in (1, 2)]

    def all_say(text):
        wait_for(lambda: all(log.exists() and text in log.read_text() for log in logs), text, process)

    try:
        all_say("output directory")
        process.send_signal(signal.SIGUSR2)
        all_say("saved as requested")
        time.sleep(0.5)  # for steps at whose ends nothing is asked any more
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=60) == 75
    finally:
        process.kill()
    assert all("stopped by a signal" in log.read_text() and log.read_text().count("saved as requested") == 1 for log in logs)
    assert [row["exit_code"] for row in table(case / "all")] == ["75", "75", "-1"]


@pytest.mark.parametrize("at_once", [1, 2])
def test_no_run_begins_behind_the_wall_clock_limit(triad, mpirun, case, at_once):
    """Each would take its start, a step and a checkpoint, of which a long sweep has many; the next command begins them."""
    words = ("--sweep", "initial.seed=1..5", "--set", "time.dt=1e-4", *(("--at-once", "2") if at_once > 1 else ()))
    run(mpirun, triad, case, *words, "--set", "time.end=1e3", "--max-walltime", "5", expect=75)
    assert [row["exit_code"] for row in table(case / "all")] == ["75"] * at_once + ["-1"] * (5 - at_once)
    assert sorted(folder.name for folder in (case / "all").glob("run-*")) == [f"run-00{i + 1}" for i in range(at_once)]
    run(mpirun, triad, case, *words, "--set", "time.max_steps=1", "--set", "time.end=1e3")
    assert {row["exit_code"] for row in table(case / "all")} == {"0"}


def test_lists_and_texts_are_values(triad, mpirun, case):
    run(mpirun, triad, case, "--sweep", "grid.n=[8,8,8],[12,8,8]", "--sweep", 'initial.kind="random",taylor-green',
        "--set", "initial.wavenumber=1")
    assert [(row["grid.n"], row["initial.kind"]) for row in table(case / "all")] == [
        (n, kind) for n in ("[8,8,8]", "[12,8,8]") for kind in ('"random"', "taylor-green")]


def test_commas_within_parentheses_and_quotes_part_no_values(triad, mpirun, case):
    run(mpirun, triad, case, "--sweep", r'parameters.a=min(1, 2),"max(2, if(1, 3, 4))"', "--sweep", r'output.probes=[],["[1,2,3]"]', "--set", "time.max_steps=1")
    values = [line.split()[2] for n in (1, 3) for line in (case / f"all/run-00{n}/case.resolved.toml").read_text().splitlines() if line.startswith("a = ")]
    assert values == ["1.0", "3.0"]


def test_a_value_that_begins_another_is_not_that_one(triad, mpirun, case):
    run(mpirun, triad, case, "--sweep", "initial.seed=12,1,123", "--set", "time.max_steps=1", n=3)
    assert [row["initial.seed"] for row in table(case / "all")] == ["12", "1", "123"]


def test_seeds_that_no_double_tells_apart_are_two(triad, mpirun, case):
    run(mpirun, triad, case, "--sweep", "initial.seed=9007199254740992,9007199254740993", "--set", "time.max_steps=1", n=2)
    assert [row["initial.seed"] for row in table(case / "all")] == ["9007199254740992", "9007199254740993"]


@pytest.mark.parametrize("words, code, said", [
    (("--sweep", "equations.viscosity"), 64, "requires key=values"),
    (("--sweep", "equations.viscosity=0.1,"), 64, "empty value"),
    (("--sweep", "initial.seed=8..1"), 64, "a range must increase"),
    (("--sweep", "initial.seed=18446744073709551610..18446744073709551612"), 64, "a range must increase"),
    (("--sweep", "initial.seed=-9223372036854775807..9223372036854775807"), 64, "at most 4096 values"),
    (("--sweep", "initial.seed=1,2", "--sweep", "initial.seed=3"), 64, "twice"),
    (("--sweep", "initial.seed=1..4,3"), 64, "initial.seed: 3 is repeated: both runs would be identical"),
    (("--sweep", "equations.viscosity=0.1,0.2,1/10"), 64, "equations.viscosity: 0.1 and 1/10 are the same value: both"),
    (("--sweep", "initial.seed=1..99", "--sweep", "time.max_steps=1..99"), 64, "more than 4096 runs"),
    (("--sweep", "equations.viscosity=0.1,-1"), 65, "run-002 of the sweep"),
    (("--sweep", "equations.viscositty=0.1"), 65, "did you mean \"equations.viscosity\""),
    (("--sweep", r'initial.kind="ra\",ndom",random'), 65, '"ra",ndom" is not one of'),
    (("--sweep", "grid.n=[8,8,8],[8,8,-2]"), 65, "run-002 of the sweep"),
    (("--sweep", "initial.seed=1..2", "--at-once", "0"), 64, "--at-once"),
    (("--sweep", "initial.seed=1..2", "--at-once", "65"), 64, "at most 64 runs"),
    (("--sweep", "initial.seed=1", "--at-once", "2"), 64, "start at most 1 ranks for 1 runs"),
    (("--at-once", "2"), 64, "requires --sweep"),
])
def test_a_sweep_that_cannot_be_writes_nothing(triad, mpirun, case, words, code, said):
    done = run(mpirun, triad, case, *words, n=2, expect=code)
    assert said in done.stderr and not (case / "all").exists()


def test_a_run_directory_takes_no_sweep(triad, mpirun, case):
    run(mpirun, triad, case)
    assert "requires its own folder" in run(mpirun, triad, case, *SWEEP, expect=65).stderr


def test_help_tells_of_it(triad):
    assert "--sweep KEY=V,V" in subprocess.run([triad, "run", "--help"], capture_output=True, text=True, check=True).stdout
