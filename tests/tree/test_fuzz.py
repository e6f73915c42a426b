"""The programs of `make fuzz` on their corpus, by the compiler of the build: they link with what is of double precision alone, and none of their
inputs, what once failed among them, fails."""

import os
import re
import shlex
import subprocess

import pytest

from conftest import BUILD, ROOT

# libFuzzer's part: the program's initialization if it has one, then each file that is named, once
DRIVER = """#include "fuzz.h"
__attribute__((weak)) int LLVMFuzzerInitialize(int *argc, char ***argv);
int main(int argc, char **argv)
{
  if (LLVMFuzzerInitialize) MUST(LLVMFuzzerInitialize(&argc, &argv) == 0);
  static unsigned char data[1 << 20];
  for (int i = 1; i < argc; i++) {
    FILE *f = fopen(argv[i], "rb");
    MUST(f);
    size_t n = fread(data, 1, sizeof data, f);
    (void)fclose(f);
    LLVMFuzzerTestOneInput(data, n);
  }
  return 0;
}
"""
NAMES = sorted(path.stem.removeprefix("fuzz_") for path in ROOT.glob("tests/fuzz/fuzz_*.c"))


@pytest.fixture(scope="module")
def told():
    """Variables of the Makefile, as this build has them."""
    names = ("objects", "MPICC", "CFLAGS", "LIBS", "CGNS_LIBS", "ZFP_LIBS", "GRAPH_LIBS", "FORMAT_LIBS", "MICROHTTPD_LIBS")
    show = "".join(f"\t@echo '$({name})'\n" for name in names)
    said = subprocess.run(["make", "-s", "-C", ROOT, "-f", "-", "told", *(["SANITIZE=1"] if "sanitize" in str(BUILD) else [])],
                          input=f"include Makefile\ntold:\n{show}", capture_output=True, text=True, check=True).stdout
    return {name: shlex.split(line) for name, line in zip(names, said.splitlines(), strict=True)}


@pytest.fixture(scope="module")
def library(told, tmp_path_factory):
    """Objects of double precision, without the program's own."""
    archive = tmp_path_factory.mktemp("fuzz") / "libdouble.a"
    objects = [ROOT / name for name in told["objects"] if f"{BUILD.name}/single/" not in name]
    assert len(objects) > 300
    subprocess.run(["ar", "rcs", archive, *objects], check=True)
    return archive


def test_make_fuzz_runs_all_of_them():
    listed = re.search(r"^fuzz_names *:= (.*)$", (ROOT / "Makefile").read_text(), re.M).group(1).split()
    assert sorted(listed) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_no_input_of_the_corpus_fails(told, library, tmp_path, name):
    (tmp_path / "driver.c").write_text(DRIVER)
    program = tmp_path / f"fuzz_{name}"
    sources = [ROOT / f"tests/fuzz/fuzz_{name}.c", tmp_path / "driver.c"]
    libraries = [word for variable, words in told.items() if variable.endswith("LIBS") for word in words]
    command = [*told["MPICC"], *told["CFLAGS"], "-O0", "-MF", tmp_path / "made.d", "-I", ROOT / "tests/fuzz", *sources, library, *libraries]
    made = subprocess.run([*command, "-o", program], cwd=ROOT, capture_output=True, text=True)
    assert made.returncode == 0, made.stderr[-3000:]
    inputs = sorted((ROOT / f"tests/fuzz/corpus/{name}").iterdir())
    if name == "mesh":  # FUZZ=mesh-su2: one reader of many
        for one, code in (("su2", 0), ("sun", 64)):
            only = subprocess.run([program, *inputs], capture_output=True, timeout=60, env={**os.environ, "TRIAD_FUZZ_FORMAT": one})
            assert only.returncode == code, (one, only.stderr[-3000:])
    done = subprocess.run([program, *inputs], capture_output=True, text=True, errors="replace", timeout=60)
    assert inputs and done.returncode == 0, done.stderr[-3000:]
