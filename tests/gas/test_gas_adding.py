"""docs/developers/adding-a-flux.md followed as a reader would, in a copy of solvers/gas: the new flux has its word, and is that of its paper."""
import shutil
import subprocess

import numpy as np
import pytest

from conftest import ROOT
from gas_fluxes import along_x, conserved, sound
from gas_library import compile_fluxes, fluxes_of, random_faces, size_of_flux, words
from pages import blocks
from gas_fluxes import through


def apply(block, to):
    first, _, rest = block.text.partition("\n")
    path = to / first.removeprefix("# ")
    before = "\n".join(line[1:] for line in rest.splitlines() if line[:1] != "+")
    after = "\n".join(line[1:] for line in rest.splitlines())
    text = path.read_text()
    assert text.count(before) == 1, f"{path.name} has these lines {text.count(before)} times:\n{before}"
    path.write_text(text.replace(before, after))


@pytest.fixture
def copy(tmp_path):
    shutil.copytree(ROOT / "solvers/gas", tmp_path / "solvers/gas")
    return tmp_path


@pytest.fixture
def steps():
    found = [block for block in blocks(ROOT / "docs/developers/adding-a-flux.md") if block.language == "diff"]
    assert len(found) == 2, "a flux takes two places"
    return found


def hll(l, r):
    """Harten, Lax and van Leer 1983, with Davis's waves."""
    first, last = np.minimum(l[1] - sound(l), r[1] - sound(r)), np.maximum(l[1] + sound(l), r[1] + sound(r))
    mean = (last * along_x(l) - first * along_x(r) + first * last * (conserved(r) - conserved(l))) / (last - first)
    return np.where(first >= 0, along_x(l), np.where(last <= 0, along_x(r), mean))


def test_a_flux_takes_a_row_and_a_function(copy, steps):
    for step in steps:
        apply(step, copy)
    library = compile_fluxes(copy, copy)
    kind = words(library).index("hll")
    l, r, s = random_faces(2000)
    assert (abs(fluxes_of(library, kind, l, r, s) - through(hll, l, r, s)) / size_of_flux(l, r, s)).max() < 1e-13


def test_a_row_without_its_function_does_not_compile(copy, steps):
    apply(steps[0], copy)
    with pytest.raises(subprocess.CalledProcessError) as refused:
        compile_fluxes(copy, copy)
    assert "triad_gas_hll" in refused.value.stderr
