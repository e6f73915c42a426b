"""The wheel and `pip install ./python`: what they contain, which MPI they find, and the first flow out of one."""

import os
import re
import shutil
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


@pytest.fixture(scope="module")
def mpich():
    """Options of the compiler for MPICH's mpi.h."""
    show = subprocess.run("mpicc.mpich -show", shell=True, capture_output=True, text=True).stdout
    include = [word for word in show.split() if word.startswith("-I")]
    if not include:
        pytest.skip("no MPICH, whose mpi.h it is compiled against: apt install libmpich-dev")
    return include


def test_a_wheel_without_mpi_uses_that_for_one_process(installed, mpich, tmp_path):
    """With a library that is linked with libmpi.so.12, as in a wheel for other machines, but has no functions of Triad."""
    serial = installed / "triad/serial"
    serial.mkdir()
    names = set(re.findall(r"\btriad_drive_(\w+)\(", (ROOT / "src/drive/triad_drive.h").read_text()))
    (tmp_path / "stub.c").write_text("\n".join(f'const char *triad_drive_{name}(void) {{ return "0"; }}' for name in sorted(names)))
    try:
        for words in (["-Wl,-soname,libmpi.so.12", "-o", serial / "libmpi.so.12", *mpich, ROOT / "packaging/wheel/serial_mpi.c"],
                      ["-Wl,--no-as-needed", "-o", tmp_path / "libtriad.so", tmp_path / "stub.c", serial / "libmpi.so.12"]):
            subprocess.run(["gcc", "-shared", "-fPIC", *words], check=True, capture_output=True, text=True)
        system = subprocess.run("ldconfig -p || /sbin/ldconfig -p", shell=True, capture_output=True, text=True).stdout
        named = {"TRIAD_MPI": str(serial / "libmpi.so.12")} if "libmpi.so.12" in system else {}
        done = run("from triad import library; print(library.mpi_version())", installed, TRIAD_LIBRARY=str(tmp_path / "libtriad.so"),
                   LD_LIBRARY_PATH="", **named)
        assert done.stdout.startswith("one process"), done.stdout + done.stderr
    finally:
        shutil.rmtree(serial)


def test_mpi_for_one_process_has_every_function_that_triad_calls():
    """MPICH's names are macros or functions of its header; what is inline there needs no function here."""
    called = set()
    for folder in SOURCES:
        for path in (ROOT / folder).rglob("*.[ch]"):
            called |= set(re.findall(r"\b(MPI_[A-Z][a-z]\w*)\(", re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S)))
    defined = set(re.findall(r"^int (MPI_\w+)\(", (ROOT / "packaging/wheel/serial_mpi.c").read_text(), re.M))
    assert called - defined <= {"MPI_Comm_c2f", "MPI_Comm_f2c"} and len(called) > 40


def test_mpi_for_one_process_carries_messages_to_itself(mpich, tmp_path):
    """In both orders, by tag, without a match, reductions in place, and offsets; a launcher of several processes is refused."""
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
          int a = 5, b = 0, which = 7, from[3] = {1, 2, 3}, to[3] = {0, 0, 0}, one = 1, second = 1, third = 2;
          struct { double value; int place; } mine = {2.5, 7}, best = {0, 0};
          MPI_Sendrecv(&a, 1, MPI_INT, 0, 3, &b, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, &s); if (b != 5 || s.MPI_TAG != 3) return 10;
          MPI_Irecv(&in[0], 1, MPI_INT, 0, 8, MPI_COMM_WORLD, &r[0]); MPI_Irecv(&in[1], 1, MPI_INT, 0, 9, MPI_COMM_WORLD, &r[1]);
          MPI_Send(&from[2], 1, MPI_INT, 0, 9, MPI_COMM_WORLD); MPI_Waitany(2, r, &which, &s); if (which != 1 || in[1] != 3 || s.MPI_TAG != 9) return 11;
          MPI_Testall(2, r, &flag, MPI_STATUSES_IGNORE); if (flag) return 12;
          MPI_Send(&from[1], 1, MPI_INT, 0, 8, MPI_COMM_WORLD); MPI_Testall(2, r, &flag, MPI_STATUSES_IGNORE); if (!flag || in[0] != 2) return 13;
          MPI_Alltoallv(from, &one, &second, MPI_INT, to, &one, &third, MPI_INT, MPI_COMM_WORLD); if (to[2] != 2 || to[0] || to[1]) return 14;
          MPI_Scatterv(from, &one, &third, MPI_INT, &b, 1, MPI_INT, 0, MPI_COMM_WORLD); if (b != 3) return 15;
          MPI_Allgatherv(&a, 1, MPI_INT, to, &one, &second, MPI_INT, MPI_COMM_WORLD); if (to[1] != 5 || to[0]) return 16;
          MPI_Allreduce(&mine, &best, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD); if (best.value != 2.5 || best.place != 7) return 17;
          for (int i = 0; i < 10000; i++) { MPI_Isend(&i, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, &r[0]);
            MPI_Recv(&b, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, &s); MPI_Wait(&r[0], &s); if (b != i) return 18; }
          return MPI_Finalize(); }""")
    subprocess.run(["gcc", "-Wall", *mpich, "-o", tmp_path / "user", tmp_path / "user.c", ROOT / "packaging/wheel/serial_mpi.c"], check=True,
                   capture_output=True, text=True)
    launchers = {"OMPI_COMM_WORLD_SIZE": 1, "PMI_SIZE": 1, "PMIX_SIZE": 1, "MPI_LOCALNRANKS": 1, "SLURM_STEP_NUM_TASKS": 1, "OMPI_COMM_WORLD_RANK": 0,
                 "PMIX_RANK": 0, "PMI_RANK": 0, "SLURM_PROCID": 0}
    alone = {**{key: value for key, value in os.environ.items() if key not in launchers}, **{name: str(value) for name, value in launchers.items()}}
    assert subprocess.run([tmp_path / "user"], timeout=20, env=alone).returncode == 0
    for name, value in launchers.items():
        some = subprocess.run([tmp_path / "user"], timeout=20, env={**alone, name: str(value + 1)}, capture_output=True, text=True)
        assert some.returncode == 69 and f"one of several ({name}={value + 1}), but no MPI library was found" in some.stderr, name
        assert all(way in some.stderr for way in ("pip install mpich", "srun -n 1", f"unset {name} ")), "what to do in a job of Slurm"
    both = subprocess.run([tmp_path / "user"], timeout=20, env={**alone, "PMI_SIZE": "4", "SLURM_STEP_NUM_TASKS": "4"}, capture_output=True, text=True)
    assert "(PMI_SIZE=4, SLURM_STEP_NUM_TASKS=4)" in both.stderr and "unset PMI_SIZE SLURM_STEP_NUM_TASKS in each" in both.stderr
