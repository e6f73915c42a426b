"""The harness of the unit tests itself: a test that goes wrong in any way is never counted as passed."""

import os
import subprocess

import pytest

import conftest
import unit_programs
from conftest import BUILD, ROOT

# Each of these goes wrong, or not, in one way; `rank` is the rank it happens on.
BODIES = {
    "passes": "TRIAD_NEAR(1.0 + 1e-16, 1.0, 1e-15, \"one\");",
    "fails_on_one_rank": "if (rank == 1) TRIAD_NEAR(1.5, 2.0, 0.125, \"half of three\");",
    "nan_is_not_near": "TRIAD_NEAR(NAN, 1.0, INFINITY, \"nan\");",
    "status_is_checked": "TRIAD_CHECK(TRIAD_FAIL(TRIAD_ERR_IO, \"the disk said no\"));",
    "cmocka_asserts_count": "if (rank == 1) assert_int_equal(1, 2);",
    "skips": "TRIAD_SKIP(\"needs %d moons\", 2);",
    "skips_on_one_rank": "if (rank == 1) TRIAD_SKIP(\"alone\");",
    "passes_again": "TRIAD_EQUAL(rank, triad_test_comm()->rank, \"rank\");",
}
DIES = "if (rank == 1) { (void)fflush(NULL); _Exit(0); } (void)MPI_Barrier(triad_test_comm()->mpi);"
LEAVES = "if (rank == 1) assert_true(0);\n  (void)MPI_Barrier(triad_test_comm()->mpi);"


def program(bodies):
    tests = "".join(f"TRIAD_TEST({name})\n{{\n  int rank = triad_test_comm()->rank;\n  (void)rank;\n  {body}\n}}\n"
                    for name, body in bodies.items())
    return f'/* Made by tests/tree/test_harness.py.   ranks: 2 */\n#include "test.h"\n{tests}TRIAD_MAIN\n'


@pytest.fixture
def inner(tmp_path):
    """Build a program of such tests and run tests/help/unit_programs.py over it, in a tree of its own."""
    def run(bodies, text=None):
        unit = tmp_path / "tests/unit/room"
        unit.mkdir(parents=True)
        (unit / "test_sample.c").write_text(text or program(bodies))
        for name in ("conftest.py", "help/unit_programs.py", "help/leaks.supp"):
            (tmp_path / "tests" / name).parent.mkdir(exist_ok=True)
            (tmp_path / "tests" / name).write_text((ROOT / "tests" / name).read_text())
        build = tmp_path / "build/tests"
        build.mkdir(parents=True)
        flags = ["-std=gnu17", "-D_GNU_SOURCE", "-fopenmp", f"-I{ROOT}/src", f"-I{ROOT}", f"-I{ROOT}/tests/help/unit"]
        if "sanitize" in str(BUILD):
            flags += ["-fsanitize=address,undefined"]
        compiled = subprocess.run([*os.environ.get("MPICC", "mpicc").split(), *flags, "-Wall", "-Wextra", "-Wshadow",
                                   "-Wconversion", "-Werror", "-o", build / "test_sample", unit / "test_sample.c",
                                   ROOT / BUILD / "libtriad.a", "-lcmocka", "-lm"], capture_output=True, text=True)
        assert compiled.returncode == 0, compiled.stderr
        env = dict(os.environ, TRIAD_BUILD="build", TRIAD_TEST_PATIENCE="2")
        done = subprocess.run([os.sys.executable, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", "--rootdir",
                               tmp_path, tmp_path / "tests"], cwd=tmp_path, env=env, capture_output=True, text=True)
        return done.returncode, done.stdout
    return run


def test_each_way_to_go_wrong_is_counted(inner):
    code, out = inner(BODIES)
    assert code != 0
    assert out.rstrip().endswith("2 passed, 5 failed, 1 skipped"), out
    assert "rank 1 of 2: half of three: 1.5, expected 2, relative difference 0.25, tolerance 0.125" in out
    assert "the disk said no" in out
    assert "needs 2 moons" in out


def test_a_test_that_one_rank_leaves_alone_ends(inner):
    code, out = inner({"passes": BODIES["passes"], "leaves": LEAVES, "never_run": ""})
    assert code != 0 and out.rstrip().endswith("1 passed, 2 failed"), out


def test_a_rank_that_vanishes_fails_the_test(inner):
    code, out = inner({"passes": BODIES["passes"], "dies": DIES})
    assert code != 0 and out.rstrip().endswith("1 passed, 1 failed"), out


def test_a_file_without_tests_fails(inner):
    code, out = inner({}, '/* Nothing.  ranks: 1 */\n#include "test.h"\nTRIAD_MAIN\n')
    assert code != 0 and out.rstrip().endswith("0 passed, 1 failed"), out


def test_a_run_of_skipped_tests_only_fails(inner):
    code, out = inner({"skips": BODIES["skips"]})
    assert code != 0 and out.rstrip().endswith("0 passed, 0 failed, 1 skipped"), out


@pytest.mark.parametrize("ranks, threads, quick, count", [("1 2 3", "1 2", "2", 6), ("1 2 4 6", "1 3", "1 2", 9), ("1 3", "1", "1", 4), ("2", "1 2", "2", 4)])
def test_each_pair_of_ranks_threads_and_precision_is_launched(tmp_path, ranks, threads, quick, count):
    """In half of the combinations, where there are several of each; the launches of the quick check are among them."""
    source = tmp_path / "test_sample.c"
    source.write_text(f"/* Nothing.  ranks: {ranks}   threads: {threads}   precision: both   quick: {quick} */\nTRIAD_TEST(one)\n")
    launched = list(unit_programs.tests_of(source))
    of = [(launch.program, launch.ranks, launch.threads) for launch, _, _ in launched]
    assert len(of) == len(set(of)) == count
    values = (("test_sample", "test_sample-single"), tuple(map(int, ranks.split())), tuple(map(int, threads.split())))
    for a, b in ((0, 1), (0, 2), (1, 2)):
        assert {(launch[a], launch[b]) for launch in of} == {(x, y) for x in values[a] for y in values[b]}
    assert [launch.ranks for launch, _, is_quick in launched if is_quick] == [int(n) for n in quick.split()]


def test_mpirun_is_bounded_in_time_and_leaves_nothing_behind(mpirun, tmp_path):
    result = mpirun(2, "sh", "-c", f"echo $$ >> {tmp_path}/pids; sleep 300", timeout=10)
    assert result.code is None and result.seconds < 60
    pids = (tmp_path / "pids").read_text().split()
    assert len(pids) == 2
    assert not any(conftest.session_of(pid) for pid in pids)


def test_exit_code_and_output_come_back(mpirun):
    result = mpirun(1, "sh", "-c", "echo said; echo threads $OMP_NUM_THREADS >&2; exit 65", threads=3)
    assert (result.code, result.stdout) == (65, "said\n") and "threads 3" in result.stderr
    with pytest.raises(pytest.fail.Exception, match="expected exit code 0"):
        mpirun(1, "false", expect=0)
    assert conftest.session_of(os.getpid()) == os.getsid(0)


if "sanitize" in str(BUILD):  # without sanitizers nobody would notice
    def test_a_leak_fails_the_program(inner):
        code, out = inner({"leaks": "volatile char *p = malloc(100); p = NULL; (void)p;"})
        assert code != 0 and out.rstrip().endswith("0 passed, 1 failed") and "detected memory leaks" in out, out
