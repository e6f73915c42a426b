"""triad bench: figures that fit together, of one flow and of several."""

import json
import re

import pytest

from commands import CASE, SMALL, left
from outputs import sets


def bench(command, *arguments):
    result = command("bench", CASE, "--steps", "4", "--json", "out.json", *sets(grid__n=[16, 16, 16]), *arguments,
                     expect=0)
    text = (command.work / "out.json").read_text()
    return result, json.loads(text)


def test_bench_json_has_the_keys_of_the_contract(command):
    result, b = bench(command, "--set", 'time.scheme="rk3"')
    assert {"solver", "grid", "precision", "device", "ranks", "threads", "nstreams", "transport", "lines", "steps", "step_s",
            "phases_s", "transforms_per_step", "bytes_per_step", "flops_per_step", "copy_bandwidth", "floor_s",
            "fraction_of_floor", "peak_memory_bytes"} <= set(b)
    assert set(b["phases_s"]) == {"fft", "transpose", "exchange", "copies", "pointwise", "rest"}
    assert set(b["step_s"]) == {"median", "q1", "q3"} and set(b["peak_memory_bytes"]) == {"host", "device"}
    assert b["solver"] == "hd" and b["grid"] == [16, 16, 16] and b["precision"] == "double" and b["device"] == "cpu"
    assert (b["ranks"], b["threads"], b["steps"]) == (1, 1, 4)
    assert b["case"] == str(CASE) and b["set"] == [*sets(grid__n=[16, 16, 16])[1:], 'time.scheme="rk3"']
    assert b["transforms_per_step"] == 3 * (3 + 5), "rk3: three stages of 3 fields back and 5 products forward"
    assert left(command) == ["out.json"], "bench writes nothing of the case's output"
    assert "step" in result.stdout and "floor" in result.stdout


def test_bench_shows_who_transforms_lines(command):
    result, b = bench(command, *sets(parallel__lines="fftw", grid__n=[64, 64, 64]))
    assert b["lines"] == ["fftw"] * 3 and re.search(r"^lines +fftw along x, fftw along y, fftw along z", result.stdout, re.M)
    assert bench(command, *sets(parallel__lines="own", grid__n=[64, 64, 64]))[1]["lines"] == ["own"] * 3
    for word, n, why in (("cufft", 64, "requires a GPU"), ("own", 37, "lines of 37 points along z have no built-in kernel")):
        refused = command("bench", CASE, "--steps", "2", *sets(parallel__lines=word, grid__n=[64, 64, n]), expect=69)
        assert why in refused.stderr
        command("case", CASE, "--check", *sets(parallel__lines=word, grid__n=[64, 64, n]), expect=69)


def test_a_file_that_cannot_be_written_is_told_before_the_steps(command):
    result = command("bench", CASE, *SMALL, "--steps", "3", "--json", "none/out.json", expect=74)
    assert "none/out.json" in result.stderr and "step" not in result.stdout
    command.work.joinpath("kept.json").write_text("{}")
    command("bench", CASE, *SMALL, "--steps", "3", "--json", "kept.json", "--set", "grid.n=[0,0,0]", expect=65)
    command("bench", CASE, *SMALL, "--steps", "3", "--json", "new.json", "--set", "parallel.device=gpu", expect=69)
    assert left(command) == ["kept.json"] and command.work.joinpath("kept.json").read_text() == "{}"


def test_bench_figures_fit_together(command):
    _, b = bench(command, "--reference")
    s = b["step_s"]
    assert 0 < s["q1"] <= s["median"] <= s["q3"]
    assert all(v >= 0 for v in b["phases_s"].values())
    assert sum(b["phases_s"].values()) == pytest.approx(s["median"], rel=1e-6), "the shares of the median step"
    assert b["floor_s"] == pytest.approx(b["bytes_per_step"] / b["copy_bandwidth"], rel=1e-5)
    assert b["fraction_of_floor"] == pytest.approx(b["floor_s"] / s["median"], rel=1e-5)
    assert b["ratio"] == pytest.approx(s["median"] / b["reference"]["median_s"], rel=1e-5)
    assert "fftw" in b["reference"]["name"].lower()
    assert b["flops_per_step"] > 0 and b["peak_memory_bytes"]["host"] > 1e6


def test_bench_of_several_flows_tells_a_step_of_one(command):
    result, b = bench(command, "--at-once", "3")
    assert b["at_once"]["flows"] == 3 and b["at_once"]["step_s"] > 0
    said = re.search(r"at once +(\S+) us  per step of each of 3 alternating flows", result.stdout)
    assert float(said[1]) == pytest.approx(1e6 * b["at_once"]["step_s"], abs=0.06)


def test_bench_of_several_flows_ends_where_one_of_them_does(command):
    """None waits for the one that is over. One alone has taken its three steps before."""
    case = sets(grid__n=[8, 8, 8], time__dt=100.0, initial__kind="random", initial__energy=1e4, equations__viscosity=1e-6)
    said = command("bench", CASE, "--steps", "1", "--at-once", "3", *case, expect=80)
    assert "bench: step 1/1" in said.stdout and said.stderr.count("step 4: the solution is no longer finite") > 0


def test_bench_of_several_flows_is_for_one_rank(mpirun, triad, tmp_path):
    said = mpirun(2, triad, "bench", CASE, "--at-once", "2", timeout=60, expect=64, cwd=tmp_path).stderr
    assert "one rank" in said


def test_bench_without_reference_claims_none(command):
    _, b = bench(command)
    assert b.get("reference") is None and b.get("ratio") is None


def test_bench_runs_on_several_ranks_and_in_single(mpirun, triad, tmp_path):
    result = mpirun(3, triad, "bench", CASE, "--steps", "3", "--json", "-", "-q",
                    *sets(grid__n=[16, 16, 16], precision="single", time__scheme="rk2"),
                    threads=2, timeout=60, expect=0, cwd=tmp_path)
    b = json.loads(result.stdout)
    assert (b["ranks"], b["threads"], b["precision"], b["transforms_per_step"]) == (3, 2, "single", 16)
