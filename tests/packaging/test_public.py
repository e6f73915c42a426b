"""The public interface as another project meets it: installed, found by pkg-config, used from C and from C++."""

import os
import re
import shlex
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


def found(place):
    return {key: place[1][key] for key in ("LD_LIBRARY_PATH", "TRIAD_WISDOM")}


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


@pytest.fixture(scope="module")
def example_by_cmake(place, tmp_path_factory):
    """The same program by CMake, as another project has it: find_package(Triad), Triad::triad."""
    if not shutil.which("cmake"):
        pytest.skip("cmake is not installed (apt install cmake)")
    out = tmp_path_factory.mktemp("by cmake")
    shutil.copytree(EXAMPLE, out / "its own")
    env = {k: v for k, v in place[1].items() if k not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "PKG_CONFIG_PATH")}
    mpicc = shlex.split(os.environ.get("MPICC", "mpicc"))[-1]
    for command in (["cmake", "-S", out / "its own", "-B", out / "build", f"-DCMAKE_PREFIX_PATH={place[0]}", f"-DMPI_C_COMPILER={shutil.which(mpicc)}"],
                    ["cmake", "--build", out / "build"]):
        done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=100)
        assert done.returncode == 0, done.stdout + done.stderr
    return out / "build/advect"


def test_a_program_built_by_cmake_agrees_too(place, example_by_cmake, mpirun):
    run = mpirun(2, example_by_cmake, 15, 21, 9, "double", "box", env=found(place), expect=0)
    assert [(name, verdict) for name, _, _, _, verdict in LINE.findall(run.stdout)] == [
        (name, "ok") for name in ("poisson", "points", "modes", "product", "slope")], str(run)


@pytest.mark.parametrize("wanted, served", [("0", True), ("9", False)])
def test_cmake_takes_a_version_that_fits_alone(place, wanted, served, tmp_path):
    if not shutil.which("cmake"):
        pytest.skip("cmake is not installed (apt install cmake)")
    (tmp_path / "CMakeLists.txt").write_text(f"cmake_minimum_required(VERSION 3.16)\nproject(p C)\nfind_package(Triad {wanted} REQUIRED)\n")
    done = subprocess.run(["cmake", "-S", tmp_path, "-B", tmp_path / "build", f"-DCMAKE_PREFIX_PATH={place[0]}"], capture_output=True, text=True, timeout=100)
    assert (done.returncode == 0) == served, done.stdout + done.stderr


# odd and anisotropic; flat, and with fewer planes than ranks
GRIDS = [("24 20 18", "sphere", (1, 2, 3)), ("15 21 9", "box", (1, 2, 3)), ("9 16 2", "box", (3,)),
         ("1 27 10", "sphere", (3,))]


@pytest.mark.parametrize("precision", ["double", "single"])
@pytest.mark.parametrize("grid, truncation, ranks", [(g, t, r) for g, t, ranks in GRIDS for r in ranks])
def test_example_agrees_with_exact_answers(place, example, mpirun, grid, truncation, ranks, precision):
    run = mpirun(ranks, example, *grid.split(), precision, truncation, threads=1 + ranks % 2, env=found(place),
                 expect=0)
    lines = LINE.findall(run.stdout)
    assert [name for name, *_ in lines] == ["poisson", "points", "modes", "product", "slope"], str(run)
    for name, value, error, bound, verdict in lines:
        assert verdict == "ok" and float(error) <= float(bound), f"{name} {value}\n{run}"
        # and its own bounds mean something: the fields are of order 1
        assert float(bound) < (1e-9 if precision == "double" else 0.1), str(run)


def test_example_says_what_is_wrong_once(place, example, mpirun):
    run = mpirun(2, example, 16, 0, 16, env=found(place), expect=65)
    said = [line for line in run.stderr.splitlines() if "points along y" in line]
    assert len(said) == 1 and "0 points" in said[0], str(run)


# From before MPI_Init to after MPI_Finalize, in what C99 and C++11 have in common.
LIFE = """#include <triad.h>
#include <triad.h>
#include <stdio.h>
#include <string.h>

static int wrong;

static void expect(int status, int code, const char *part, int line)
{
  if (status == code && strstr(triad_plan_message(), part)) return;
  fprintf(stderr, "line %d: status %d, expected %d; message \\"%s\\", expected \\"%s\\"\\n", line, status, code,
          triad_plan_message(), part);
  wrong = 1;
}

int main(int argc, char **argv)
{
  triad_plan *plan = NULL;
  triad_plan_options o;
  int level;
  memset(&o, 0, sizeof o);
  for (int d = 0; d < 3; d++) o.n[d] = 12 + d;
  for (int d = 0; d < 3; d++) o.length[d] = 1;
  o.most_in = o.most_out = 1;
  expect(triad_plan_create(&plan, MPI_COMM_WORLD, &o), TRIAD_PLAN_BAD_CALL, "not been initialised", __LINE__);
  triad_plan_destroy(&plan);
  MPI_Init(&argc, &argv);
  MPI_Query_thread(&level);
  o.threads = 2;
  if (level < MPI_THREAD_FUNNELED)
    expect(triad_plan_create(&plan, MPI_COMM_WORLD, &o), TRIAD_PLAN_BAD_CALL, "MPI_THREAD_FUNNELED", __LINE__);
  o.threads = 1;
  expect(triad_plan_create(&plan, MPI_COMM_WORLD, &o), TRIAD_PLAN_OK, "", __LINE__);
  expect(triad_plan_query(plan)->kmax[2] == 4, 1, "", __LINE__);
  MPI_Finalize();
  expect(triad_plan_forward(plan, 0, NULL, NULL), TRIAD_PLAN_BAD_CALL, "finalised", __LINE__);
  triad_plan_destroy(&plan);
  expect(plan == NULL, 1, "", __LINE__);
  return wrong;
}
"""


