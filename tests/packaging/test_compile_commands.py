"""make compile_commands.json: the command of every source, of which one is tried; nothing is built for it."""

import json
import shlex
import subprocess

import pytest

from conftest import ROOT
from test_install import make


@pytest.fixture(scope="module")
def entries(tmp_path_factory):
    """By source. Made for a build folder that does not exist, where nothing may appear."""
    folder, file = tmp_path_factory.mktemp("commands") / "none", ROOT / "compile_commands.json"
    before = file.read_text() if file.exists() else None
    make("compile_commands.json", f"BUILD={folder}")
    text = file.read_text()
    file.unlink() if before is None else file.write_text(before)
    assert not folder.exists(), "nothing is built"
    return json.loads(text)


def test_every_source_has_one_command(entries):
    sources = sorted(str(p.relative_to(ROOT)) for top in ("src", "fft", "transpose", "solvers", "cuda", "tests")
                     for kind in ("c", "cpp", "cu") for p in (ROOT / top).rglob(f"*.{kind}"))
    assert sorted(e["file"] for e in entries) == sources
    assert all(e["directory"] == str(ROOT) for e in entries)


@pytest.mark.parametrize("source", ["src/parallel/sum.c", "solvers/schemes.c", "tests/unit/grid/test_zones.c"])
def test_the_command_compiles(entries, source):
    """As clangd calls it: the compiler alone, to look at the syntax."""
    command, = [e["command"] for e in entries if e["file"] == source]
    words = shlex.split(command)
    words = [w for i, w in enumerate(words) if w not in ("-c", "-MMD", "-MP", "-o") and words[i - 1] != "-o"]
    done = subprocess.run(["cc", *words[1:], "-fsyntax-only"], cwd=ROOT, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr
