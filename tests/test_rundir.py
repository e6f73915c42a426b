"""A run directory knows its case: what changed in it is told and kept, another case is refused, what was refused changes
nothing, every session has its account, and the directory alone repeats the run."""

import csv
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys

import h5py
import numpy as np
import pytest

import outputs
from conftest import ROOT
from outputs import sets
from test_lifecycle import LONG, log_of, wait_for

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
    return {str(p.relative_to(folder)): hashlib.sha1(p.read_bytes()).hexdigest() for p in sorted(folder.rglob("*"))
            if p.is_file() and p.name not in but}


def sessions(folder):
    return json.loads((folder / "provenance.json").read_text())


def changes(folder):
    lines = [line for line in open(folder / "case.changes.csv", newline="") if not line.startswith("#")]
    return [tuple(row) for row in csv.reader(lines)][1:]


def variant(tmp_path, name, **keys):
    """A case file of another name, with other values of keys that it has."""
    text = CASE.read_text()
    for key, value in keys.items():
        text, n = re.subn(rf"(?m)^{key} *=.*$", f"{key} = {value}", text)
        assert n == 1, key
    (tmp_path / name).write_text(text)
    return tmp_path / name


# ---- changed keys ----

def test_changed_key_is_told_on_the_terminal_in_the_log_and_in_a_file(run, rundir):
    run(4)
    assert not (rundir / "case.changes.csv").exists(), "nothing has changed yet"
    said = run(8, *sets(equations__viscosity=0.2)).stderr
    told = "equations.viscosity was 0.0025 to t = 0.2, is 0.2 from here"
    assert said.count(told) == 1 and log_of(rundir).count(told) == 1, said
    assert ("4", "0.20000000000000001", "equations.viscosity", "0.0025", "0.2") in changes(rundir)
    # left out again: that is a change as well, of which no file says more than this one
    assert "equations.viscosity was 0.2 to t = 0.4, is 0.0025 from here" in run(12).stderr
    assert [row[2:] for row in changes(rundir) if row[2] == "equations.viscosity"] == [
        ("equations.viscosity", "0.0025", "0.2"), ("equations.viscosity", "0.2", "0.0025")]
    assert [row[0] for row in changes(rundir) if row[2] == "equations.viscosity"] == ["4", "8"]


def test_report_tells_what_changed_and_from_when(run, rundir):
    run(4)
    run(8, *sets(equations__viscosity=0.2))
    sys.path.insert(0, str(ROOT / "tools"))
    from triad_plot import about
    from triad_plot.run import Run
    rows = about.what(Run(str(rundir)))
    assert ("from t = 0.2 on", "equations.viscosity 0.2, was 0.0025") in rows
    assert not any("max_steps" in text for _, text in rows), "how far it went is no part of what was run"
    run(8)
    both = Run(str(rundir))
    assert len(both.sessions) == 3 and both.provenance["step_from"] == 8
    assert ("compiler", both.provenance["compiler"]) in about.on_what(both)


def test_list_of_numbers_that_changed_is_one_field_of_the_file(run, rundir):
    run(2)
    run(4, *sets(equations__rotation=[0.0, 0.0, 2.0]))
    assert ("2", "0.10000000000000001", "equations.rotation", "[0.0, 0.0, 0.0]", "[0.0, 0.0, 2.0]") in changes(rundir)


def test_later_end_is_told_but_no_warning(run, rundir):
    resolved = sets(equations__viscosity=1)   # or it warns
    run(2, *resolved)
    said = run(4, *resolved)
    assert "time.max_steps was 2 to t = 0.1, is 4 from here" in said.stdout and said.stderr == "", said


def test_change_is_forgotten_where_the_run_goes_back_before_it(run, rundir):
    every = sets(output__checkpoint_interval=0.1, output__keep=10)
    run(4, *every)
    run(8, *every, *sets(equations__viscosity=0.2))
    for c in outputs.checkpoints(rundir):
        if int(c.name[5:]) > 2:
            shutil.rmtree(c)
    run(9, *every)
    assert [row for row in changes(rundir) if row[2] == "equations.viscosity"] == [], "the run has no such rows any more"


