"""The scripts around the code do what they promise."""

import os
import re
import shutil
import subprocess

import pytest

from conftest import ROOT

pytestmark = pytest.mark.quick

SCRIPTS = sorted(p for p in [*(ROOT / "tools").iterdir(), ROOT / "tests/pytest", ROOT / ".ci/run"]
                 if p.is_file() and p.read_bytes().startswith(b"#!/bin/sh"))


def run(*command, **more):
    return subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=60, **more)


def tree(path, files):
    for name, text in files.items():
        file = path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return path


def test_no_include_and_no_call_goes_up():
    layers = run(ROOT / "tools/layers", "--calls", ROOT / os.environ.get("TRIAD_BUILD", "build"))
    assert layers.returncode == 0, layers.stdout + layers.stderr


LAYERED = {"src/base/low.h": "", "src/base/low.c": "int low;", "src/grid/grid.h": '#include "base/low.h"\n',
           "fft/plan.h": '#include "grid/grid.h"\n#include <stdio.h>\n', "src/run/loop.h": "", "solvers/hd/solver.h": "",
           "solvers/hd/points/hd_points.h": "", "solvers/gas/gas.h": "", "solvers/box/box.h": "",
           "cuda/hd/points.cu": '#include "solvers/hd/points/hd_points.h"\n'}


@pytest.mark.parametrize("file, include, complaint", [
    ("src/base/low.c", '#include "grid/grid.h"', "goes up from layer 0"),
    ("src/grid/grid.c", '#  include "fft/plan.h"', "goes up from layer 2 (src/grid) to 4 (fft)"),
    ("solvers/hd/hd.c", "#include <run/loop.h>", "goes up from layer 5"),
    ("solvers/hd/points/face_points.h", '#include "solvers/hd/solver.h"', "from the room points to the top of its family"),
    ("solvers/box/box.c", '#include "solvers/hd/solver.h"', "what families share needs another"),
    ("solvers/mhd/mhd.c", '#include "solvers/hd/solver.h"', "one family needs another"),
    ("fft/plan.c", '#include "../src/base/low.h"', "from the top of the tree"),
    ("fft/plan.c", '#include "base/gone.h"', "not found"),
    ("src/misc/odd.c", "int odd;", "is in no layer"),
    ("cuda/fft/plan.cu", '#include "run/loop.h"', "goes up from layer 4"),
    ("cuda/mhd/mhd.cu", '#include "solvers/hd/solver.h"', "one family needs another"),
    ("fft/plan.c", '#include "base/low.c"', "no header"),
])
def test_layers_finds_includes_that_go_up(tmp_path, file, include, complaint):
    tree(tmp_path, LAYERED)
    clean = run(ROOT / "tools/layers", tmp_path)
    assert clean.returncode == 0, clean.stdout
    tree(tmp_path, {file: include + "\n"})
    found = run(ROOT / "tools/layers", tmp_path)
    assert found.returncode == 1 and complaint in found.stdout and file in found.stdout, found.stdout


def test_layers_finds_calls_that_go_up_and_large_circles(tmp_path):
    """Of sources without an include: a call from layer 0 to 4, one from a family to another, six objects in a circle."""
    tree(tmp_path, LAYERED)
    tree(tmp_path, {"src/base/low.c": "void plan(void);\nvoid low(void) { plan(); }\n", "fft/plan.c": "void plan(void) {}\n",
                    "solvers/mhd/mhd.c": "void hd(void);\nvoid mhd(void) { hd(); }\n", "solvers/hd/hd.c": "void hd(void) {}\n"})
    tree(tmp_path, {f"src/grid/g{i}.c": f"void g{(i + 1) % 6}(void);\nvoid g{i}(void) {{ g{(i + 1) % 6}(); }}\n" for i in range(6)})
    for source in tmp_path.rglob("*.c"):
        made = tmp_path / "build/once" / source.relative_to(tmp_path).with_suffix(".o")
        made.parent.mkdir(parents=True, exist_ok=True)
        assert run("cc", "-c", source, "-o", made).returncode == 0
    found = run(ROOT / "tools/layers", tmp_path, "--calls")
    for complaint in ("src/base/low.c: calls plan: goes up from layer 0", "solvers/mhd/mhd.c: calls hd: one family needs another",
                      "a circle of calls: 6 objects"):
        assert complaint in found.stdout, found.stdout
    assert found.returncode == 1 and run(ROOT / "tools/layers", tmp_path).returncode == 0
    assert run(ROOT / "tools/layers", tmp_path, "--calls", tmp_path / "nothing").returncode == 69


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda p: str(p.relative_to(ROOT)))
def test_script_is_plain_sh(script):
    assert os.access(script, os.X_OK), "not executable"
    syntax = run("sh", "-n", script)
    assert syntax.returncode == 0, syntax.stderr


