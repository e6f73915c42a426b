"""A small run under valgrind: no read or jump that depends on memory nobody has written, none outside of what was taken."""

import shutil
import subprocess
from pathlib import Path

import pytest

from conftest import ROOT
from outputs import sets
from test_restart import CASE

SUPPRESSIONS = [Path(p) for p in ("/usr/share/openmpi/openmpi-valgrind.supp", "/usr/local/share/openmpi/openmpi-valgrind.supp")]


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    """The program for processors that valgrind knows: it does not have the widest instructions of today's. Unoptimised code takes a
    quarter of the time to compile, and more than that is not gained in so small a run."""
    build = ROOT / "build/valgrind"
    done = subprocess.run(["make", "-j2", f"BUILD={build.relative_to(ROOT)}", f"BIN={build.relative_to(ROOT)}/bin",
                           "SANITIZE=", "WERROR=", "OPT=-O0 -g1 -march=x86-64", f"{build.relative_to(ROOT)}/bin/triad"], cwd=ROOT,
                          capture_output=True, text=True, timeout=1200)
    assert done.returncode == 0, done.stdout + done.stderr
    return build / "bin/triad"


@pytest.mark.limit(1800)  # of which most is a build of the whole program
def test_valgrind_finds_nothing(mpirun, request, tmp_path):
    if not shutil.which("valgrind"):
        pytest.skip("valgrind is not installed (package valgrind)")
    known = [p for p in SUPPRESSIONS if p.is_file()]
    if not known:
        pytest.skip("Open MPI's file of suppressions for valgrind is not here")
    if subprocess.run(["uname", "-m"], capture_output=True, text=True).stdout.strip() != "x86_64":
        pytest.skip("the flags of this test are those of x86-64")
    triad = request.getfixturevalue("plain")
    case = sets(grid__n=[8, 8, 9], time__dt=0.001, time__max_steps=3, output__fields_interval=0.001,
                output__checkpoint_interval=0.002, output__spectra_interval=0.001)
    options = [f"--suppressions={p}" for p in (*known, ROOT / "tests/help/valgrind.supp")]
    for more in ((), sets(time__max_steps=4)):  # a run, and one that resumes
        result = mpirun(2, "valgrind", "-q", "--error-exitcode=99", "--leak-check=no", "--child-silent-after-fork=yes",
                        *options, triad, "run", CASE, "--dir", tmp_path / "run", "-q", *case, *more, threads=2,
                        timeout=400, expect=0)
        assert "==" not in result.stderr, result
