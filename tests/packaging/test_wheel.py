"""The wheel and `pip install ./python`: what they contain, which MPI they find, and the first flow out of one."""

import os
import re
import subprocess
import sys
import zipfile

import pytest

from conftest import BUILD, ROOT

SOURCES = ("src", "fft", "transpose", "solvers")


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A folder with what pip would install of python/: built by the functions that pip calls."""
    if "sanitize" in str(BUILD):
        pytest.skip("a sanitized tree has no shared library")
    place = tmp_path_factory.mktemp("wheel")
    env = {key: value for key, value in os.environ.items() if key not in ("MAKEFLAGS", "MFLAGS")}
    code = f"import backend; print(backend.get_requires_for_build_wheel()); print(backend.build_wheel({str(place)!r}))"
    made = subprocess.run([sys.executable, "-c", code], cwd=ROOT / "python", env={**env, "PYTHONDONTWRITEBYTECODE": "1"}, capture_output=True,
                          text=True, timeout=110)
    assert made.returncode == 0, made.stderr
    name = made.stdout.split()[-1]
    with zipfile.ZipFile(place / name) as wheel:
        wheel.extractall(place / "site")
    return place / "site"


def run(code, site, **env):
    return subprocess.run([sys.executable, "-c", code], cwd=site.parent, capture_output=True, text=True, timeout=100,
                          env={**os.environ, "PYTHONPATH": str(site), "PYTHONDONTWRITEBYTECODE": "1", "OMP_NUM_THREADS": "1",
                               "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", **env})


def test_the_first_flow_of_an_installed_wheel_has_its_known_numbers(installed):
    """The peak of runs/taylor-green-re100/README.md for 24^3 points: 0.0123808, where 96^3 have 0.0129754."""
    done = run("import triad; print(triad.demo(points=24))", installed)
    assert done.returncode == 0, done.stderr
    assert float(done.stdout.split()[-1]) == pytest.approx(0.0123808 / 0.0129754 - 1, abs=2e-4)
    assert "known: 0.0129754" in done.stdout and "triad.open(" in done.stdout


def test_a_wheel_has_the_programs(installed):
    (points,) = installed.glob("*.dist-info/entry_points.txt")
    programs = dict(line.split(" = ") for line in points.read_text().splitlines()[1:])
    assert programs == {"triad": "triad.__main__:main", "triad-plot": "triad.__main__:plot"}
    for name, words in (("triad", "--version"), ("triad-plot", "--help")):
        module, function = programs[name].split(":")
        done = run(f"import sys; sys.argv = [{name!r}, {words!r}]; from {module} import {function}; {function}()", installed)
        assert done.returncode == 0 and "triad" in done.stdout, done.stderr


def test_which_mpi_and_which_processors(installed):
    """In a wheel for other machines: with the folder serial, which has MPI for one process."""
    serial = installed / "triad/serial"
    serial.mkdir()
    (serial / "libmpi.so.12").write_text("no library")
    try:
        done = run("import triad", installed, TRIAD_MPI="/nowhere/libmpi.so")
        assert "ImportError: TRIAD_MPI: /nowhere/libmpi.so is no MPI library" in done.stderr
        (serial / "processor").write_text("sse2 avx9000\n")
        done = run("import triad", installed)
        if os.uname().machine == "x86_64":
            assert "ImportError: this wheel is for processors with avx9000" in done.stderr
    finally:
        for path in serial.iterdir():
            path.unlink()
        serial.rmdir()


def test_mpi_for_one_process_has_every_function_that_triad_calls():
    """MPICH's names are macros or functions of its header; what is inline there needs no function here."""
    called = set()
    for folder in SOURCES:
        for path in (ROOT / folder).rglob("*.[ch]"):
            called |= set(re.findall(r"\b(MPI_[A-Z][a-z]\w*)\(", re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S)))
    defined = set(re.findall(r"^int (MPI_\w+)\(", (ROOT / "packaging/wheel/serial_mpi.c").read_text(), re.M))
    assert called - defined <= {"MPI_Comm_c2f", "MPI_Comm_f2c"} and len(called) > 40


def test_mpi_for_one_process_carries_messages_to_itself(tmp_path):
    """In both orders, by tag, without a match, and reductions in place."""
    show = subprocess.run("mpicc.mpich -show", shell=True, capture_output=True, text=True).stdout
    include = [word for word in show.split() if word.startswith("-I")]
    if not include:
        pytest.skip("no MPICH, whose mpi.h it is compiled against: apt install libmpich-dev")
    (tmp_path / "user.c").write_text("""
        #include <mpi.h>
        int main(void) {
          int out[2] = {3, 4}, in[2] = {0, 0}, flag = 1, count, sum = 7;
          MPI_Request r[2]; MPI_Status s; MPI_Datatype pair; MPI_Init(0, 0);
          MPI_Iprobe(0, 5, MPI_COMM_WORLD, &flag, &s); if (flag) return 1;
          MPI_Isend(&out[0], 1, MPI_INT, 0, 5, MPI_COMM_WORLD, &r[0]); MPI_Isend(&out[1], 1, MPI_INT, 0, 6, MPI_COMM_WORLD, &r[1]);
          MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &s); if (!flag || s.MPI_TAG != 5) return 2;
          MPI_Recv(&in[1], 1, MPI_INT, 0, 6, MPI_COMM_WORLD, &s); MPI_Get_count(&s, MPI_INT, &count); if (in[1] != 4 || count != 1) return 3;
          MPI_Test(&r[0], &flag, &s); if (flag) return 4;
          MPI_Recv(&in[0], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &s); if (in[0] != 3 || s.MPI_TAG != 5) return 5;
          MPI_Waitall(2, r, MPI_STATUSES_IGNORE); if (r[0] != MPI_REQUEST_NULL) return 6;
          MPI_Irecv(in, 2, MPI_INT, 0, 1, MPI_COMM_SELF, &r[0]); MPI_Type_contiguous(2, MPI_INT, &pair); MPI_Type_commit(&pair);
          MPI_Send(out, 1, pair, 0, 1, MPI_COMM_SELF); MPI_Wait(&r[0], &s); MPI_Type_free(&pair); if (in[1] != 4) return 7;
          MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); if (sum != 7) return 8;
          MPI_Comm none; MPI_Comm_split(MPI_COMM_WORLD, MPI_UNDEFINED, 0, &none); if (none != MPI_COMM_NULL) return 9;
          return MPI_Finalize(); }""")
    subprocess.run(["gcc", "-Wall", *include, "-o", tmp_path / "user", tmp_path / "user.c", ROOT / "packaging/wheel/serial_mpi.c"], check=True,
                   capture_output=True, text=True)
    assert subprocess.run([tmp_path / "user"], timeout=20).returncode == 0
    alone = subprocess.run([tmp_path / "user"], timeout=20, env={**os.environ, "PMI_SIZE": "2"}, capture_output=True, text=True)
    assert alone.returncode == 69 and "one of 2, but no MPI library was found" in alone.stderr
