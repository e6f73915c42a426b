"""What tests of a run directory share: a run that goes on in it step by step, what stands in it, its sessions."""

import hashlib
import json

import pytest

from conftest import ROOT
from outputs import sets

CASE = ROOT / "runs/taylor-green-demo/case.toml"
SMALL = sets(grid__n=[12, 12, 12], time__dt=0.05, time__end=100, output__series_interval=0, output__spectra_interval=0,
             output__slices_interval=0)


@pytest.fixture
def run(mpirun, triad, rundir):
    """run(steps, ...): on to that step, in one directory."""
    def start(steps, *arguments, case=CASE, ranks=1, expect=0, folder=rundir):
        return mpirun(ranks, triad, "run", case, "--dir", folder, *SMALL, *arguments, *sets(time__max_steps=steps), expect=expect)
    return start


def contents(folder, *but):
    """The hash of each file in it, by name, but of files of some names."""
    return {str(p.relative_to(folder)): hashlib.sha1(p.read_bytes()).hexdigest() for p in sorted(folder.rglob("*"))
            if p.is_file() and p.name not in but}


def sessions(folder):
    """The list in provenance.json."""
    return json.loads((folder / "provenance.json").read_text())
