"""triad plan and machine files: counts against those of steps that were taken and against numbers counted here, times against the
formulae of docs/scaling.md, against steps that were measured on GPUs, and what is refused."""

import json
import math
import os
import re
import subprocess
import tempfile
from pathlib import Path

import pytest

from conftest import ROOT
from outputs import sets

HD = ROOT / "runs/bench-hd/case.toml"
OF = {"hd": HD, "boussinesq": ROOT / "runs/stratified-taylor-green/case.toml", "mhd": ROOT / "runs/mhd-decay/case.toml",
      "gpe": ROOT / "runs/gpe-taylor-green/case.toml"}
# Every rate another one, so that no two can be mistaken for each other.
MACHINE = """[node]
name = "made up"
cores = 4
[core]
memory = 1e12
copies = 1e10
copies_all = 2e10
lengths = [8, 32]
x = [1, 3]
y = [5, 7]
z = [11, 13]
sets = [1, 1e12]
transpose = [17, 17]
points = [19, 19]
sizes = [1, 1e12]
rates = [1e9, 1e9]
[network]
latency = 1e-5
message = 1e-6
bandwidth = 2e9
[disk]
write = 1e8
"""


@pytest.fixture
def machine(tmp_path):
    path = tmp_path / "machine.toml"
    path.write_text(MACHINE)
    return path


@pytest.fixture
def plan(mpirun, triad):
    """The JSON of a plan; with expect, the result of a command that ends so."""
    def run(case, machine, *more, expect=0):
        done = subprocess.run([str(a) for a in (triad, "plan", case, "--machine", machine, *more)], capture_output=True, text=True,
                              timeout=60, cwd=ROOT)
        assert done.returncode == expect, done.stdout + done.stderr
        return json.loads(done.stdout) if "--json" in more else done
    return run


def grid(*n, **more):
    return sets(grid__n=list(n), time__scheme="rk2", **more)


def sphere_columns(n):
    """Columns of an n^3 grid that a sphere of radius K = floor((n - 1)/3) keeps, one of each pair of conjugates."""
    k = (n - 1) // 3
    inside = [(x, y) for x in range(k + 1) for y in range(-k, k + 1) if x * x + y * y <= k * k]
    return sum(1 for x, y in inside if x > 0 or y >= 0)


# ---- counts ----

@pytest.mark.parametrize("solver, n, ranks", [("hd", (16, 16, 16), 2), ("mhd", (15, 12, 9), 3), ("gpe", (16, 16, 16), 3)])
def test_messages_and_transforms_are_those_of_steps(plan, machine, mpirun, triad, tmp_path, solver, n, ranks):
    planned = plan(OF[solver], machine, "-n", ranks, "--json", *grid(*n))
    mpirun(ranks, triad, "bench", OF[solver], "--steps", 2, "--json", tmp_path / "b.json", "-q", *grid(*n, parallel__threads=1), expect=0)
    taken = json.loads((tmp_path / "b.json").read_text())
    assert planned["transforms_per_step"] == taken["transforms_per_step"]
    # the plan is of the rank that has most; columns are dealt to within one, padded to 8 lanes
    assert planned["sent_bytes"] * ranks == pytest.approx(taken["sent_bytes_per_step"], rel=0.12)


