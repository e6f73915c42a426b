"""Rows and checkpoints that are gone from a run directory: made again where they can be, and never lost without a word."""

import os
import re
import shutil
import signal
import subprocess

import h5py
import pytest

import outputs
from outputs import sets
from rundirs import CASE, contents, run, sessions  # noqa: F401
from test_lifecycle import LONG
from waiting import wait_for

pytestmark = pytest.mark.quick


# ---- a start in what is left ----

def test_rows_without_a_checkpoint_are_not_begun_anew_without_a_word(run, rundir):
    run(6)
    shutil.move(rundir / "checkpoints", rundir.parent / "elsewhere")
    before = contents(rundir, "log.txt")
    refused = run(8, expect=65)
    assert "7 rows of it, but none of its checkpoints can be read" in refused.stderr and "--from-start" in refused.stderr
    assert contents(rundir, "log.txt") == before
    rows = (rundir / "series.csv").read_bytes()
    (rundir / "archive").mkdir()
    (rundir / "archive/modes-00000002.h5").write_bytes(b"packed")
    run(3, "--from-start")
    assert (rundir / "before-1/archive/modes-00000002.h5").read_bytes() == b"packed" and not (rundir / "archive").exists()
    assert (rundir / "before-1/series.csv").read_bytes() == rows and len(outputs.rows(rundir)) == 5
    assert sessions(rundir)[-1]["step_from"] == 0 and (rundir / "before-1/case.resolved.toml").exists()
    run(4)  # and goes on
    run(2, "--from-start")
    assert outputs.checkpoints(rundir / "before-2") and len(outputs.rows(rundir)) == 4


def test_damaged_checkpoint_without_another_is_not_begun_anew_without_a_word(run, rundir):
    run(6)
    (outputs.checkpoints(rundir)[0] / "manifest.txt").write_text("")
    assert "none of its checkpoints can be read" in run(8, expect=65).stderr


def test_files_of_later_steps_stay_aside_where_another_case_takes_other_steps(run, rundir):
    """A run to step 6 of which no checkpoint after step 4 is left, as when it is killed. The same case writes the same
    files again; another one, whose steps are others, does not leave those of the first among its own."""
    intervals = sets(output__fields_interval=0.1, output__spectra_interval=0.1, output__slices_interval=0.1,
                     output__checkpoint_interval=0.1)
    later = [f"fields/fields-{6:08d}.h5", f"spectra/spectra-{6:08d}.h5", f"slices/slice1-{6:08d}.h5"]
    run(6, *intervals)
    shutil.rmtree(outputs.checkpoints(rundir)[-1])
    run(6, *intervals)
    assert all((rundir / name).exists() for name in later) and not (rundir / "discarded").exists()
    shutil.rmtree(outputs.checkpoints(rundir)[-1])
    of_first = [(rundir / name).read_bytes() for name in later]
    pictures = len(list((rundir / "slices").glob("*-00000006.png")))
    said = run(10, *intervals, *sets(time__dt=0.04)).stdout
    assert [(rundir / "discarded" / name).read_bytes() for name in later] == of_first
    assert f"{3 + pictures} files of later steps" in said and pictures > 0
    times = [float(t) for t in re.findall(r'<Time Value="(.*?)"', (rundir / "fields/fields.xmf").read_text())]
    assert times == sorted(times) and len(times) == len(list((rundir / "fields").glob("*.h5")))
    run(1, "--from-start", *intervals)
    assert (rundir / "before-1/discarded" / later[0]).exists() and not (rundir / "discarded").exists()


def test_run_that_was_killed_before_its_first_checkpoint_begins_anew_by_itself(mpirun, triad, rundir):
    process = mpirun.start(1, triad, "run", CASE, "--dir", rundir, *LONG, *sets(output__series_interval=0))
    wait_for(lambda: (rundir / "series.csv").exists() and len(outputs.rows(rundir)) > 5, "rows")
    os.kill(int(re.search(r"pid (\d+)", (rundir / "run.lock").read_text()).group(1)), signal.SIGKILL)
    process.wait(30)
    lines = (rundir / "series.csv").read_text().splitlines(keepends=True)
    lost = sum(line[0].isdigit() and line[-1] == "\n" for line in lines)  # the last one may be cut off
    said = mpirun(1, triad, "run", CASE, "--dir", rundir, *LONG, *sets(output__series_interval=0, time__max_steps=3), expect=0).stdout
    assert re.search(r"ended before its first checkpoint: it starts again at t = 0, and its (\d+) rows", said)[1] == str(lost)
    assert len(outputs.rows(rundir)) == 5 and (rundir / "series.discarded.csv").read_text().startswith("0,0,0,")