def test_finished_run_keeps_its_case_whatever_is_asked_for(run, rundir):
    run(4)
    before = contents(rundir, "log.txt", "provenance.json")
    said = run(4, *sets(equations__viscosity=0.2))
    assert "already finished" in said.stdout
    assert "equations.viscosity is 0.0025 in this run, to t = 0.2; the case now says 0.2" in said.stderr
    assert contents(rundir, "log.txt", "provenance.json") == before


# ---- another case file ----

@pytest.mark.parametrize("ranks", [1, 2])
def test_another_case_file_is_refused_and_nothing_changes(run, rundir, tmp_path, ranks):
    run(4)
    other = variant(tmp_path, "other.toml", viscosity=0.05)
    before = contents(rundir, "log.txt")
    refused = run(8, case=other, ranks=ranks, expect=65)
    assert "equations.viscosity is 0.0025 there and 0.05 in" in refused.stderr and "--new-case" in refused.stderr
    assert len(refused.errors) == 1, refused
    assert contents(rundir, "log.txt") == before
    assert "holds a run of another case" in log_of(rundir), "the error is in the log"
    said = run(8, "--new-case", case=other)
    assert "equations.viscosity was 0.0025 to t = 0.2, is 0.05 from here" in said.stderr
    assert "viscosity = 0.05" in (rundir / "case.toml").read_text()
    assert "is 0.05 from here" not in run(9, case=other).stderr, "it is the run's case now"


def test_case_file_with_a_later_end_or_another_comment_goes_on(run, rundir, tmp_path):
    run(4)
    same = variant(tmp_path, "same.toml")
    same.write_text("# of another day\n" + same.read_text().replace("end = 20", "end = 30").replace("[output]", "[output]\nkeep = 4"))
    run(6, case=same)


def test_the_resolved_case_goes_on_as_the_case_that_it_is(run, rundir):
    run(4, *sets(equations__viscosity=0.2))
    assert "viscosity" not in run(6, case=rundir / "case.resolved.toml").stderr


@pytest.mark.parametrize("more, why", [(sets(equations__solver="boussinesq"), "is of solver hd"),
                                       (sets(grid__length=[1.0, 1.0, 1.0]), "length")], ids=["solver", "box"])
def test_what_does_not_fit_is_refused_before_anything_is_written(run, rundir, more, why):
    run(4)
    before = contents(rundir, "log.txt")
    assert why in run(8, *more, expect=65).stderr
    assert contents(rundir, "log.txt") == before
    assert re.search(rf"error .*{why}", log_of(rundir)), log_of(rundir)[-500:]


def test_start_that_fails_leaves_its_error_in_the_log_and_spoils_nothing(run, rundir, tmp_path):
    with h5py.File(tmp_path / "bad.h5", "w") as f:
        for name in "uvw":
            f[name] = np.full((12, 12, 12), np.nan)
    start = sets(initial__kind="file", initial__file=str(tmp_path / "bad.h5"))
    run(2, *start, ranks=2, expect=(65, 80))
    assert re.search(r"error  +rank \d: \S+\.c:\d+: ", log_of(rundir)), log_of(rundir)
    assert not (rundir / "case.resolved.toml").exists() and not (rundir / "provenance.json").exists()
    run(2)


# ---- the account ----

