"""Checkpoints by wall-clock time: what a run that is killed without warning loses, for users who set nothing."""

import os
import re
import signal
import subprocess

import pytest

import outputs
from conftest import ROOT
from outputs import sets
from waiting import wait_for

CASE = ROOT / "runs/taylor-green-demo/case.toml"
SMALL = sets(grid__n=[16, 16, 16], time__dt=1e-3, output__spectra_interval=0, output__series_interval=0.1, output__report=False)


def checkpoints(run):
    return sorted(int(path.name.split("-")[1]) for path in (run / "checkpoints").glob("step-*"))


@pytest.mark.parametrize("ranks", [1, 2])
def test_a_killed_run_resumes_from_a_checkpoint_by_wall_clock_time(mpirun, triad, rundir, ranks):
    process = mpirun.start(ranks, triad, "run", CASE, "--dir", rundir, *SMALL,
                           *sets(time__end=1000, output__checkpoint_wall_interval=0.2), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_for(lambda: checkpoints(rundir), "a checkpoint", seconds=60)
    os.kill(int(re.search(r"pid (\d+)", (rundir / "run.lock").read_text()).group(1)), signal.SIGKILL)
    process.wait(30)
    newest = checkpoints(rundir)[-1]
    mpirun(ranks, triad, "run", CASE, "--dir", rundir, *SMALL, *sets(time__end=1000, time__max_steps=newest + 5), timeout=60, expect=0)
    assert f"step {newest}" in (rundir / "log.txt").read_text(), "it resumed there"
    assert checkpoints(rundir)[-1] == newest + 5


def test_checkpoints_by_wall_clock_time_change_no_bit(mpirun, triad, tmp_path):
    often, never = tmp_path / "often", tmp_path / "never"
    keys = [*SMALL, *sets(time__dt=0, time__end=2.0, parallel__reproducible=True)]
    mpirun(2, triad, "run", CASE, "--dir", often, *keys, *sets(output__checkpoint_wall_interval=1e-6, output__keep=1000), timeout=60, expect=0)
    mpirun(2, triad, "run", CASE, "--dir", never, *keys, *sets(output__checkpoint_wall_interval=0, output__keep=1000), timeout=60, expect=0)
    assert len(checkpoints(never)) == 1 and len(checkpoints(often)) > 1
    assert outputs.distance(often, never) == 0
    # tests of rows compare all columns that the flow has
    assert (outputs.series(often)["energy"] == outputs.series(never)["energy"]).all()


def test_the_default_saves_within_half_an_hour(triad):
    said = subprocess.run([triad, "case", "--keys", "output.checkpoint_wall_interval"], capture_output=True, text=True, check=True).stdout
    assert "1800" in said, said
