"""The command line: exit codes, messages, and that bad input leaves no trace on the disk."""

import json
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

import outputs
from conftest import ROOT
from outputs import sets

CASE = ROOT / "runs/taylor-green-demo/case.toml"
SMALL = sets(grid__n=[12, 12, 12], time__max_steps=3)
COMMANDS = ("run", "bench", "case", "spectra", "info")


@pytest.fixture
def command(triad, launcher, tmp_path):
    """command("run", ...): without mpirun, as one process, in an empty folder. Its output and exit code."""
    def start(*arguments, expect=None, env=None, timeout=60):
        work = tmp_path / "work"
        work.mkdir(exist_ok=True)
        result = subprocess.run([str(a) for a in (triad, *arguments)], capture_output=True, text=True, errors="replace",
                                timeout=timeout, cwd=work, env=launcher.environment(extra=env),
                                stdin=subprocess.DEVNULL)
        if expect is not None and result.returncode != expect:
            pytest.fail(f"exit code {result.returncode}, expected {expect}\n{arguments}\n"
                        f"{result.stdout}\n{result.stderr}", pytrace=False)
        return result
    start.work = tmp_path / "work"
    return start


def left(command):
    """What a command left in the folder that it ran in."""
    return sorted(str(p.relative_to(command.work)) for p in command.work.rglob("*"))


# ---- help ----

def test_help_and_version_need_nothing(triad, tmp_path):
    """No launcher, no case, an empty environment, a folder that cannot be written."""
    bare = {"PATH": "/usr/bin:/bin"}
    for arguments in (["--help"], ["-h"], ["help"], *(["help", c] for c in COMMANDS),
                      *([c, "--help"] for c in COMMANDS),
                      ["--version"]):
        result = subprocess.run([triad, *arguments], capture_output=True, text=True, timeout=20, cwd="/", env=bare)
        assert result.returncode == 0 and result.stderr == "", (arguments, result)
        if arguments != ["--version"]:
            assert result.stdout.startswith("Usage: triad"), arguments
    version = subprocess.run([triad, "--version"], capture_output=True, text=True, env=bare).stdout
    assert re.fullmatch(rf"triad {re.escape((ROOT / 'VERSION').read_text().strip())}\b.*\n", version)


def test_help_lists_every_command_and_exit_code(command):
    text = command("--help", expect=0).stdout
    for name in COMMANDS:
        assert re.search(rf"^  {name}\s", text, re.M), name
    for code in (64, 65, 66, 69, 71, 74, 75, 80):
        assert str(code) in text, code


def test_help_is_printed_once_under_mpirun(mpirun, triad):
    result = mpirun(3, triad, "--version", timeout=30, expect=0)
    assert len(result.stdout.splitlines()) == 1
    assert mpirun(3, triad, "run", "--help", timeout=30, expect=0).stdout.count("Usage:") == 1


# ---- 64: usage ----

@pytest.mark.parametrize("arguments, words", [
    ([], ["Usage"]),
    (["rum", "case.toml"], ["rum", "did you mean run"]),
    (["frobnicate"], ["frobnicate", "--help"]),
    (["run"], ["case file"]),
    (["run", CASE, CASE], ["one case file"]),
    (["run", CASE, "more.toml"], ["one case file", "more.toml"]),
    (["run", CASE, "--set", "grid.n=[64,", "64,", "64]"], ["grid.n=[64,", "quotes"]),
    (["run", CASE, "--dri", "x"], ["--dri", "did you mean --dir"]),
    (["run", CASE, "--dir"], ["--dir"]),
    (["run", CASE, "--set"], ["--set"]),
    (["run", CASE, "--set", "grid.n"], ["key=value"]),
    (["run", CASE, "--quiet=yes"], ["--quiet"]),
    (["run", CASE, "--log-format=xml"], ["xml"]),
    (["bench", CASE, "--steps", "0"], ["--steps", "0"]),
    (["bench", CASE, "--steps", "many"], ["--steps", "many"]),
    (["bench", CASE, "--at-once", "65"], ["--at-once 65", "at most 64"]),
    (["bench", "--machine", "--at-once", "2"], ["--at-once", "--machine"]),
    (["bench", CASE, "--steps", "99999999999999999999"], ["--steps"]),
    (["case"], ["case file"]),
    (["case", CASE, "--check", "-n", "-3"], ["-n"]),
    (["case", "--keys", "grid.lenght"], ["grid.length"]),
    (["case", "--keys", "initail"], ["did you mean initial?"]),
], ids=lambda a: " ".join(map(str, a[:3])).replace(str(ROOT), "") if isinstance(a, list) else "")
def test_wrong_usage_exits_64_and_says_what_is_wrong(command, arguments, words):
    result = command(*arguments, expect=64)
    assert all(w in result.stderr for w in words), result.stderr
    assert left(command) == []