def test_provenance_is_a_list_of_sessions_with_their_ends(run, rundir):
    run(4)
    run(8, *sets(equations__viscosity=0.2), ranks=2)
    run(8)
    first, second, third = sessions(rundir)
    for s, steps in ((first, (0, 4)), (second, (4, 8)), (third, (8, 8))):
        assert (s["step_from"], s["step_to"], s["exit_code"], s["saved_step"]) == (*steps, 0, steps[1])
        assert s["started"] <= s["ended"] and "--dir" in s["command"] and s["version"] and s["binding"]["nodes"]
        assert s["compiler"] and s["cpu"] and s["system"].startswith("Linux") and os.path.isdir(s["directory"])
    assert second["t_to"] == pytest.approx(0.4, abs=1e-12) and second["binding"]["ranks"] == 2
    assert {"key": "equations.viscosity", "was": "0.0025", "is": "0.2"} in second["changed"] and first["changed"] == []


def test_session_that_was_killed_has_no_end_but_its_last_checkpoint(mpirun, triad, rundir):
    process = mpirun.start(1, triad, "run", CASE, "--dir", rundir, *LONG, *sets(output__checkpoint_interval=0.005))
    wait_for(lambda: len(outputs.checkpoints(rundir)) > 1, "two checkpoints")
    os.kill(int(re.search(r"pid (\d+)", (rundir / "run.lock").read_text()).group(1)), signal.SIGKILL)
    process.wait(30)
    (s,) = sessions(rundir)
    assert s["ended"] is None and s["exit_code"] is None
    # the account follows the checkpoint, of which there may be one more by then
    assert s["saved_step"] == s["step_to"] and s["saved_step"] in [int(c.name[5:]) for c in outputs.checkpoints(rundir)]


def test_provenance_of_an_earlier_version_becomes_the_first_session(run, rundir):
    run(4)
    (s,) = sessions(rundir)
    (rundir / "provenance.json").write_text(json.dumps({k: s[k] for k in ("started", "version", "command")}, indent=2))
    run(8)
    old, new = sessions(rundir)
    assert set(old) == {"started", "version", "command"} and new["step_from"] == 4


def test_damaged_provenance_is_kept_aside(run, rundir):
    run(4)
    (rundir / "provenance.json").write_text('[{"started": "2')
    run(8)
    assert len(sessions(rundir)) == 1 and (rundir / "provenance.json.damaged").read_text() == '[{"started": "2'


def test_info_reads_provenance_and_changes(run, rundir, triad):
    run(4)
    run(8, *sets(equations__viscosity=0.2))
    said = subprocess.run([triad, "info", rundir / "provenance.json", rundir / "case.changes.csv"], capture_output=True,
                          text=True, timeout=60)
    assert said.returncode == 0 and "2 sessions" in said.stdout and "which keys of the case changed" in said.stdout, said
    (rundir / "provenance.json").write_text((rundir / "provenance.json").read_text()[:-30])
    assert "cut short" in subprocess.run([triad, "info", rundir / "provenance.json"], capture_output=True, text=True).stdout


def test_case_in_the_directory_says_what_set_has_changed(run, rundir):
    run(2)
    head, rest = (rundir / "case.toml").read_text().split(CASE.read_text()[:40], 1)
    assert all(line.startswith("#") for line in head.splitlines()) and "--set grid.n=[12, 12, 12]" in head
    assert CASE.read_text()[:40] + rest == CASE.read_text(), "then the file as it was given"


# ---- the directory alone repeats the run ----

@pytest.mark.parametrize("kind", ["file", "checkpoint"])
@pytest.mark.parametrize("most", [64, 0], ids=["copied", "named"])
def test_resolved_case_of_the_directory_repeats_the_run(run, mpirun, triad, rundir, tmp_path, kind, most):
    run(4, *sets(output__fields_interval=0.1), folder=tmp_path / "source")
    name = {"file": next((tmp_path / "source/fields").glob("fields-*2.h5")), "checkpoint": tmp_path / "source"}[kind]
    start = sets(initial__kind=kind, initial__file=os.path.relpath(name, CASE.parent), output__copy_inputs=most)
    run(6, *start)
    (told,) = sessions(rundir)[0]["inputs"]
    assert told["path"] == str(name if kind == "file" else outputs.checkpoints(name)[-1]) and told["bytes"] > 1000
    assert re.fullmatch("[0-9a-f]{16}", told["xxh3" if kind == "file" else "manifest"])
    assert (told["copy"] is not None) == (most > 0)
    run(8, *start)  # a session that goes on keeps that
    if most:
        shutil.rmtree(tmp_path / "source")
    mpirun(1, triad, "run", rundir / "case.resolved.toml", "--dir", tmp_path / "again", expect=0)
    assert outputs.rows(tmp_path / "again") == outputs.rows(rundir) and outputs.same_bits(tmp_path / "again", rundir)


