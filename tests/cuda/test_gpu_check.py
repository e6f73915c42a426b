"""The order and the account of rows of a check on a GPU (tests/gpu/schedule.py), with rows that need none."""

import re
import subprocess
import sys
import threading
import time

import pytest

from conftest import ROOT

sys.path.insert(0, str(ROOT / "tests/gpu"))
import compressible_flows
import schedule
from schedule import ALONE, FAILED, FIRST, MORE, NOT_RUN, OK, RARE, Row

pytestmark = pytest.mark.quick


def plan(seconds=60.0, cores=4):
    return schedule.Schedule(time.time() + seconds, cores)


def verdicts(done):
    return {progress.row.name: [line[3] for line in progress.lines] for progress in done}


def test_every_solver_has_a_row_before_any_has_two():
    rows = [Row(solver, f"{solver} {i}", None, tier) for solver, n in (("hd", 5), ("gas", 1), ("fct", 3)) for i in range(n)
            for tier in ((FIRST,) if i == 0 else (RARE if i == 1 else MORE,))]
    names = [row.name for row in schedule.in_order(rows)]
    assert names == ["hd 0", "gas 0", "fct 0", "hd 2", "fct 2", "hd 3", "hd 4", "hd 1", "fct 1"]


def test_rows_without_time_are_not_run_and_have_an_exit_code_of_their_own():
    p = plan(1.5)

    def long():
        p.start("long", lambda: p.command(["sleep", "20"], 60), on_gpu=True).result()

    begin = time.time()
    done = p.all_of([Row("hd", "short", lambda: p.line("short", "1", "1", OK), FIRST), Row("hd", "long", long, MORE),
                     Row("gas", "late", lambda: p.line("late", "1", "1", OK), RARE)])
    assert time.time() - begin < 15, "a row that is cut ends with the check"
    assert verdicts(done) == {"short": [OK], "long": [NOT_RUN], "late": [NOT_RUN]}
    assert schedule.summary(done) == ("1 passed, 0 failed, 2 not run for lack of time", 75)


def test_lines_that_were_judged_before_the_end_stay():
    p = plan(0.5)

    def two():
        p.line("first", "2", "<= 1", FAILED)
        p.start("long", lambda: p.command(["sleep", "20"], 60), on_gpu=False).result()

    done = p.all_of([Row("hd", "two", two)])
    assert verdicts(done) == {"two": [FAILED, NOT_RUN]} and schedule.summary(done)[1] == 1, "a failure counts for more than a row that was not run"


def test_a_run_that_hangs_fails_where_time_was_left():
    p = plan()
    done = p.all_of([Row("hd", "hangs", lambda: p.start("x", lambda: p.command(["sleep", "20"], 0.2), on_gpu=True).result())])
    assert verdicts(done) == {"hangs": [FAILED]} and "TimeoutExpired" in done[0].lines[0][1]


@pytest.mark.parametrize("work", [lambda: None, lambda: 1 / 0], ids=["says nothing", "raises"])
def test_a_mistake_of_the_check_is_no_pass(work):
    p = plan()
    done = p.all_of([Row("hd", "broken", work)])
    assert verdicts(done) == {"broken": [FAILED]} and schedule.summary(done)[1] == 1


def test_nothing_run_is_no_pass():
    assert schedule.summary([])[1] == 1


def test_rows_share_runs_of_one_key():
    p, calls = plan(), []

    def row():
        assert p.start("reference", lambda: calls.append(1) or 7, on_gpu=False).result() == 7
        p.line("x", "7", "7", OK)

    done = p.all_of([Row("hd", f"row {i}", row) for i in range(5)])
    assert len(calls) == 1 and schedule.summary(done) == ("5 passed, 0 failed, 0 not run for lack of time", 0)


def test_references_run_while_the_gpu_works_and_neither_has_more_than_its_slots():
    p, lock, now, most = plan(cores=4), threading.Lock(), {True: 0, False: 0}, {True: 0, False: 0, "both": 0}

    def run(on_gpu, slots):
        with lock:
            now[on_gpu] += slots
            most[on_gpu] = max(most[on_gpu], now[on_gpu])
            most["both"] = max(most["both"], min(now.values()))
        time.sleep(0.05)
        with lock:
            now[on_gpu] -= slots

    def row(i):
        jobs = [p.start((i, on_gpu), lambda on_gpu=on_gpu: run(on_gpu, 1 + i % 3 if on_gpu else 1), on_gpu=on_gpu, slots=1 + i % 3 if on_gpu else 1)
                for on_gpu in (True, False)]
        for job in jobs:
            job.result()
        p.line("x", "", "", OK)

    done = p.all_of([Row("hd", f"row {i}", lambda i=i: row(i)) for i in range(30)])
    assert schedule.summary(done)[1] == 0
    assert 1 < most[True] <= schedule.GPU_SLOTS and 1 < most[False] <= 3 and most["both"] > 0, most


def test_a_run_of_more_ranks_than_slots_still_runs():
    p = plan()
    done = p.all_of([Row("hd", "wide", lambda: p.line("x", p.start("x", lambda: "1", on_gpu=True, slots=100).result(), "", OK))])
    assert schedule.summary(done)[1] == 0