@pytest.mark.parametrize("name, compiler, standard", [("user.c", "MPICC", "c99"), ("user.cpp", "MPICXX", "c++11")])
def test_header_stands_alone_and_plans_have_a_life_around_mpi(place, mpirun, tmp_path, name, compiler, standard):
    _, env = place
    command = shlex.split(os.environ.get(compiler) or compiler.lower())
    if not shutil.which(command[0]):
        pytest.skip(f"{command[0]} is not there")
    (tmp_path / name).write_text(LIFE)

    def ask(what):
        return shlex.split(subprocess.run([os.environ.get("PKG_CONFIG", "pkg-config"), what, "triad"], env=env,
                                          capture_output=True, text=True, check=True).stdout)

    # MPI's own C++ classes, long withdrawn, do not compile without warnings
    built = subprocess.run([*command, f"-std={standard}", "-DOMPI_SKIP_MPICXX", "-DMPICH_SKIP_MPICXX", "-Wall",
                            "-Wextra", "-Wconversion", "-Werror", *ask("--cflags"), name, "-o", "user",
                            *ask("--libs")], cwd=tmp_path, env=env, capture_output=True, text=True, timeout=60)
    assert built.returncode == 0, built.stdout + built.stderr
    mpirun(2, tmp_path / "user", env=found(place), expect=0)


def test_library_shows_its_public_names_only(place):
    top, env = place
    if not shutil.which("nm"):
        pytest.skip("nm is not there")
    text = subprocess.run(["nm", "-D", "--defined-only", top / "lib/libtriad.so"], capture_output=True, text=True,
                          check=True).stdout
    shown = {line.split()[-1] for line in text.splitlines() if " T " in line or " D " in line or " B " in line}
    declared = {name for header, mark in (("triad.h", "TRIAD_API"), ("triad_drive.h", "TRIAD_DRIVE_API"))
                for name in re.findall(rf"\b{mark} [^;]*?\b(triad_\w+)\(", (top / "include" / header).read_text())}
    assert {"triad_plan_create", "triad_drive_create"} <= declared and declared == {name for name in shown if name.startswith("triad")}


def test_the_python_package_calls_what_the_header_declares(place):
    """By name and number of arguments: ctypes cannot see a wrong one."""
    text = re.sub(r"/\*.*?\*/", "", (place[0] / "include/triad_drive.h").read_text(), flags=re.S)
    declared = {name: 0 if arguments.strip() == "void" else arguments.count(",") + 1
                for name, arguments in re.findall(r"TRIAD_DRIVE_API [^;(]*?\btriad_drive_(\w+)\(([^;]*)\);", text)}
    table = (ROOT / "python/triad/library.py").read_text()
    body = re.search(r"^FUNCTIONS = \{\n(.*?)\}$", table, re.M | re.S).group(1)
    called = {name: len(types_of(body, name)) - 1 for name in re.findall(r'"(\w+)": \(', body)}
    assert len(called) > 25 and called == {name: n for name, n in declared.items() if name in called}


def types_of(body, name):
    """The entries of a row of the table: what it returns, then what it takes."""
    row = re.search(rf'"{name}": \(((?:[^()]|\([^()]*\))*)\)', body).group(1)
    return [part for part in re.sub(r"\([^()]*\)", "", row).split(",") if part.strip()]


def test_program_of_the_readme_runs_on_two_threads(place, mpirun, tmp_path):
    """As a reader types it: the block of C in fft/public/README.md, with as many threads as OMP_NUM_THREADS says."""
    (tmp_path / "program.c").write_text(re.search(r"```c\n(.*?)```", (ROOT / "fft/public/README.md").read_text(), re.S).group(1))
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "triad"], env=place[1], capture_output=True, text=True,
                           check=True, timeout=60).stdout
    subprocess.run([os.environ.get("MPICC", "mpicc"), "-O2", "-Wall", "-Werror", tmp_path / "program.c", "-o", tmp_path / "program",
                    *shlex.split(flags)], check=True, timeout=60)
    for ranks in (1, 2):
        done = mpirun(ranks, tmp_path / "program", threads=2, env=found(place), expect=0)
        assert done.stderr == "", done