def test_start_from_the_copy_that_the_directory_keeps_leaves_it_whole(run, mpirun, triad, rundir, tmp_path):
    run(2, *sets(output__fields_interval=0.1), folder=tmp_path / "source")
    name = next((tmp_path / "source/fields").glob("fields-*2.h5"))
    run(2, *sets(initial__kind="file", initial__file=str(name)))
    for rest in [p for p in rundir.iterdir() if p.name not in ("inputs", "case.resolved.toml")]:
        shutil.rmtree(rest) if rest.is_dir() else rest.unlink()
    mpirun(1, triad, "run", rundir / "case.resolved.toml", "--dir", rundir, expect=0)
    assert (rundir / "inputs" / name.name).read_bytes() == name.read_bytes()
    assert [p.name for p in (rundir / "inputs").iterdir()] == [name.name] and sessions(rundir)[-1]["inputs"][0]["copy"]


def file_of(folder):
    """initial.file of the case that a directory keeps."""
    return re.search(r'(?m)^file = "([^"]*)"', (folder / "case.resolved.toml").read_text().split("[initial]")[1]).group(1)


def start_of(kind, name):
    return sets(initial__kind=kind, initial__file=str(name))


def test_a_new_start_keeps_no_copy_of_what_an_earlier_one_read(run, rundir, tmp_path):
    """The first start was killed before its first checkpoint, and with it went what told of it."""
    for steps, name in ((4, "one"), (6, "other")):
        run(steps, folder=tmp_path / name)
    run(2, *start_of("checkpoint", tmp_path / "one"))
    for rest in [p for p in rundir.iterdir() if p.name not in ("inputs", "case.resolved.toml")]:
        shutil.rmtree(rest) if rest.is_dir() else rest.unlink()
    run(2, *start_of("checkpoint", tmp_path / "other"))
    assert [p.name for p in (rundir / "inputs").iterdir()] == ["step-00000006"] and file_of(rundir) == "inputs/step-00000006"


def test_a_file_of_the_same_name_that_is_not_copied_is_not_taken_for_the_copy_of_another(run, rundir, tmp_path):
    for steps, name in ((1, "one"), (2, "other")):
        run(steps, *sets(output__fields_interval=1.0), folder=tmp_path / name)
        shutil.copy(next((tmp_path / name / "fields").glob(f"fields-*{steps}.h5")), tmp_path / name / "start.h5")
    run(1, *start_of("file", tmp_path / "one/start.h5"))
    shutil.rmtree(rundir / "checkpoints")
    (rundir / "provenance.json").unlink()
    (rundir / "series.csv").unlink()
    run(1, *start_of("file", tmp_path / "other/start.h5"), *sets(output__copy_inputs=0))
    assert not (rundir / "inputs/start.h5").exists() and file_of(rundir) == str(tmp_path / "other/start.h5")


def test_a_session_that_goes_on_names_the_copy_of_what_its_case_says_and_of_nothing_else(run, rundir, tmp_path):
    for steps, name in ((4, "one"), (6, "other")):
        run(steps, folder=tmp_path / name)
    run(2, *start_of("checkpoint", tmp_path / "one"))
    run(3, *start_of("checkpoint", tmp_path / "other"))
    assert file_of(rundir) == str(tmp_path / "other"), "nothing of it was kept"
    run(4, *start_of("checkpoint", tmp_path / "one"))
    assert file_of(rundir) == "inputs/step-00000004"
    run(6, folder=tmp_path / "one")  # and when that run has gone on since
    run(5, *start_of("checkpoint", tmp_path / "one"))
    assert file_of(rundir) == "inputs/step-00000004"