# ---- 65: bad cases ----

BAD = """\
precision = "tripple"
[equations]
solver = "hd"
viscosty = 0.1
[grid]
n = [64, 64]
lenght = ["2pi", "2pi", "2pi"]
[initial]
kind = "taylor-gren"
[time]
end = -1.0
cfl = "fast"
dt = 0.1
"""


def test_every_error_of_a_case_is_told_at_once_with_its_place(command, tmp_path):
    path = tmp_path / "bad.toml"
    path.write_text(BAD)
    result = command("run", path, expect=65)
    wanted = [(1, "precision", "double"), (4, "viscosty", "viscosity"), (6, "grid.n", "3"),
              (7, "lenght", "grid.length"),
              (9, "taylor-gren", "taylor-green"), (11, "time.end", ""), (12, "time.cfl", "")]
    lines = result.stderr.splitlines()
    for row, name, suggestion in wanted:
        found = [line for line in lines if re.match(rf"{re.escape(str(path))}:{row}:\d+: error: ", line)]
        assert any(name in line and suggestion in line for line in found), (row, name, suggestion, result.stderr)
    assert int(re.search(r"\b(\d+) errors in ", lines[-1]).group(1)) >= len(wanted)
    assert left(command) == []


@pytest.mark.parametrize("ranks", [1, 3])
def test_errors_of_a_case_are_printed_once_on_any_ranks(mpirun, triad, tmp_path, ranks):
    (tmp_path / "bad.toml").write_text(BAD)
    result = mpirun(ranks, triad, "run", tmp_path / "bad.toml", "--dir", tmp_path / "run", timeout=30, expect=65)
    assert result.stderr.count("viscosty") == 1 and result.stderr.count("errors in") == 1
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("content, words", [
    ("[grid\nn = 3\n", ["1:"]),
    ("", ["equations.solver", "initial.kind"]),  # what solvers need differs
    ("a = 1\na = 2\n", ["2:"]),
    ("[grid]\nn = [64, 64, 1e300]\n", ["grid.n"]),
    ("[time]\nend = nan\n", ["time.end"]),
    ("\x1b[31mred = 1\n", []),
    ("precision = \"" + "x" * 5000 + "\"\n", ["precision"]),
    ("[[grid]]\nn = 1\n", ["grid"]),
    ("x = " + "[" * 2000 + "]" * 2000 + "\n", []),
], ids=["syntax", "empty", "twice", "too-large", "nan", "escape", "long", "array-of-tables", "deep"])
def test_bad_text_is_an_error_with_a_place_and_never_a_crash(command, tmp_path, content, words):
    path = tmp_path / "bad.toml"
    path.write_text(content)
    for name in ("run", "case", "bench"):
        result = command(name, path, expect=65)
        assert result.stderr.strip() and all(w in result.stderr for w in words), result.stderr
        assert "\x1b" not in result.stderr, "control characters reach the terminal"
    assert left(command) == []


@pytest.mark.parametrize("content", [b"\x00" * 100, bytes(range(256)) * 20, b"\xff\xfe[\x00g\x00", b"#" * (2 << 20)],
                         ids=["nul", "all-bytes", "utf-16", "two-megabytes"])
def test_bytes_that_are_no_case_are_refused(command, tmp_path, content):
    (tmp_path / "bad.toml").write_bytes(content)
    command("run", tmp_path / "bad.toml", expect=65)
    assert left(command) == []


