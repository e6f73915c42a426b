"""A kind of output is a row of src/run/output_kinds.h: without the functions that it stands for, nothing compiles."""

import os
import shlex
import subprocess

import pytest

from conftest import ROOT

LAST = '  X(CHECKPOINT, checkpoint, "output.checkpoint_interval"'


def compile_with(tmp_path, source, row):
    """The compiler's messages about a source, with one more row in the table."""
    text = (ROOT / "src/run/output_kinds.h").read_text()
    assert LAST in text
    (tmp_path / "run").mkdir(exist_ok=True)
    (tmp_path / "run/output_kinds.h").write_text(text.replace(LAST, row + LAST))
    done = subprocess.run([*shlex.split(os.environ.get("MPICC", "mpicc")), "-std=c17", "-D_GNU_SOURCE", "-fsyntax-only", "-iquote", tmp_path,
                           "-iquote", ROOT, "-iquote", ROOT / "src", ROOT / source], capture_output=True, text=True, timeout=60)
    return done.returncode, done.stderr


@pytest.mark.quick
@pytest.mark.parametrize("source, function", [("src/run/outputs.c", "echoes_write"), ("src/command/info/info_run.c", "show_echoes")])
def test_a_kind_without_its_functions_does_not_compile(tmp_path, source, function):
    assert compile_with(tmp_path, source, "")[0] == 0
    code, said = compile_with(tmp_path, source, '  X(ECHOES, echoes, NULL, "echoes", 1, TRIAD_OUTPUT_AT_ONCE, "writing echoes") \\\n')
    assert code != 0 and function in said