def test_rows_that_need_the_gpu_to_themselves_have_it():
    p, lock, now, seen = plan(), threading.Lock(), [0], []

    def run(alone):
        with lock:
            now[0] += 1
            seen.append((alone, now[0]))
        time.sleep(0.03)
        with lock:
            now[0] -= 1
        p.line("x", "", "", OK)

    p.all_of([Row("hd", f"{tier} {i}", lambda tier=tier: run(tier == ALONE), tier) for tier in (MORE, ALONE, schedule.LAST) for i in range(4)])
    assert max(n for alone, n in seen if not alone) > 1 and {n for alone, n in seen if alone} == {1}


def test_the_table_has_the_seconds_of_each_row():
    p = plan()

    def row():
        p.start("x", lambda: time.sleep(0.3), on_gpu=True).result()
        p.line("modes", "1e-13", "<= 1e-12", OK)
        p.line("series", "1e-14", "<= 1e-12", OK)

    head, first, second = schedule.table(p.all_of([Row("hd", "hd", row)]))
    assert head.split() == ["what", "reached", "required", "verdict", "seconds"]
    assert 0.3 <= float(first.split()[-1]) < 20 and second.split()[-1] == OK


# Triad of a host with a GPU that is not there: a flow on it agrees with the CPU to the bit, because it is one on the CPU.
TRIAD = """#!/usr/bin/env python3
import os, sys
a = sys.argv[1:]
for i in range(len(a)):
    if 'parallel.device="gpu"' in a[i]:
        a[i] = 'parallel.device="cpu"'
os.execv("{triad}", ["triad", *a])
"""


def check(triad, tmp_path, *words):
    (tmp_path / "triad").write_text(TRIAD.format(triad=triad))
    (tmp_path / "triad").chmod(0o755)
    return subprocess.run([sys.executable, ROOT / "tests/gpu/check", tmp_path / "triad", *words], capture_output=True, text=True, timeout=110)


def test_the_check_covers_every_solver_first(triad, tmp_path):
    done = check(triad, tmp_path, "--list")
    rows = [line.split() for line in done.stdout.splitlines()]
    assert done.returncode == 0 and len(rows) > 400
    assert [row[1] for row in rows[:8]] == ["hd", "boussinesq", "mhd", "gpe", "gas", "staggered", "blocks", "fct"]
    tiers = [int(row[0]) for row in rows]
    assert tiers == sorted(tiers)
    done = check(triad, tmp_path, "nonsense")
    assert done.returncode == 64 and "the parts are agreement, sizes" in done.stderr


def test_the_check_passes_and_reports_rows_that_found_no_time(triad, tmp_path):
    done = check(triad, tmp_path, "staggered", "--only", "plane")
    assert done.returncode == 1 and "2 passed, 2 failed, 0 not run" in done.stdout, "what a GPU refuses this program runs\n" + done.stdout + done.stderr
    assert "staggered plane double: GPU against CPU: 0.0e+00" in done.stdout, done.stdout
    done = check(triad, tmp_path, "staggered", "--only", "plane", "--minutes", "0.001")
    assert done.returncode == 75 and "0 passed, 0 failed, 4 not run for lack of time" in done.stdout, done.stdout


@pytest.mark.parametrize("reached, apart, passed", ((9e-12, None, True), (5e-10, 4e-10, True), (5e-10, 1e-10, False), (5e-10, 0.0, False)))
def test_a_gas_beyond_its_limit_passes_as_near_as_cpu_runs_only(reached, apart, passed):
    """And CPU runs with another rounding are made only where the limit does not hold."""
    lines = []

    class Check:
        def row(self, *line):
            lines.append(line)

    def spread():
        assert apart is not None, "no CPU runs are wanted within the limit"
        return apart

    compressible_flows.row_beside_twins(Check(), "walls", reached, f"{reached:.1e}", 1e-11, spread)
    assert [line[3] for line in lines] == [passed] and (apart is None) == ("CPU" not in lines[0][1])


def test_every_gas_names_its_scheme():
    """So that a case of the check stays the same when a default changes."""
    for name, keys in compressible_flows.GASES.items():
        named = {key.partition("=")[0] for key in keys}
        if "equations.compatibility" not in named:
            assert {"equations.flux", "time.scheme"} <= named, name
            if 'equations.flux="central"' not in keys:
                assert {"equations.weights", "equations.reconstruction", "equations.riemann"} <= named, name


def texts_looked_for():
    """Literals that the scripts of tests/gpu and tests/long look for in what Triad prints."""
    for script in sorted([*(ROOT / "tests/gpu").iterdir(), *(ROOT / "tests/long").iterdir()]):
        if script.is_file() and script.suffix in ("", ".py"):
            for literal in re.findall(r'"([^"\n{}]+)" (?:not )?in (?:text|line|printed)', script.read_text()):
                yield script.name, literal


def test_scripts_look_for_texts_that_triad_prints():
    """These scripts run outside the suite, so that a reworded message would be noticed late or never."""
    sources = "".join(path.read_text() for room in ("src", "solvers", "cuda", "fft", "transpose") for path in (ROOT / room).rglob("*")
                      if path.suffix in (".c", ".cu", ".h"))
    printed = re.sub(r'"\s*"', "", sources)  # one message may stand on several lines
    foreign = {"SUMMARY"}  # of compute-sanitizer
    looked_for = [(script, text) for script, text in texts_looked_for() if text not in foreign]
    assert len(looked_for) > 8
    assert [(script, text) for script, text in looked_for if text not in printed] == []