def test_a_directory_is_no_case(command, tmp_path):
    assert "directory" in command("run", tmp_path, expect=65).stderr.lower()


@pytest.mark.parametrize("values, words", [
    (dict(grid__n=[4, 4, 4], initial__wavenumber=2), ["2, -2", "4 x 4 x 4"]),
    (dict(initial__kind="abc", initial__wavenumber=22), ["22"]),
    (dict(forcing__kind="abc", forcing__wavenumber=22), ["forcing", "22"]),
    (dict(time__dt=0.1, time__cfl=0.5), ["time.dt", "time.cfl"]),
    (dict(initial__kind="file"), ["initial.file"]),
    (dict(initial__k_range=[4, 1]), ["initial.k_range", "revers"]),
    (dict(forcing__kind="random", forcing__k_range=[0, 0]), ["forcing.k_range"]),
    (dict(forcing__kind="random", forcing__k_range=[100, 200]), ["forcing.k_range"]),
    (dict(output__keep=1), ["output.keep"]),
    (dict(grid__n=[0, 64, 64]), ["grid.n"]),
    (dict(grid__length=[1.0, 0.0, 1.0]), ["grid.length"]),
], ids=lambda v: ",".join(v) if isinstance(v, dict) else "")
def test_values_that_cannot_work_are_refused(command, values, words):
    result = command("run", CASE, "--dir", "out", *sets(**values), expect=65)
    assert all(w in result.stderr for w in words), result.stderr


def test_refused_values_leave_no_run_directory(command):
    for values in (dict(grid__n=[4, 4, 4], initial__wavenumber=2), dict(time__dt=0.1, time__cfl=0.5),
                   dict(initial__kind="file"),
                   dict(forcing__kind="random", forcing__k_range=[100, 200]),
                   dict(initial__kind="random", initial__spectrum="power-law", initial__k_range=[100, 200])):
        command("run", CASE, "--dir", "out", *sets(**values), expect=65)
        assert left(command) == []


def test_one_process_makes_no_folder_for_a_session(command, tmp_path):
    """All of a user's would share it, and one that ends would take it from another that begins. Here there can be none."""
    (tmp_path / "file").write_text("")
    command("run", CASE, "--dir", "out", *SMALL, expect=0, env={"TMPDIR": tmp_path / "file"})


def test_foreign_directory_is_refused_and_left_alone(command):
    command.work.mkdir()
    (command.work / "mine").mkdir()
    (command.work / "mine/thesis.tex").write_text("years of work")
    result = command("run", CASE, "--dir", "mine", *SMALL, expect=65)
    assert "mine" in result.stderr and "--dir" in result.stderr
    assert left(command) == ["mine", "mine/thesis.tex"]


# ---- 66, 69, 74 ----

@pytest.mark.parametrize("name", ["run", "bench", "case"])
def test_missing_case_exits_66(command, name):
    result = command(name, "nowhere.toml", expect=66)
    assert "nowhere.toml" in result.stderr
    assert left(command) == []


@pytest.mark.parametrize("kind", ["file", "checkpoint"])
def test_missing_initial_file_exits_66_before_anything_is_written(command, kind):
    result = command("run", CASE, "--dir", "out", *sets(initial__kind=kind, initial__file="nowhere.h5"), expect=66)
    assert "nowhere.h5" in result.stderr
    assert left(command) == []


@pytest.mark.parametrize("values", [dict(parallel__device="gpu"), dict(parallel__device="offload"),
                                    dict(parallel__transport="nccl"), dict(parallel__transport="put")], ids=str)
def test_feature_that_is_not_built_exits_69_without_falling_back(command, values):
    result = command("run", CASE, "--dir", "out", *SMALL, *sets(**values), expect=69)
    assert list(values.values())[0] in result.stderr
    assert left(command) == []
    command("bench", CASE, "--steps", "1", *SMALL, *sets(**values), expect=69)


def test_folder_that_cannot_be_made_exits_74(command):
    command.work.mkdir()
    (command.work / "file").write_text("")
    result = command("run", CASE, "--dir", "file/run", *SMALL, expect=74)
    assert "file" in result.stderr
    assert left(command) == ["file"]


# ---- --set and --dir ----