@pytest.mark.parametrize("kind", ["file", "checkpoint"])
def test_a_run_begins_anew_from_the_copy_that_it_keeps(run, rundir, tmp_path, kind):
    run(4, *sets(output__fields_interval=0.1), folder=tmp_path / "source")
    name = {"file": next((tmp_path / "source/fields").glob("fields-*2.h5")), "checkpoint": tmp_path / "source"}[kind]
    run(2, *start_of(kind, name))
    shutil.rmtree(tmp_path / "source")
    rows, copy = outputs.rows(rundir), file_of(rundir)
    for before in ("before-1", "before-2"):  # the limit on copies is not for what is here already
        run(2, "--from-start", *sets(output__copy_inputs=0), case=rundir / "case.resolved.toml")
        assert file_of(rundir) == copy and (rundir / copy).exists() and (rundir / before / copy).exists()
        (told,) = sessions(rundir)[-1]["inputs"]
        assert told["copy"] == copy and told["path"] == str((rundir / before / copy).resolve())
        assert outputs.rows(rundir) == rows


def test_a_run_begins_anew_from_its_own_newest_checkpoint(run, rundir):
    run(4)
    run(2, "--from-start", *start_of("checkpoint", rundir))
    assert file_of(rundir) == "inputs/step-00000004"
    assert sessions(rundir)[-1]["inputs"][0]["path"] == str(rundir.resolve() / "before-1/checkpoints/step-00000004")
    run(3, "--from-start", *start_of("checkpoint", rundir), *sets(output__copy_inputs=0))
    assert file_of(rundir) == "before-2/checkpoints/step-00000002"


def test_a_file_beside_the_user_and_not_beside_the_case_is_told(mpirun, triad, rundir, tmp_path):
    (tmp_path / "mine.h5").write_bytes(b"")
    said = mpirun(1, triad, "run", CASE, "--dir", rundir, *SMALL, *start_of("file", "mine.h5"), cwd=tmp_path, expect=66)
    assert f"{CASE.parent}/mine.h5" in said.stderr and "There is one in the working directory" in said.stderr
    assert "There is one" not in mpirun(1, triad, "run", CASE, "--dir", rundir, *SMALL, *start_of("file", "no.h5"), cwd=tmp_path,
                                        expect=66).stderr


def test_account_that_has_grown_large_is_put_by(run, rundir, triad):
    """A session tells of every rank: of many ranks and starts the file would have no end, and no start is to fail by it."""
    run(2)
    with open(rundir / "provenance.json", "a") as file:
        file.write(" " * (17 << 20))
    before = (rundir / "provenance.json").read_bytes()
    assert "provenance.1.json" in run(3).stdout
    assert (rundir / "provenance.1.json").read_bytes() == before and [s["step_from"] for s in sessions(rundir)] == [2]
    info = subprocess.run([triad, "info", rundir / "provenance.1.json"], capture_output=True, text=True, timeout=60)
    assert info.returncode == 0 and "where a run came from" in info.stdout, info
    run(4)
    assert [s["step_to"] for s in sessions(rundir)] == [3, 4] and not (rundir / "provenance.2.json").exists()


# ---- checkpoints and rows that are gone ----

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
    mpirun(1, triad, "run", CASE, "--dir", rundir, *LONG, *sets(output__series_interval=0, time__max_steps=3), expect=0)
    assert len(outputs.rows(rundir)) == 5 and (rundir / "series.discarded.csv").read_text().startswith("0,0,0,")