def test_rows_that_are_lost_are_made_again_from_an_older_checkpoint(run, rundir, tmp_path):
    every = sets(output__checkpoint_interval=0.25)
    run(20, *every)
    run(20, *every, folder=tmp_path / "whole")
    path = rundir / "series.csv"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:-7]))  # the last row left is that of step 13
    said = run(20, *every).stderr
    assert "series.csv has only 14 of the 21 rows that existed at checkpoint step-00000020" in said
    assert "resuming from step 10, so that these rows are written again" in said, said
    assert outputs.rows(rundir) == outputs.rows(tmp_path / "whole") and outputs.same_bits(rundir, tmp_path / "whole")


def test_slices_of_the_step_of_a_checkpoint_are_made_again(run, rundir, tmp_path):
    slices = sets(output__slices_interval=0.25, output__checkpoint_interval=0.25, output__keep=10)
    run(10, *slices)
    run(20, *slices, folder=tmp_path / "whole")
    lost = rundir / "slices/slice1-00000010.h5"  # made after the checkpoint of step 10, so a crash may prevent it
    lost.unlink()
    run(20, *slices)
    with h5py.File(lost) as a, h5py.File(tmp_path / "whole/slices" / lost.name) as b:
        assert a["vorticity"][:].tobytes() == b["vorticity"][:].tobytes()


def test_rows_that_no_checkpoint_can_bring_back_are_told(run, rundir):
    run(6)
    lines = (rundir / "series.csv").read_text().splitlines(keepends=True)
    (rundir / "series.csv").write_text("".join(lines[:-3]))
    said = run(8).stderr
    assert "has only 4 of the 7 rows" in said and "continues with a gap" in said, said


# ---- taken away from a run at work ----

@pytest.mark.parametrize("left", ["half a row", "a digit of a row", "nothing"])
def test_series_that_others_cut_short_goes_on_with_whole_rows(mpirun, triad, rundir, left):
    """As an editor does that saves an older text in place: the file stays the same one, and new rows would come behind a hole."""
    process = mpirun.start(1, triad, "run", CASE, "--dir", rundir, *LONG, *sets(output__series_interval=0), stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, text=True)
    path = rundir / "series.csv"
    wait_for(lambda: path.exists() and len(outputs.rows(rundir)) > 20, "rows")
    header = b"".join(line for line in path.read_bytes().splitlines(True)[:200] if not line[:1].isdigit())
    whole = len(header) + len(path.read_bytes()[len(header):].split(b"\n")[0]) + 1
    os.truncate(path, {"half a row": whole + 8, "a digit of a row": whole + 1, "nothing": 0}[left])
    wait_for(lambda: len(outputs.rows(rundir)) > 5, "more rows")
    subprocess.run([triad, "stop", rundir, "--wait"], check=True, timeout=60)
    said = process.communicate(timeout=30)[0]
    assert process.returncode == 75 and "was truncated by another program" in said, said
    text = path.read_bytes()
    assert text.startswith(header) and b"\0" not in text and text.count(header) == 1
    steps = [int(row.split(b",")[0]) for row in text[len(header):].splitlines()]
    assert (steps[0] == 0) == (left != "nothing") and steps[-1] > 20 and steps[1:] == list(range(steps[1], steps[-1] + 1))


@pytest.mark.parametrize("how", ["deleted", "moved", "replaced"])
def test_series_that_is_taken_away_from_a_run_at_work_is_made_again(mpirun, triad, rundir, how):
    process = mpirun.start(1, triad, "run", CASE, "--dir", rundir, *LONG, *sets(output__series_interval=0), stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, text=True)
    wait_for(lambda: (rundir / "series.csv").exists() and len(outputs.rows(rundir)) > 5, "rows")
    if how == "deleted":
        (rundir / "series.csv").unlink()
    else:
        (rundir / "series.csv").rename(rundir / "away.csv")
    if how == "replaced":
        (rundir / "series.csv").write_text("1,2\n")
    subprocess.run([triad, "stop", rundir, "--wait"], check=True, timeout=60)
    said = process.communicate(timeout=30)[0]
    assert process.returncode == 75 and "was deleted or replaced while the run had it open: it is written again" in said, said
    steps = [int(row.split(",")[0]) for row in outputs.rows(rundir)[1:]]
    assert steps == list(range(steps[-1] + 1)) and steps[-1] == sessions(rundir)[0]["saved_step"]


def test_checkpoints_that_are_taken_away_from_a_run_at_work_are_told(mpirun, triad, rundir):
    process = mpirun.start(1, triad, "run", CASE, "--dir", rundir, *LONG, *sets(output__checkpoint_interval=0.01),
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    wait_for(lambda: len(outputs.checkpoints(rundir)) > 1, "two checkpoints")
    (rundir / "checkpoints").rename(rundir / "away")
    subprocess.run([triad, "stop", rundir, "--wait"], check=True, timeout=60)
    said = process.communicate(timeout=30)[0]
    assert process.returncode == 75 and "of this run is missing" in said, said
