"""The command line: help, usage, --set and --dir, and what is printed."""

import json
import re
import shutil
import subprocess

import pytest

import outputs
from commands import CASE, SMALL, left
from conftest import ROOT
from outputs import sets

COMMANDS = ("run", "bench", "case", "spectra", "info")


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


@pytest.mark.parametrize("arguments, words", [
    (["case", CASE], "[equations]"), (["case", CASE, "--check"], "total on disk"), (["stop", "run"], "nothing is running"),
    (["plan", CASE, "--machine", ROOT / "packaging/machines/h200.toml", "--gpus", "2"], "checkpoint"),
    (["grid", ROOT / "runs/sod-tets/case.toml", "--write", "mesh.vtkhdf", *sets(grid__n=[3, 2, 2])], "mesh.vtkhdf"),
])
def test_what_needs_no_ranks_is_done_once_under_mpirun(mpirun, triad, tmp_path, arguments, words):
    (tmp_path / "run").mkdir()
    (tmp_path / "run/case.resolved.toml").write_text("")
    alone = subprocess.run([triad, *map(str, arguments)], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    said = mpirun(3, triad, *arguments, cwd=tmp_path, timeout=60, expect=0).stdout
    assert alone.stdout.count(words) == said.count(words) > 0


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
                     *sets(grid__n=[32, 16, 1], time__max_steps=2, time__cfl=7.5, time__residual=0), expect=0)
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


def megabytes(table, row):
    found = re.search(rf"^  {row}\s+([\d.]+) (kB|MB)", table, re.M)
    return float(found.group(1)) * (1e-3 if found.group(2) == "kB" else 1) if found else 0


@pytest.mark.parametrize("name, fields, modes", [("compressible-hit-decay", 3, 4), ("staggered-vortices", 1, 2)])
def test_check_counts_the_memory_of_spectra(command, name, fields, modes):
    """Fields at points and modes (with the work columns of the transform), only if spectra are asked for."""
    case, n = ROOT / "runs" / name / "case.toml", 48
    with_them, without = (command("case", case, "--check", *sets(grid__n=[n] * 3, output__spectra_interval=every), expect=0).stdout for every in (0.1, 0))
    expected = 1e-6 * (8 * fields * n**3 + 16 * modes * (n // 2 + 1) * n * n)
    assert megabytes(with_them, "spectra") == pytest.approx(expected, rel=0.01) and megabytes(without, "spectra") == 0


@pytest.mark.parametrize("case, more, later", [
    (CASE, sets(grid__n=[48, 48, 48]), []),
    (ROOT / "runs/isentropic-vortex/case.toml", sets(grid__n=[32, 32, 4], parallel__threads=2, equations__viscosity=0.01), ["output"])])
def test_check_of_memory_is_what_a_run_takes(command, case, more, later):
    """The table before a run and the ledger of the run at its start, within the rounding of both; later: rows of what is taken when it is needed."""
    table = command("case", case, "--check", *more, expect=0).stdout
    run = command("run", case, "--dir", "out", *more, *sets(time__max_steps=1), expect=0).stdout
    held = re.search(r"([\d.]+) MB on rank 0", run)
    planned = megabytes(table, "total") - sum(megabytes(table, row) for row in later)
    assert float(held.group(1)) == pytest.approx(planned, rel=0.05)