def test_rows_that_are_lost_are_made_again_from_an_older_checkpoint(run, rundir, tmp_path):
    every = sets(output__checkpoint_interval=0.25)
    run(20, *every)
    run(20, *every, folder=tmp_path / "whole")
    path = rundir / "series.csv"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:-7]))  # the last row left is that of step 13
    said = run(20, *every).stderr
    assert "series.csv has 14 of the 21 rows that checkpoint step-00000020 has seen" in said
    assert "going back to step 10, so that they are made again" in said, said
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
    assert "has 4 of the 7 rows" in said and "goes on with a gap" in said, said


@pytest.mark.parametrize("left", ["half a row", "nothing"])
def test_series_that_others_cut_short_goes_on_with_whole_rows(mpirun, triad, rundir, left):
    """As an editor does that saves an older text in place: the file stays the same one, and new rows would come behind a hole."""
    process = mpirun.start(1, triad, "run", CASE, "--dir", rundir, *LONG, *sets(output__series_interval=0), stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, text=True)
    path = rundir / "series.csv"
    wait_for(lambda: path.exists() and len(outputs.rows(rundir)) > 20, "rows")
    header = b"".join(line for line in path.read_bytes().splitlines(True)[:200] if not line[:1].isdigit())
    os.truncate(path, len(header) + len(path.read_bytes()[len(header):].split(b"\n")[0]) + 9 if left == "half a row" else 0)
    wait_for(lambda: len(outputs.rows(rundir)) > 5, "more rows")
    subprocess.run([triad, "stop", rundir, "--wait"], check=True, timeout=60)
    said = process.communicate(timeout=30)[0]
    assert process.returncode == 75 and "was cut short by others" in said, said
    text = path.read_bytes()
    assert text.startswith(header) and b"\0" not in text and text.count(header) == 1
    steps = [int(row.split(b",")[0]) for row in text[len(header):].splitlines()]
    assert (steps[0] == 0) == (left == "half a row") and steps[-1] > 20 and steps[1:] == list(range(steps[1], steps[-1] + 1))


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
    assert process.returncode == 75 and "was deleted or replaced while the run had it open: made again" in said, said
    steps = [int(row.split(",")[0]) for row in outputs.rows(rundir)[1:]]
    assert steps == list(range(steps[-1] + 1)) and steps[-1] == sessions(rundir)[0]["saved_step"]


def test_checkpoints_that_are_taken_away_from_a_run_at_work_are_told(mpirun, triad, rundir):
    process = mpirun.start(1, triad, "run", CASE, "--dir", rundir, *LONG, *sets(output__checkpoint_interval=0.01),
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    wait_for(lambda: len(outputs.checkpoints(rundir)) > 1, "two checkpoints")
    (rundir / "checkpoints").rename(rundir / "away")
    subprocess.run([triad, "stop", rundir, "--wait"], check=True, timeout=60)
    said = process.communicate(timeout=30)[0]
    assert process.returncode == 75 and "which this run has written, is gone" in said, said


# ---- first moments ----

FIRST = ["run.lock", "log.txt", "case.toml", ".tmp-case.resolved.toml", "wisdom-double", "stop"]


def test_directory_of_a_run_killed_in_its_first_moments_goes_on(run, rundir, triad):
    for name in ("spectra", "checkpoints", "fields", "slices", "inputs"):
        (rundir / name).mkdir(parents=True)
    for name in FIRST[1:]:
        (rundir / name).write_text("")
    said = subprocess.run([triad, "info", rundir], capture_output=True, text=True, timeout=60)
    assert said.returncode == 0 and "no run has begun here" in said.stdout and "WRONG" not in said.stdout, said
    run(2)
    assert len(outputs.rows(rundir)) == 4


def test_folder_with_files_of_others_is_refused(run, rundir):
    rundir.mkdir()
    (rundir / "thesis.tex").write_text("")
    assert "so it is not a run's directory" in run(2, expect=65).stderr
    assert [p.name for p in rundir.iterdir()] == ["thesis.tex"]