def test_lines_are_those_that_a_sphere_keeps(plan, machine):
    n, transforms, left = 32, 16, 14  # of five products of a stage four fields are left where lines along y end
    x, y, z = plan(HD, machine, "--json", *grid(n, n, n))["line_points"]
    columns = math.ceil(sphere_columns(n) / 8) * 8
    assert x == transforms * n**3
    assert y == transforms * n * n * math.ceil(((n - 1) // 3 + 1) / 4) * 4, "kx up to K, whole cache lines of 64 bytes"
    assert z == left * columns * n


@pytest.mark.parametrize("planes, group", [(3, 1), (3, 2), (2, 3)])
def test_memory_is_what_check_tells(plan, machine, triad, planes, group):
    ranks = planes * group
    planned = plan(HD, machine, "-n", ranks, "--threads", 2, "--split", f"{planes},{group}", "--json", *grid(24, 16, 20))
    told = subprocess.run([triad, "case", HD, "--check", "-n", str(ranks), "--threads", "2", *grid(24, 16, 20), *sets(parallel__split=[planes, group])],
                          capture_output=True, text=True)
    unit = {"B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9}
    rows = {line[2:30].strip(): line[30:].split() for line in told.stdout.splitlines() if line.startswith("  ")}
    for name, value in planned["memory_bytes"].items():
        assert value == pytest.approx(float(rows[name][0]) * unit[rows[name][1]], rel=6e-3), name
    assert planned["checkpoint"]["bytes"] == pytest.approx(float(rows["a checkpoint"][0]) * unit[rows["a checkpoint"][1]], rel=6e-3)


def test_a_split_sends_columns_between_groups_and_lines_within(plan, machine):
    """Slabs of 6 ranks against [3, 2]: a rank has as many columns, keeps a third of their planes, and hands half its lines along y on."""
    n = 24
    slab = plan(HD, machine, "-n", 6, "--node", 6, "--json", *grid(n, n, n))
    split = plan(HD, machine, "-n", 6, "--node", 6, "--split", "3,2", "--json", *grid(n, n, n))
    assert (slab["split"], split["split"]) == ([6, 1], [3, 2])
    assert split["messages_between"]["bytes"] / slab["messages_between"]["bytes"] == pytest.approx((2 / 3) / (5 / 6))
    assert split["messages_between"]["peers"] == 2 and split["messages_within"]["peers"] == 1
    y_points = 16 * n / 3 * n * 8 / 2  # fields, planes of a group, ny, kx 0 to 7, of two ranks
    assert split["messages_within"]["bytes"] == pytest.approx(y_points * 16 / 2)
    assert split["line_points"] == slab["line_points"]


def test_more_ranks_than_planes_are_split_into_the_smallest_groups(plan, machine):
    assert plan(HD, machine, "-n", 24, "--json", *grid(16, 16, 16))["split"] == [8, 3]
    assert plan(HD, machine, "-n", 16, "--json", *grid(16, 16, 16))["split"] == [16, 1]
    assert plan(HD, machine, "-n", 6, "--json", *grid(16, 16, 16, parallel__split="auto"))["split"] == [6, 1]


@pytest.mark.parametrize("ranks, split, idle", [(7, "1,7", 2), (7, "7,1", 2), (14, "7,2", 4), (40, "20,2", 30)])
def test_ranks_that_have_no_rows_are_planned_and_told(plan, machine, ranks, split, idle):
    """As a run takes them: of five planes of ten rows, dealt two at a time, each member has one pair at least, or none."""
    told = plan(HD, machine, "-n", ranks, "--split", split, *grid(12, 10, 5)).stdout
    assert f"{idle} ranks have no plane" in told
    busy = plan(HD, machine, "-n", ranks, "--split", split, "--json", *grid(12, 10, 5))
    assert busy["line_points"][0] >= 16 * 12 * 2, "a pair of rows through each of the transforms"


def test_the_largest_grid_is_planned_at_once(plan, triad):
    at = (ROOT / "packaging/machines/frontier.toml", "--gpus", 8, "-n", 32768, "--json", *grid(32768, 32768, 32768, precision="single"))
    with tempfile.TemporaryFile() as told:
        command = [str(a) for a in (triad, "plan", HD, "--machine", *at)]
        _, status, used = os.wait4(subprocess.Popen(command, stdout=told, cwd=ROOT).pid, 0)  # this child's use alone
        told.seek(0)
        p = json.load(told)
    assert status == 0 and p["line_points"][0] == 16 * 2**30
    assert used.ru_utime < 2 and used.ru_maxrss < 1 << 20, "kB: no array has the size of the grid"
    plan(HD, ROOT / "packaging/machines/frontier.toml", "--gpus", 8, "--json", *grid(16384, 16384, 16384))  # nor on one rank


def test_memory_of_a_gpu_that_shares_planes_is_its_lines_and_rows(plan):
    """Two GPUs as [1, 2] at 256^3, eight planes a chunk at most: five fields of half a plane's lines, and of what the other has of half its
    rows, twice; no planes. With exact shifts the results of the first of two grids are kept."""
    h200, n = ROOT / "packaging/machines/h200.toml", 256
    shared, slabs = (plan(HD, h200, "--gpus", 2, "-n", 2, "--split", s, "--json", *grid(n, n, n))["gpu_memory_bytes"] for s in ("1,2", "2,1"))
    lines = math.ceil(((n - 1) // 3 + 1) / 2 / 8) * 8
    chunks = plan(HD, h200, "--gpus", 2, "-n", 2, "--split", "1,2", "--json", *grid(n, n, n))["chunks"]
    room = 8 * math.ceil(n / chunks) * 5 * lines * (n + n) * 16
    assert "planes" not in shared and slabs["planes"] > 0
    assert shared["exchange"] == pytest.approx(room, rel=0.01)
    exact = plan(HD, h200, "--gpus", 1, "--json", *grid(n, n, n, grid__dealiasing="phase-shift", grid__shifts="exact"))["gpu_memory_bytes"]
    assert exact["shifts"] == pytest.approx(exact["state"] * 4 / 3, rel=0.01), "four results beside three fields"


# ---- times ----

def test_times_are_counts_over_rates(plan, machine):
    """The formulae of docs/scaling.md, computed here from counts of the same plan; two ranks a node, messages to one of three on it."""
    p = plan(HD, machine, "-n", 4, "--node", 2, "--json", *grid(16, 16, 16))
    t, (x, y, z) = p["phases_s"], p["line_points"]
    assert [t["lines_x"], t["lines_y"], t["lines_z"]] == pytest.approx([2e-9 * x, 6e-9 * y, 12e-9 * z], rel=1e-5), "halfway in log n"
    assert t["points"] == pytest.approx(19e-9 * x, rel=1e-5)
    moved = z + 14 * 4 * sphere_columns(16)  # stored as columns, scattered from all ranks' columns, and back
    assert t["transpose"] == pytest.approx(17e-9 * moved, rel=1e-5)
    b = p["messages_between"]
    assert b["number"] == 2 * 2 * 3 * p["chunks"], "stages, in and out, peers"
    assert t["within_nodes"] == pytest.approx(b["bytes"] / 3 / 1e9, rel=1e-5)
    assert t["between_nodes"] == pytest.approx(b["bytes"] * 2 / 3 / (2e9 / 2), rel=1e-5)
    assert t["message_starts"] == pytest.approx(b["number"] * 2 / 3 * 1e-6 + 4 * 1e-5, rel=1e-5)
    assert p["step_s"] == pytest.approx(sum(t.values()), rel=1e-5)
    assert p["checkpoint"]["s"] == pytest.approx(p["checkpoint"]["bytes"] / 1e8, rel=1e-5)


def test_memory_of_a_node_is_shared_by_its_cores(plan, machine):
    """Four cores copy 2e10 together, one 1e10 by itself: all at once each is twice as slow."""
    alone = plan(HD, machine, "-n", 4, "--node", 1, "--json", *grid(16, 16, 16))["phases_s"]
    busy = plan(HD, machine, "-n", 4, "--node", 4, "--json", *grid(16, 16, 16))["phases_s"]
    assert busy["transpose"] == pytest.approx(2 * alone["transpose"]) and busy["lines_z"] == alone["lines_z"]


def test_single_precision_is_looked_up_at_as_many_points(plan, machine):
    """Its work columns have half of the bytes that `sets` tells, which was timed in double; so the same curve gives the same time."""
    machine.write_text(MACHINE.replace("sets = [1, 1e12]", "sets = [1e4, 1e8]\ntranspose_single = [2, 40]\npoints_single = [3, 50]\n"
                                       "x_single = [1, 3]\ny_single = [5, 7]\nz_single = [11, 13]")
                       .replace("transpose = [17, 17]", "transpose = [2, 40]").replace("points = [19, 19]", "points = [3, 50]"))
    double, single = (plan(HD, machine, "-n", 1, "--json", *grid(32, 32, 32, precision=p))["phases_s"] for p in ("double", "single"))
    assert single["transpose"] == pytest.approx(double["transpose"], rel=0.02), "but for padding of rows"
    assert single["points"] == pytest.approx(double["points"], rel=0.02)


def test_values_that_a_pass_keeps_for_another_are_read_and_written_on_gpus(plan):
    """gpe: psi's two values at each point, from the first pass to the second of each of four stages. On cores a value's rate has them."""
    h200, n = ROOT / "packaging/machines/h200.toml", 64
    for ranks, precision, size in ((1, "double", 8), (2, "double", 8), (1, "single", 4)):
        at = ("--gpus", 8, "-n", ranks, "--json", *sets(grid__n=[n, n, n], time__scheme="rk4", precision=precision))
        kept = 4 * 2 * 2 * n**3 / ranks * size
        assert plan(OF["gpe"], h200, *at)["phases_s"]["points"] == pytest.approx(kept / 4.1e12, rel=1e-5)
        assert plan(HD, h200, *at)["phases_s"]["points"] == 0


def test_messages_hide_behind_lines_as_the_machine_says(plan, machine):
    machine.write_text(MACHINE.replace("rates = [1e9, 1e9]", "rates = [1e9, 1e9]\noverlap = 0.5"))
    t = plan(HD, machine, "-n", 4, "--json", *grid(32, 32, 32))["phases_s"]
    busy = t["lines_x"] + t["lines_y"] + t["transpose"] + t["points"]
    assert t["hidden"] == pytest.approx(-0.5 * min(busy, t["within_nodes"]), rel=1e-5)


# Measured, ms a step: docs/performance.md, docs/notebook/. What the machine files were made of (hd, rk2, on one GPU) is not here.
STEPS = [("h200", "boussinesq", (512, 512, 512), "double", "rk2", 1, 21.2), ("h200", "mhd", (512, 512, 512), "double", "rk2", 1, 27.3),
         ("h200", "gpe", (512, 512, 512), "double", "rk4", 1, 23.4), ("h200", "boussinesq", (1024, 1024, 1024), "double", "rk2", 1, 211.8),
         ("h200", "mhd", (1024, 1024, 1024), "double", "rk2", 1, 257.0), ("h200", "gpe", (1024, 1024, 1024), "double", "rk4", 1, 220.0),
         ("h200", "boussinesq", (2048, 2048, 1024), "single", "rk2", 1, 496.4), ("h200", "boussinesq", (512, 512, 512), "double", "rk2", 2, 13.27),
         ("h200", "mhd", (512, 512, 512), "double", "rk2", 2, 18.15), ("h200", "gpe", (512, 512, 512), "double", "rk4", 2, 16.32),
         ("h200", "boussinesq", (1024, 1024, 1024), "double", "rk2", 2, 131.0), ("h200", "mhd", (1024, 1024, 1024), "double", "rk2", 2, 161.6),
         ("h200", "gpe", (1024, 1024, 1024), "double", "rk4", 2, 134.8), ("h200", "gpe", (2048, 2048, 2048), "single", "rk4", 2, 615.3),
         ("h200", "boussinesq", (512, 512, 512), "single", "rk2", 1, 12.3), ("h200", "gpe", (512, 512, 512), "single", "rk4", 1, 13.8),
         ("h200", "hd", (1024, 1024, 1024), "double", "rk4", 1, 261), ("h200", "hd", (1024, 1024, 1024), "single", "rk4", 1, 144),
         ("h200", "hd", (1024, 1024, 512), "double", "rk2", 1, 62.4), ("h200", "mhd", (1024, 512, 512), "double", "rk2", 1, 55.7),
         ("h200", "gpe", (1024, 512, 512), "double", "rk4", 1, 49.1), ("h200", "hd", (512, 512, 512), "double", "rk2", 2, 8.43),
         ("h200", "hd", (512, 512, 512), "double", "rk2", 4, 5.64), ("h200", "hd", (1024, 1024, 512), "double", "rk2", 4, 21.8),
         ("h200", "hd", (1024, 1024, 1024), "double", "rk2", 2, 78.3), ("h200", "hd", (1024, 1024, 1024), "double", "rk2", 4, 43.8),
         ("h200", "hd", (1024, 1024, 1024), "single", "rk2", 2, 41.3), ("h200", "mhd", (512, 512, 512), "double", "rk2", 4, 10.25)]
SHIFTED = [("h100", 360, "double", 10.78), ("h100", 360, "single", 7.09), ("h100", 500, "double", 37.3)]


def test_steps_on_gpus_are_as_planned(plan, capsys):
    """Within 15 %, but for some of those on four GPUs, in single precision and of 500 points, which were measured when five results of a
    stress travelled: the plan counts four, so 20 % below. docs/scaling.md has the whole table, with what is farther off and why."""
    rows = [(m, s, g, w, ranks, ms, ()) for m, s, g, p, w, ranks, ms in STEPS for g in [(g, p)]]
    rows += [(m, "hd", ((n, n, n), p), "rk2", 1, ms, ("--set", "grid.dealiasing=phase-shift")) for m, n, p, ms in SHIFTED]
    ratios = []
    for m, solver, (n, precision), scheme, ranks, ms, more in rows:
        p = plan(OF[solver], ROOT / f"packaging/machines/{m}.toml", "--gpus", 8, "-n", ranks, "--json",
                 *sets(grid__n=list(n), precision=precision, time__scheme=scheme), *more)
        ratios.append(1e3 * p["step_s"] / ms)
        with capsys.disabled():
            print(f"\n  {m} {solver} {n} {precision} {scheme} on {ranks}: planned over measured {ratios[-1]:.3f}", end="")
    assert all(0.8 < r < 1.15 for r in ratios), ratios


# In GB: as measured (docs/performance.md, docs/tuning.md); at 2048^3 when all results of a pass travelled, less the work columns that
# chains spare since
@pytest.mark.parametrize("solver, n, precision, more, gigabytes", [
    ("hd", 512, "double", (), 4.04), ("hd", 512, "single", (), 2.56), ("boussinesq", 512, "double", (), 5.29),
    ("mhd", 512, "double", (), 6.65),
    ("gpe", 512, "double", (), 6.44), ("hd", 1024, "double", (), 25.0), ("hd", 2048, "single", (), 108.8 - 11.9),
    ("hd", 360, "double", ("--set", "grid.dealiasing=phase-shift"), 2.78)])
def test_memory_of_a_gpu_is_as_measured(plan, solver, n, precision, more, gigabytes):
    p = plan(OF[solver], ROOT / "packaging/machines/h200.toml", "--gpus", 8, "--json", *grid(n, n, n, precision=precision), *more)
    assert p["gpu_memory_bytes"]["total"] == pytest.approx(1e9 * gigabytes, rel=0.01)


# ---- the machine that this is ----

@pytest.mark.limit(240)
def test_a_machine_is_measured_and_steps_are_planned_with_it(plan, mpirun, triad, tmp_path, capsys):
    path = tmp_path / "here.toml"
    mpirun(2, triad, "bench", "--machine", "--out", path, "--lengths", "24,32", "-q", expect=0, timeout=200)
    text = path.read_text()
    meminfo = int(re.search(r"MemTotal: +([0-9]+) kB", Path("/proc/meminfo").read_text())[1]) * 1024
    told = float(re.search(r"^memory = (\S+)", text, re.MULTILINE)[1])
    assert 0 < told <= 1.001 * meminfo, "less where a control group sets a limit"
    for key in ("cores", "copies", "copies_all", "lengths = [24, 32]", "x", "y_single", "z", "transpose", "points_single", "sizes",
                "rates", "write", "# bandwidth"):
        assert f"\n{key} =" in text or f"\n{key}\n" in text, key
    p = plan(HD, path, "--json", *grid(32, 32, 32))
    assert 0 < p["step_s"] < 10 and all(v > 0 for k, v in p["phases_s"].items() if k in ("lines_x", "lines_y", "lines_z", "points"))
    mpirun(1, triad, "bench", HD, "--steps", 20, "--json", tmp_path / "b.json", "-q", *grid(32, 32, 32, parallel__threads=1), expect=0)
    taken = json.loads((tmp_path / "b.json").read_text())
    with capsys.disabled():
        print(f"\n  hd 32^3 on this core: planned over processor time {p['step_s'] / taken['processor_s']:.2f}")
    assert sorted(tmp_path.iterdir()) == sorted([path, tmp_path / "b.json"]), "the file that was timed is gone"


def test_alone_it_says_that_messages_were_not_timed(mpirun, triad, tmp_path):
    done = mpirun(1, triad, "bench", "--machine", "--lengths", "8", expect=0, timeout=100, cwd=tmp_path)
    assert "mpirun -n 2" in done.stdout + done.stderr and "\nsizes" not in done.stdout and "\ncopies = " in done.stdout
    assert list(tmp_path.iterdir()) == []


# ---- what is refused ----

@pytest.mark.parametrize("old, new, words", [
    ("copies_all", "copies_al", ['7:1: unknown key "core.copies_al"', 'did you mean "core.copies_all"']),
    ("[network]", "[netwerk]", ['unknown table "netwerk"', '"network"']),
    ("copies = 1e10", 'copies = "fast"', ["6:10:", "core.copies must be a number above 0"]),
    ("copies = 1e10", "copies = -1", ["core.copies must be a number above 0"]),
    ("copies = 1e10", "copies = [1, 2]", ["core.copies must be one number"]),
    ("x = [1, 3]", "x = [1, 3, 4]", ["9:1: core.x must have as many values as core.lengths, 2"]),
    ("lengths = [8, 32]", "lengths = [32, 8]", ["8:16: core.lengths must rise"]),
    ("x = [1, 3]", "x = 1", ["core.x must be a list"]),
    ('name = "made up"', "name = 3", ["node.name must be text"]),
    ("cores = 4", "cores = 4\ncores = 5", [":4:", "cores"]),
    ("y = [5, 7]\n", "", ["core.y is missing", "triad bench --machine"]),
    ("bandwidth = 2e9\n", "", ["network.bandwidth is missing", "by hand"]),
    ("rates = [1e9, 1e9]", "rates = [1e9, 1e9]\noverlap = 1.5", ["core.overlap must be a number from 0 to 1"]),
])
def test_a_bad_machine_is_told_with_its_place(plan, machine, old, new, words):
    machine.write_text(MACHINE.replace(old, new, 1))
    told = plan(HD, machine, "-n", 8, *grid(16, 16, 16), expect=65).stderr
    assert "machine.toml" in told and all(w in told for w in words), told


@pytest.mark.parametrize("more, code, words", [
    (("--split", "3,2"), 65, ["[3, 2]", "8 ranks", "nearest choice is [4, 2]"]),
    (("--set", "parallel.split=[3,0]"), 65, ["[3, 0]", "8 ranks", "nearest choice is [4, 2]"]),
    (("-n", "20000000"), 64, ["20000000", "at most 16777216"]),
    (("--split", "8"), 64, ["PLANES,GROUP"]),
    (("--gpus", "0"), 64, ["--gpus"]),
    (("--gpus", "4", "--node", "2"), 64, ["--gpus 4", "--node"]),
    (("--gpus", "4", "--threads", "2"), 64, ["--gpus", "--threads"]),
    (("--set", "parallel.device=offload"), 69, ["offload", "triad tune"]),
    (("--gpus", "4"), 65, ["gpu.lengths is missing"]),
])
def test_what_cannot_be_planned_is_refused(plan, machine, more, code, words):
    told = plan(HD, machine, "-n", 8, *grid(16, 16, 16), *more, expect=code).stderr
    assert all(w in told for w in words), told


def test_solvers_that_are_not_counted_and_files_that_are_not_there(plan, machine, triad, tmp_path):
    assert "--gpus N" in plan(HD, ROOT / "packaging/machines/h200.toml", expect=64).stderr
    assert "cannot be predicted" in plan(ROOT / "runs/compressible-hit-decay/case.toml", machine, expect=69).stderr
    plan(HD, tmp_path / "none.toml", expect=66)
    assert "--machine FILE" in subprocess.run([triad, "plan", HD], capture_output=True, text=True).stderr
    for words in (["--machine", "--lengths", "64,32"], ["--machine", HD], [HD, "--out", "x"]):
        assert subprocess.run([triad, "bench", *words], capture_output=True, cwd=tmp_path).returncode == 64
    assert list(tmp_path.iterdir()) == [machine]