def test_set_wins_over_the_file_and_the_last_one_wins(command):
    command("run", CASE, "--dir", "out", *SMALL, "--set", "equations.viscosity=0.5",
            "--set", "equations.viscosity=0.25", "--set=initial.amplitude=2", expect=0)
    s = outputs.series(command.work / "out")
    assert s["energy"][0] == pytest.approx(0.5, rel=1e-14), "amplitude 2"
    assert s["dissipation"][0] == pytest.approx(2 * 0.25 * 4 * 0.375, rel=1e-14), "viscosity 0.25"
    resolved = (command.work / "out/case.resolved.toml").read_text()
    assert re.search(r"viscosity = 0\.25\b.*--set", resolved), "the origin of a value is told"
    given = (command.work / "out/case.toml").read_text()
    assert given.endswith(CASE.read_text()) and "#   --set equations.viscosity=0.25\n" in given, "and what it changed"


def test_set_takes_strings_with_and_without_quotes(command):
    for text in ('precision="single"', "precision=single"):
        command("case", CASE, "--set", text, expect=0)
        assert 'precision = "single"' in command("case", CASE, "--set", text, expect=0).stdout


def test_run_directory_is_named_after_the_case(command):
    command.work.mkdir()
    shutil.copy(CASE, command.work / "my-flow.toml")
    command("run", "my-flow.toml", *SMALL, expect=0)
    assert (command.work / "my-flow/series.csv").exists()


def test_dir_is_made_with_its_parents(command):
    command("run", CASE, "--dir", "a/b/c", *SMALL, expect=0)
    assert (command.work / "a/b/c/series.csv").exists()


# ---- what is printed ----

def test_quiet_prints_nothing(command):
    resolved = sets(equations__viscosity=0.2)   # or it warns
    result = command("run", CASE, "--dir", "out", "-q", *SMALL, *resolved, expect=0)
    assert result.stdout == "" and result.stderr == ""


def test_json_log_is_one_object_a_line(command):
    result = command("run", CASE, "--dir", "out", "--log-format=jsonl", *SMALL, expect=0)
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert lines and all({"time", "level", "text"} <= set(line) for line in lines)
    assert any("12 x 12 x 12" in line["text"] for line in lines)


def test_progress_names_step_time_energy_and_what_is_left(command):
    result = command("run", CASE, "--dir", "out", *SMALL, expect=0)
    assert re.search(r"step 3/3\s+t [\d.]+\s+dt [\d.e+-]+\s+CFL [\d.]+\s+E [\d.]+\s+.*ms/step\s+100%\s+ETA 00:00:00",
                     result.stdout)


def test_progress_of_a_steady_flow_has_the_courant_number_of_its_cells(command):
    """t counts steps there, so that dt is 1 and is no cell's."""
    result = command("run", ROOT / "runs/naca0012-euler/case.toml", "--dir", "out",
                     *sets(grid__n=[32, 16, 1], time__max_steps=2, time__cfl=7.5), expect=0)
    assert re.search(r"step 2/2\s+t 2\s+dt 1\S*\s+CFL 7\.50 ", result.stdout), result.stdout


# ---- case ----

def test_defaults_are_a_case_that_runs(command, tmp_path):
    (tmp_path / "all.toml").write_text(command("case", "--defaults", expect=0).stdout)
    command("run", tmp_path / "all.toml", "--dir", "out", "-q", *sets(grid__n=[12, 12, 12], time__max_steps=2),
            expect=0)


def test_resolved_case_is_its_own_resolution(command, tmp_path):
    once = command("case", CASE, "--set", "time.end=2", expect=0).stdout
    (tmp_path / "once.toml").write_text(once)
    twice = command("case", tmp_path / "once.toml", expect=0).stdout
    strip = lambda text: re.sub(r"\s*#.*", "", text)
    assert strip(once) == strip(twice)


def test_check_tells_memory_output_and_disk_without_running(command):
    text = command("case", CASE, "--check", "-n", "8", *sets(grid__n=[256, 256, 256]), expect=0).stdout
    for word in ("memory per rank (8 ranks", "total", "a checkpoint", "free disk"):
        assert word in text, text
    assert left(command) == []


