"""What the command line refuses: exit codes, messages with a place, and no trace on the disk."""

import re

import pytest

from commands import CASE, SMALL, left
from outputs import sets


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
    (dict(initial__k_range=[4, 1]), ["initial.k_range", "above the upper end"]),
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
