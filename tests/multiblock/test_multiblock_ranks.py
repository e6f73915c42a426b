"""Blocks over ranks, cut and dealt anyhow: the same flow."""

import numpy as np
import pytest

from conftest import ROOT
from multiblock import FLOWS, differs, run, state  # noqa: F401
from outputs import sets


@pytest.mark.parametrize("flow", FLOWS)
def test_the_answer_does_not_depend_on_the_ranks(run, flow):
    """Cut in pieces, dealt to 2, 3 and 4 ranks: 1e-12 after 20 steps."""
    about = dict(FLOWS[flow], patches='"*: exact"', time="steady = true\nmax_steps = 20\ncfl = 0.5\nresidual = 0")
    one = state(run(**about))
    for ranks, pieces in ((1, 5), (2, 0), (3, 0), (4, 3)):
        assert differs(one, state(run(**about, ranks=ranks, parallel__pieces=pieces))) < 1e-12


@pytest.mark.parametrize("name, n, ranks, pieces", [("inlet", [52, 16, 1], 2, 0), ("inlet", [52, 16, 1], 3, 5),
                                                    ("naca0012-euler", [32, 24, 1], 2, 0), ("naca0012-euler", [32, 24, 1], 3, 16),
                                                    ("onera-m6", [32, 8, 8], 3, 0), ("onera-m6", [32, 8, 8], 2, 9)])
def test_ready_cases_do_not_depend_on_the_ranks(mpirun, triad, tmp_path, name, n, ranks, pieces):
    """Bodies, blocks joined to themselves, far fields, first order and slopes, implicit steps and explicit ones: from the first step on
    1e-12 of the largest number; components of the momentum together, for there is none across a plane."""
    found = []
    for i, (count, cut) in enumerate(((1, 0), (ranks, pieces))):
        mpirun(count, triad, "run", "-q", ROOT / f"runs/{name}/case.toml", "--dir", tmp_path / f"run-{i}", timeout=100,
               *sets(grid__n=n, time__max_steps=30, parallel__pieces=cut, output__report=False))
        found.append(state(tmp_path / f"run-{i}"))
    one, other = found
    for group in ([0], [1, 2, 3], [4]):
        assert np.abs(one[group] - other[group]).max() < 1e-12 * np.abs(one[group]).max()


def test_four_ranks_in_a_ring(run):
    """Four blocks around an annulus whose ends meet, each turned another way, one a rank."""
    about = dict(grid='kind = "annulus"\nn = [32, 8, 1]\nangles = [0, 360]\nblocks = [4, 1, 1]\nturned = true',
                 patches='"inner + outer: exact"', solution='kind = "supersonic-vortex"\nradius = 2',
                 time="steady = true\nmax_steps = 30\ncfl = 0.5\nresidual = 0")
    one = state(run(**about))
    assert differs(one, state(run(**about, ranks=4))) < 1e-12
    assert differs(one, state(run(**about, ranks=2, parallel__pieces=4))) < 1e-12


def test_a_block_joined_to_itself(run):
    """One block around the annulus: its two ends are each other's neighbours, and cutting it changes nothing."""
    about = dict(grid='kind = "annulus"\nn = [32, 8, 1]\nangles = [0, 360]', patches='"inner + outer: exact"',
                 solution='kind = "supersonic-vortex"\nradius = 2',
                 time="steady = true\nmax_steps = 30\ncfl = 0.5\nresidual = 0")
    one = state(run(**about))
    assert differs(one, state(run(**about, ranks=3, parallel__pieces=16))) < 1e-12
