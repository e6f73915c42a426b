"""What tests/gpu/bench-gpus would time on hosts with one to eight GPUs, told without any: which rows, and why not the others."""

import importlib.machinery
import importlib.util
import json
import subprocess
import sys
import threading
import time

import pytest

from conftest import ROOT

sys.path.insert(0, str(ROOT / "tests/gpu"))
import gpu_rows


def listed(triad, *more):
    done = subprocess.run([sys.executable, ROOT / "tests/gpu/bench-gpus", triad, "--list", *map(str, more)], capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()


def test_rows_on_any_number_of_gpus(triad):
    everything = len(gpu_rows.every_row())
    runs = []
    for gpus in (1, 2, 4, 8):
        lines = listed(triad, "--gpus", gpus)
        assert len(lines) == everything, "every row is there, run or not"
        assert all(" not run: wants " in line for line in lines if int(line[56:58]) > gpus), lines
        runs.append(sum(line.endswith(" run") for line in lines))
    assert runs == sorted(set(runs)), "each host runs more rows than the one before"
    assert any("the largest" in line and "4096x4096x4096" in line and line.endswith(" run") for line in lines), "on eight of 139 GiB"


def test_rows_on_some_numbers_of_gpus(triad):
    rows = listed(triad, "--gpus", 8, "--on", "2,8")
    assert {line[56] for line in rows} == {"2", "8"}
    assert rows == [line for line in listed(triad, "--gpus", 8) if line[56] in "28"], "in the order of all"
    for asked, said in (("3", "no row on 3 GPUs"), ("two", "invalid counts value: 'two'")):
        done = subprocess.run([sys.executable, ROOT / "tests/gpu/bench-gpus", triad, "--list", "--gpus", "8", "--on", asked], capture_output=True, text=True)
        assert done.returncode in (2, 64) and said in done.stderr, done.stderr


def test_modules_of_checks_on_gpus_have_names_of_their_own():
    """Both folders are where Python looks: of two files of one name, checks on a GPU would get the other, which no machine without one tells."""
    here, there = ({path.stem for path in folder.glob("*.py")} for folder in (ROOT / "tests/help", ROOT / "tests/gpu"))
    assert len(there) > 10 and not here & there


def test_what_does_not_fit_is_told_with_its_size(triad):
    """mhd at 2048^3 in single precision takes 56 GB of a GPU where hd at 512^3 takes 2.75: 64 times 4.05 GB over 5."""
    line, = [x for x in listed(triad, "--gpus", 8, "--memory", 80, "--only", "2048", "--only", "mhd") if x[56] == "1"]
    size = float(line.split("takes ")[1].split(" GB")[0])
    assert 150 < size < 64 * 4.05 and line.endswith("80 are there"), "a GPU of one rank works on planes of 1 GiB at any size"


def test_every_row_is_a_good_case(triad, tmp_path):
    (tmp_path / "case.toml").write_text(gpu_rows.HEADER)
    seen = set()
    for row in gpu_rows.every_row():
        keys = tuple(row.settings())
        if (row.case, keys) in seen:
            continue
        seen.add((row.case, keys))
        command = [triad, "case", str(ROOT / row.case) if row.case else "case.toml"]
        for key in keys:
            command += ["--set", key]
        done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
        assert done.returncode == 0, f"{row}\n{done.stderr}"


def test_efficiency_is_of_points_a_second():
    """Strong: the same points in a third of the time on four; weak: four times the points in 1.25 of the time."""
    rows = [{"group": g, "name": "hd", "gpus": n, "points": p, "step_s": s}
            for g, n, p, s in (("strong", 1, 8, 3.0), ("strong", 4, 8, 1.0), ("weak", 1, 8, 1.0), ("weak", 4, 32, 1.25))]
    gpu_rows.efficiency(rows)
    assert [r["over_one"] for r in rows] == pytest.approx([1, 3, 1, 3.2])
    assert [r["efficiency"] for r in rows] == pytest.approx([1, 0.75, 1, 0.8])
    assert "over_one" not in gpu_rows.efficiency([{"group": "x", "name": "hd", "gpus": 4, "points": 8, "why": "the clock"}])[0]


def test_messages_are_those_of_the_first_row_on_several_gpus():
    """10 GB of 2 GPUs in 20 ms; 60 ms of lines, of which 49.8 can hide messages, 5 of updates, and a step of 75: 10 of 20 ms were hidden."""
    rows = [{"gpus": 1, "phases_s": {"exchange": 0.0}, "step_s": 0.1}, {"gpus": 2, "why": "the clock"},
            {"gpus": 2, "step_s": 0.075, "sent_bytes": 1e10, "phases_s": {"fft": 0.06, "exchange": 0.02, "pointwise": 0.005}}]
    assert gpu_rows.messages(rows).split("\n")[1:] == ["sizes = [1]", "rates = [2.5e+11]", "overlap = 0.500"]
    assert gpu_rows.messages(rows[:2]) == ""


def test_rows_that_the_host_has_no_memory_for_say_so():
    """200 million cells of a mesh, which is made on the host: 700 bytes a cell of it, whatever GPUs there are."""
    def row(host):
        rows = [r for r in gpu_rows.every_row() if "200 M" in r.group and r.gpus == 2]
        return gpu_rows.choose(rows, 2, 139e9, None, host)[0]
    assert row(300e9).why == ""
    assert row(120e9).why == "takes 140 GB of the host, which has 120"


def bench_gpus():
    loader = importlib.machinery.SourceFileLoader("bench_gpus", str(ROOT / "tests/gpu/bench-gpus"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("bench_gpus", loader))
    loader.exec_module(module)
    return module


@pytest.mark.parametrize("in_turn", [False, True])
def test_rows_at_the_same_time_have_gpus_of_their_own(in_turn):
    gpus, lock, held, seen, wants = bench_gpus().Gpus("0123", in_turn), threading.Lock(), [], [], (4, 2, 2, 1, 1, 1, 1, 4)

    def row(turn, n):
        ids = gpus.take(turn, n)
        with lock:
            held.extend(ids)
            seen.append((turn, n, sorted(held)))
        time.sleep(0.1)
        with lock:
            for i in ids:
                held.remove(i)
        gpus.give_back(ids)

    rows = [threading.Thread(target=row, args=pair) for pair in enumerate(wants)]
    for thread in reversed(rows):
        thread.start()
    for thread in rows:
        thread.join()
    assert all(len(set(ids)) == len(ids) <= 4 for _, _, ids in seen), "no GPU has two rows"
    at_once = {n: max(len(ids) for _, m, ids in seen if m == n) for n in (1, 2)}
    assert at_once == ({1: 1, 2: 2} if in_turn else {1: 4, 2: 4}), "rows of fewer share the host unless told to wait"
    assert seen[0][:2] == (0, 4) and seen[-1][:2] == (7, 4), "no row is overtaken"


def test_without_a_gpu_it_skips(triad, tmp_path):
    done = subprocess.run([sys.executable, ROOT / "tests/gpu/bench-gpus", triad, "--json", tmp_path / "b.json"], capture_output=True, text=True,
                          env={"PATH": str(tmp_path)})
    assert done.returncode == 0 and done.stdout.startswith("SKIP") and not (tmp_path / "b.json").exists()


# nvidia-smi, mpirun and bench of a host that is not there: two GPUs, figures from a table.
SMI = "#!/bin/sh\necho 81559; echo 81559\n"
MPIRUN = """#!/usr/bin/env python3
import json, sys
a = sys.argv
ranks = int(a[a.index("-n") + 1])
if "--machine" in a:
    open(a[a.index("--out") + 1], "w").write(open("{machine}").read())
    sys.exit(0)
if any("mhd" in x for x in a):
    print("triad: no GPU part", file=sys.stderr)
    sys.exit(69)
json.dump({{"step_s": {{"median": 0.1 / ranks}}, "phases_s": {{}}, "sent_bytes_per_step": 0, "peak_memory_bytes": {{"device": 2.8e10}}, "transport": "put",
           "copy_bandwidth": 4e12, "device": "made up"}}, open(a[a.index("--json") + 1], "w"))
"""


def test_a_table_is_printed_and_kept(triad, tmp_path):
    for name, text in (("nvidia-smi", SMI), ("mpirun", MPIRUN.format(machine=ROOT / "packaging/machines/h200.toml"))):
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    done = subprocess.run([sys.executable, ROOT / "tests/gpu/bench-gpus", triad, "--json", tmp_path / "b.json", "--no-check", "--only", "strong 1024"],
                          capture_output=True, text=True, env={"PATH": f"{tmp_path}:/usr/bin:/bin"}, timeout=100)
    assert done.returncode == 0, done.stdout + done.stderr
    told = json.loads((tmp_path / "b.json").read_text())
    row = {(r["name"], r["gpus"]): r for r in told["rows"]}
    assert told["gpus"] == 2 and row["hd", 2]["over_one"] == pytest.approx(2) and row["hd", 2]["step_s"] == 0.05
    assert row["hd", 1]["planned_s"] == pytest.approx(0.132, rel=0.15), "triad plan for an H200, which took 132 ms"
    assert row["hd", 4]["why"] == "wants 4 GPUs, 2 are there" and "no GPU part" in row["mhd", 1]["why"]
    assert "2.00 times one, 100 %" in done.stdout and done.stdout.splitlines()[-1].startswith("6 rows run, 10 not")