def test_scripts_are_clean_for_shellcheck():
    if not shutil.which("shellcheck"):
        pytest.skip("shellcheck is not installed")
    lint = run("shellcheck", "-s", "sh", *SCRIPTS)
    assert lint.returncode == 0, lint.stdout


def test_cores_is_a_count_within_what_the_process_may_use():
    cores = run(ROOT / "tools/cores")
    assert 1 <= int(cores.stdout) <= len(os.sched_getaffinity(0))
    one = run("taskset", "-c", str(min(os.sched_getaffinity(0))), ROOT / "tools/cores")
    assert int(one.stdout) == 1


def test_python_refuses_when_no_interpreter_has_the_module():
    none = run(ROOT / "tools/python", "no_such_module_anywhere")
    assert none.returncode == 69 and "no_such_module_anywhere" in none.stderr


def test_python_takes_any_name_and_no_module_of_the_folder_where_one_stands(tmp_path):
    """A quote in a name is no end of a text, and a folder that is called as a module does not stand for it."""
    for name in ("it's", '"', "os; raise SystemExit(0)"):
        none = run(ROOT / "tools/python", name)
        assert none.returncode == 69 and name in none.stderr, name
    (tmp_path / "no_such_module").mkdir()
    (tmp_path / "no_such_module/__init__.py").touch()
    assert subprocess.run([ROOT / "tools/python", "no_such_module"], cwd=tmp_path, capture_output=True, timeout=60).returncode == 69


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda p: str(p.relative_to(ROOT)))
def test_what_sorts_or_reckons_speaks_one_language(script):
    """Order and decimal points are those of a language, which differs by machine and may not be installed on this one."""
    reckons = re.search(r"^[^#\n]*\b(sort|awk|comm|join|seq)\b", script.read_text(), re.MULTILINE)
    assert not reckons or "export LC_ALL" in script.read_text(), reckons[0]


def test_ready_cases_leave_run_directories_out(tmp_path):
    tree(tmp_path, {"runs/a/case.toml": "", "runs/a/README.md": "", "runs/a/output/series.csv": "",
                    "runs/b/mine/case.resolved.toml": "", "runs/b/mine/series.csv": "", "runs/b/case.toml": "",
                    "tools/runs": (ROOT / "tools/runs").read_text()})
    listed = run("sh", tmp_path / "tools/runs").stdout.split()
    assert listed == ["runs/a/README.md", "runs/a/case.toml", "runs/b/case.toml"]


def test_checkpoint_cost_times_both(tmp_path, triad, launcher):
    if triad != ROOT / "bin/triad":
        pytest.skip("another build than the one that tools/checkpoint-cost times")
    env = {**launcher.environment(1), "MPIRUN": launcher.mpirun}
    done = run(ROOT / "tools/checkpoint-cost", tmp_path, 16, 1, 1, env=env)
    assert done.returncode == 0, done.stderr
    for line in (r"checkpoint of hd 16\^3, double, 1 ranks: 0\.\d MB", r"triad +\d\.\d+ s", r"dd conv=fsync +\d\.\d+ s", r"over dd +\d+ %"):
        assert re.search(line, done.stdout), f"{line} in\n{done.stdout}"
    assert not list(tmp_path.iterdir()), "something is left behind"


@pytest.mark.parametrize("build", ["build", "build/sanitize"])
def test_objects_follow_the_headers_they_include(tmp_path, build):
    """Of what the compiler wrote beside objects in this folder, make knows: one that is taken for new may have structs of old."""
    tree(tmp_path / build, {f"{part}/a/b.d": f"{part}.o: {part}-header.h\n" for part in ("once", "double", "raw", "tests")})
    told = run("make", "-pqn", f"BUILD={tmp_path / build}", "all", cwd=ROOT).stdout
    for part in ("once", "double", "raw", "tests"):
        assert f"{part}.o: {part}-header.h" in told
