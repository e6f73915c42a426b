"""The Makefile: what is compiled twice, in double and in single, lives in one program under names of its own; what is built without
CUDA asks for none of it."""

import os
import shlex
import shutil
import subprocess

import pytest

from conftest import BUILD, ROOT

CC = shlex.split(os.environ.get("CC", "gcc"))


def outside_names(path):
    told = subprocess.run(["nm", "-g", "--defined-only", path], capture_output=True, text=True, check=True).stdout
    return {line.split()[-1] for line in told.splitlines()}


@pytest.mark.parametrize("flags", [[], ["-fsanitize=address"]], ids=["plain", "sanitized"])
def test_no_outside_name_is_that_of_the_other_precision(tmp_path, flags):
    """The address sanitizer gives each table a second outside name: with that unchanged the two do not link."""
    double, single = tmp_path / "double.o", tmp_path / "single.o"
    (tmp_path / "both.c").write_text("int triad_table[2] = {1, 2};\nint triad_entry(int i) { return triad_table[i]; }\n")
    if subprocess.run([*CC, *flags, "-c", tmp_path / "both.c", "-o", double], capture_output=True).returncode != 0:
        pytest.skip(f"{CC[0]} does not know {' '.join(flags)}")
    subprocess.run(["make", "-s", "-C", ROOT, f"BUILD={tmp_path}", f"in_double={double}", "SANITIZE=", tmp_path / "single.names"],
                   check=True, capture_output=True, text=True)
    subprocess.run(["objcopy", f"--redefine-syms={tmp_path}/single.names", double, single], check=True)
    assert {"triad_table", "triad_entry"} <= outside_names(double)
    assert {"triadf_table", "triadf_entry"} <= outside_names(single)
    assert not outside_names(double) & outside_names(single)
    main = tmp_path / "main.c"
    main.write_text("int triad_entry(int), triadf_entry(int);\nint main(void) { return triad_entry(0) + triadf_entry(1) - 3; }\n")
    subprocess.run([*CC, *flags, main, double, single, "-o", tmp_path / "both"], check=True)
    assert subprocess.run([tmp_path / "both"]).returncode == 0


def test_a_make_beside_another_does_not_take_its_files(tmp_path):
    """As tests of two files start them. Here the other one runs from start to end between what this one writes and compares."""
    command = ["make", "-s", "-C", str(ROOT), f"BUILD={tmp_path}", "SANITIZE=", f"{tmp_path}/objects"]
    subprocess.run(command, check=True, capture_output=True)
    before = (tmp_path / "objects").stat().st_mtime_ns
    shims = tmp_path / "shims"
    shims.mkdir()
    (shims / "cmp").write_text(f"#!/bin/sh\nif mkdir {shims}/met 2>/dev/null; then {shlex.join(command)} || exit 2; fi\n"
                               f"exec {shutil.which('cmp')} \"$@\"\n")
    (shims / "cmp").chmod(0o755)
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PATH": f"{shims}:{os.environ['PATH']}"})
    assert done.returncode == 0 and (shims / "met").exists(), done
    assert (tmp_path / "objects").stat().st_mtime_ns == before and not list(tmp_path.glob("objects.*")), "it says what it said"


def test_a_build_without_cuda_has_its_declarations_from_the_fake_ones():
    """Also where another cuda_runtime.h lies among the headers of the system, on account of which nobody would notice."""
    if "-DTRIAD_CUDA" in (BUILD / "flags").read_text():
        pytest.skip("a build with CUDA")
    asking = 0
    for rules in (path for part in ("once", "double", "raw", "tests") for path in (BUILD / part).rglob("*.d")):
        words = rules.read_text().replace("\\\n", " ").split()
        if "src/parallel/cuda.h" in words and (ROOT / words[1]).exists():  # not of a source that is no more
            assert "tests/help/fake/cuda_runtime.h" in words, f"{words[1]} includes CUDA's own"
            asking += 1
    assert asking > 0, "make unit"


def test_clang_compiles_without_a_warning_what_it_stumbled_over():
    """glibc has CMPLX for gcc only; enumerations that become numbers; pragmas for gcc. tools/matrix compiles all."""
    if not shutil.which("clang") or "-DTRIAD_CUDA" in (BUILD / "flags").read_text():
        pytest.skip("no clang, or a build with CUDA")
    env = {**os.environ, "OMPI_CC": "clang", "MPICH_CC": "clang", "I_MPI_CC": "clang"}
    env.pop("MAKEFLAGS", None)
    config = subprocess.run(["make", "-s", "-C", ROOT, "print-config"], env=env, capture_output=True, text=True, check=True).stdout
    flags = shlex.split(next(line for line in config.splitlines() if line.startswith("CFLAGS")))[1:]
    flags = [flag for flag in flags if flag not in ("-MMD", "-MP") and "sanitize" not in flag]
    for source in ("solvers/spectral/plain/exponential.c", "solvers/unstructured/host/host_faces.c", "solvers/staggered/host/momentum.c"):
        said = subprocess.run([*shlex.split(os.environ.get("MPICC", "mpicc")), *flags, "-Werror", "-fsyntax-only", source], cwd=ROOT, env=env,
                              capture_output=True, text=True, timeout=60)
        assert said.returncode == 0 and "warning" not in said.stderr, said.stderr