def test_check_of_memory_is_what_a_run_takes(command):
    """The table before a run and the ledger of the run, within the rounding of both."""
    grid = sets(grid__n=[48, 48, 48])
    table = command("case", CASE, "--check", *grid, expect=0).stdout
    total = re.search(r"^  total\s+([\d.]+) (kB|MB)", table, re.M)
    run = command("run", CASE, "--dir", "out", *grid, *sets(time__max_steps=1), expect=0).stdout
    held = re.search(r"([\d.]+) MB on rank 0", run)
    planned = float(total.group(1)) * (1e-3 if total.group(2) == "kB" else 1)
    assert float(held.group(1)) == pytest.approx(planned, rel=0.05)


# ---- bench ----

def bench(command, *arguments):
    result = command("bench", CASE, "--steps", "4", "--json", "out.json", *sets(grid__n=[16, 16, 16]), *arguments,
                     expect=0)
    text = (command.work / "out.json").read_text()
    return result, json.loads(text)


def test_bench_json_has_the_keys_of_the_contract(command):
    result, b = bench(command, "--set", 'time.scheme="rk3"')
    assert {"solver", "grid", "precision", "device", "ranks", "threads", "nstreams", "transport", "steps", "step_s",
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
    said = re.search(r"at once +(\S+) us  a step of each of 3 flows", result.stdout)
    assert float(said[1]) == pytest.approx(1e6 * b["at_once"]["step_s"], abs=0.06)


def test_bench_of_several_flows_ends_where_one_of_them_does(command):
    """None waits for the one that is over. One alone has taken its three steps before."""
    case = sets(grid__n=[8, 8, 8], time__dt=100.0, initial__kind="random", initial__energy=1e4, equations__viscosity=1e-6)
    said = command("bench", CASE, "--steps", "1", "--at-once", "3", *case, expect=80)
    assert "bench: step 1/1" in said.stdout and said.stderr.count("step 4: the solution is not finite any more") > 0


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


# ---- what needs no MPI, and what one process needs of it ----

@pytest.fixture(scope="module")
def short_run(triad, launcher, tmp_path_factory):
    folder = tmp_path_factory.mktemp("short") / "run"
    assert launcher(1, triad, "run", CASE, "--dir", folder, *SMALL).code == 0
    return folder


@pytest.mark.parametrize("arguments", [["case", CASE], ["info", "RUN"], ["pack", "RUN"], ["stop", "RUN"], ["help"],
                                       ["info", CASE]], ids=lambda a: a[0])
def test_what_only_looks_at_files_starts_no_mpi(command, launcher, short_run, arguments):
    if not launcher.is_open_mpi:
        pytest.skip("needs Open MPI: its settings can make MPI_Init fail")
    no_mpi = {"OMPI_MCA_pml": "none-such"}
    assert command("run", CASE, "--dir", "refused", *SMALL, env=no_mpi).returncode != 0
    assert not (command.work / "refused").exists()
    result = command(*(short_run if a == "RUN" else a for a in arguments), env=no_mpi, expect=0)
    assert result.stderr == ""


def test_only_the_first_of_several_ranks_looks(mpirun, triad, short_run):
    out = mpirun(3, triad, "info", short_run / "series.csv", timeout=30, expect=0).stdout
    assert out.count("series.csv") == 1
    assert mpirun(2, triad, "info", "no-such-file", timeout=30, expect=66).stderr.count("no such file") == 1


def test_one_process_starts_no_daemon(triad, launcher, tmp_path):
    """Without a launcher Open MPI would start one, orted, for a process that talks to nobody."""
    process = subprocess.Popen([triad, "run", CASE, "--dir", tmp_path / "run", "--set", "time.end=1000", "-q"],
                               env=launcher.environment(), cwd=tmp_path, start_new_session=True)
    try:
        for _ in range(300):
            if (tmp_path / "run/series.csv").exists():
                break
            time.sleep(0.1)
        parent = {int(p.name): (p / "stat").read_text().rsplit(")", 1)[1].split()[1]
                  for p in Path("/proc").iterdir() if p.name.isdigit() and (p / "stat").exists()}
        children = [pid for pid, of in parent.items() if of == str(process.pid)]
        assert children == []
    finally:
        process.kill()
        process.wait()


@pytest.mark.parametrize("verb", ["info", "spectra", "case", "help"])
def test_a_reader_that_leaves_is_no_failure(triad, launcher, short_run, tmp_path, verb):
    """As head does; the pipe is closed before the first line."""
    what = {"info": [short_run, *[short_run / "series.csv"] * 40], "spectra": [short_run], "case": [CASE], "help": []}
    process = subprocess.Popen([triad, verb, *what[verb]], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               env=launcher.environment(), cwd=tmp_path)
    process.stdout.close()
    complaint = process.stderr.read()
    assert complaint == "" and process.wait() in (0, -signal.SIGPIPE)  # what ends cat, too


def test_a_disk_that_is_full_is_a_failure(triad, launcher, short_run):
    with open("/dev/full", "w") as full:
        for arguments in (["info", short_run], ["case", CASE], ["spectra", short_run]):
            done = subprocess.run([triad, *arguments], stdout=full, stderr=subprocess.PIPE, text=True,
                                  env=launcher.environment())
            assert done.returncode == 74 and "standard output" in done.stderr, arguments


# ---- what to cite ----

def cited(command, *arguments):
    """{name of an entry: {field: value}}; braces must match."""
    text = command("cite", *arguments, expect=0).stdout
    entries = {}
    for entry in re.findall(r"^@\w+\{.*?^\}$", text, re.M | re.S):
        assert entry.count("{") == entry.count("}")
        entries[re.match(r"@\w+\{(\w+),", entry)[1]] = dict(re.findall(r"^  (\w+) = \{(.*)\},$", entry, re.M))
    assert text.count("@") == len(entries)
    return entries


def test_cite_names_the_code_the_methods_and_the_libraries(command, short_run):
    entries = cited(command)
    assert entries["Triad"]["version"] == (ROOT / "VERSION").read_text().strip() and {"FFTW", "HDF5"} < set(entries)
    assert "Orszag1971" not in entries
    entries = cited(command, short_run)
    told = json.loads(re.search(r'"commit": ("[^"]*")', (short_run / "provenance.json").read_text())[1])
    assert entries["Triad"]["note"] == f"commit {told}" and {"Orszag1971", "Williamson1980"} < set(entries)
    assert all({"author", "title"} < set(entry) for entry in entries.values())


@pytest.mark.parametrize("case, setting, there, absent", [
    ("sod", "", "Borges2008", "JiangShu1996"), ("sod", 'weights = "teno"', "Fu2016", "Borges2008"),
    ("sod", 'compatibility = "weno5-js-component"', "JiangShu1996", "Borges2008"),
    ("sod", "positivity = true", "Hu2013", "Fu2016"), ("sod", 'flux = "central"', "Pirozzoli2010", "Roe1981"),
    ("gpe-waves", "", "Nore1997", "Borges2008"), ("lid-driven-cavity", "", "HarlowWelch1965", "Orszag1971"),
    ("sod-tets", "", "Zalesak1979", "BarthJespersen1989"), ("sod-tets", 'transport = "low"', "BorisBook1973", "Zalesak1979"),
    ("wedge-tets", "", "BarthJespersen1989", "Haider2009")])
def test_cite_follows_the_case(command, tmp_path, case, setting, there, absent):
    text = (ROOT / f"runs/{case}/case.toml").read_text()
    text = re.sub(r"^(weights|reconstruction|entropy_fix|riemann) = .*\n", "", text, flags=re.M)
    text = text.replace("[equations]\n", f"[equations]\n{setting}\n")
    (tmp_path / "case.toml").write_text(text)
    entries = cited(command, tmp_path / "case.toml")
    assert there in entries and absent not in entries


def test_a_damaged_provenance_is_no_harm_to_cite(command, short_run, tmp_path):
    shutil.copytree(short_run, tmp_path / "run")
    (tmp_path / "run/provenance.json").write_bytes(b'{"version": "1}, \\x00 "commit": "{\xff"')
    assert "Triad" in cited(command, tmp_path / "run")
