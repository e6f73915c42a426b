"""The public interface as another project meets it: installed, found by pkg-config, used from C and from C++."""

import os
import re
import shutil
import subprocess

import pytest

from conftest import BUILD, ROOT
from test_install import make

EXAMPLE = ROOT / "tests/example"
LINE = re.compile(r"^(\w+) +(\S+) error (\S+) bound (\S+) (ok|WRONG)$", re.MULTILINE)

pytestmark = pytest.mark.skipif("sanitize" in str(BUILD), reason="a sanitized tree installs no shared library")


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """An installed tree, under a name with a space, and the environment that finds it."""
    top = tmp_path_factory.mktemp("installed") / "triad here"
    make("install", f"PREFIX={top}")
    env = dict(os.environ, PKG_CONFIG_PATH=str(top / "lib/pkgconfig"), LD_LIBRARY_PATH=str(top / "lib"),
               TRIAD_WISDOM=str(top / "wisdom"))
    yield top, env
    shutil.rmtree(top, ignore_errors=True)


@pytest.fixture(scope="module")
def example(place, tmp_path_factory):
    out = tmp_path_factory.mktemp("example")
    source = out / "its own"
    # away from this tree, so that nothing of it is found by chance
    shutil.copytree(EXAMPLE, source)
    env = {k: v for k, v in place[1].items() if k not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")}
    done = subprocess.run(["make", f"OUT={out}", "CFLAGS=-O2 -Wall -Wextra -Wpedantic -Werror"], cwd=source, env=env,
                          capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    return out / "advect"


@pytest.mark.parametrize("precision", ["double", "single"])
@pytest.mark.parametrize("ranks", [1, 2, 3])
@pytest.mark.parametrize("grid", ["24 20 18", "15 21 9", "9 16 2", "1 27 10"], ids=lambda g: g.replace(" ", "x"))
def test_example_agrees_with_exact_answers(place, example, mpirun, grid, ranks, precision):
    env = {k: place[1][k] for k in ("LD_LIBRARY_PATH", "TRIAD_WISDOM")}
    for truncation in ("sphere", "box"):
        run = mpirun(ranks, example, *grid.split(), precision, truncation, threads=1 + ranks % 2, env=env, expect=0)
        lines = LINE.findall(run.stdout)
        assert [name for name, *_ in lines] == ["poisson", "points", "modes", "product", "slope"], str(run)
        for name, value, error, bound, verdict in lines:
            assert verdict == "ok" and float(error) <= float(bound), f"{name} {value}\n{run}"
            # the program's own bounds must mean something: single precision keeps at least two digits of phi ~ 1
            assert float(bound) < (1e-9 if precision == "double" else 0.1), str(run)


def test_example_says_what_is_wrong_once(place, example, mpirun):
    env = {k: place[1][k] for k in ("LD_LIBRARY_PATH", "TRIAD_WISDOM")}
    run = mpirun(2, example, 16, 0, 16, env=env, expect=65)
    said = [line for line in run.stderr.splitlines() if "points along y" in line]
    assert len(said) == 1 and "0 points" in said[0], str(run)


def test_header_stands_alone_in_c_and_cxx(place, tmp_path):
    top, env = place
    sources = {
        "c99.c": ("mpicc", "-std=c99"),
        "cxx11.cpp": ("mpicxx", "-std=c++11"),
    }
    body = ("#include <triad.h>\n#include <triad.h>\n"
            "int main(void)\n{\n  triad_plan *plan = 0;\n  triad_plan_destroy(&plan);\n"
            "  double peak = 0;\n  triad_plan_raise(&peak, 1);\n"
            "  return triad_plan_query(plan) || triad_plan_version()[0] == 0 || !(peak > 0);\n}\n")
    for name, (compiler, standard) in sources.items():
        if compiler == "mpicc":
            compiler = os.environ.get("MPICC") or compiler
        if not shutil.which(compiler.split()[0]):
            pytest.skip(f"{compiler} is not there")
        (tmp_path / name).write_text(body)
        flags = subprocess.run(["sh", "-c", f'{compiler} {standard} -Wall -Wextra -Wpedantic -Wconversion -Werror '
                                            f'$(pkg-config --cflags triad | sed "s/-I/-isystem /") '
                                            f'-x {"c++" if name.endswith("cpp") else "c"} -c {name} -o {name}.o && '
                                            f'eval {compiler} {name}.o -o {name}.out "$(pkg-config --libs triad)"'],
                               cwd=tmp_path, env=env, capture_output=True, text=True, timeout=60)
        assert flags.returncode == 0, flags.stdout + flags.stderr
        assert subprocess.run([tmp_path / f"{name}.out"], env=env, timeout=60).returncode == 0, name


def test_library_shows_its_public_names_only(place):
    top, env = place
    if not shutil.which("nm"):
        pytest.skip("nm is not there")
    text = subprocess.run(["nm", "-D", "--defined-only", top / "lib/libtriad.so"], capture_output=True, text=True,
                          check=True).stdout
    shown = {line.split()[-1] for line in text.splitlines() if " T " in line or " D " in line or " B " in line}
    declared = set(re.findall(r"TRIAD_API [^;]*?\b(triad_\w+)\(", (top / "include/triad.h").read_text()))
    assert declared and declared == {name for name in shown if name.startswith("triad")}
