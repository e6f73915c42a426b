"""A run directory knows its case: what changed in it is told and kept, another case is refused, what was refused changes
nothing; a directory that is no run's is left alone."""

import csv
import re
import shutil
import subprocess
import sys

import h5py
import numpy as np
import pytest

import outputs
from conftest import ROOT
from outputs import sets
from rundirs import CASE, contents, run  # noqa: F401
from test_lifecycle import log_of


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
    told = "equations.viscosity was 0.0025 until t = 0.2, and is 0.2 from here"
    assert said.count(told) == 1 and log_of(rundir).count(told) == 1, said
    assert ("4", "0.20000000000000001", "equations.viscosity", "0.0025", "0.2") in changes(rundir)
    # left out again: that is a change as well, of which no file says more than this one
    assert "equations.viscosity was 0.2 until t = 0.4, and is 0.0025 from here" in run(12).stderr
    assert [row[2:] for row in changes(rundir) if row[2] == "equations.viscosity"] == [
        ("equations.viscosity", "0.0025", "0.2"), ("equations.viscosity", "0.2", "0.0025")]
    assert [row[0] for row in changes(rundir) if row[2] == "equations.viscosity"] == ["4", "8"]


def test_report_tells_what_changed_and_from_when(run, rundir):
    run(4)
    run(8, *sets(equations__viscosity=0.2))
    sys.path.insert(0, str(ROOT / "tools"))
    from triad_plot.read.run import Run
    from triad_plot.report import about
    rows = about.what(Run(str(rundir)))
    assert ("from t = 0.2", "equations.viscosity 0.2 (before: 0.0025)") in rows
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
    assert "time.max_steps was 2 until t = 0.1, and is 4 from here" in said.stdout and said.stderr == "", said


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
    assert "equations.viscosity is 0.0025 in this run, until t = 0.2; the case now has 0.2" in said.stderr
    assert contents(rundir, "log.txt", "provenance.json") == before


# ---- another case file ----

@pytest.mark.parametrize("ranks", [1, 2])
def test_another_case_file_is_refused_and_nothing_changes(run, rundir, tmp_path, ranks):
    run(4)
    other = variant(tmp_path, "other.toml", viscosity=0.05)
    before = contents(rundir, "log.txt")
    refused = run(8, case=other, ranks=ranks, expect=65)
    assert "equations.viscosity is 0.0025 there, but 0.05 in" in refused.stderr and "--new-case" in refused.stderr
    assert len(refused.errors) == 1, refused
    assert contents(rundir, "log.txt") == before
    assert "contains a run of another case" in log_of(rundir), "the error is in the log"
    said = run(8, "--new-case", case=other)
    assert "equations.viscosity was 0.0025 until t = 0.2, and is 0.05 from here" in said.stderr
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
    assert re.search(r"error  +rank \d: .* \[\S+\.c:\d+\]", log_of(rundir)), log_of(rundir)
    assert not (rundir / "case.resolved.toml").exists() and not (rundir / "provenance.json").exists()
    run(2)


# ---- first moments ----

FIRST = ["run.lock", "log.txt", "case.toml", ".tmp-case.resolved.toml", "wisdom-double", "stop"]


def test_directory_of_a_run_killed_in_its_first_moments_goes_on(run, rundir, triad):
    for name in ("spectra", "checkpoints", "fields", "slices", "inputs"):
        (rundir / name).mkdir(parents=True)
    for name in FIRST[1:]:
        (rundir / name).write_text("")
    said = subprocess.run([triad, "info", rundir], capture_output=True, text=True, timeout=60)
    assert said.returncode == 0 and "no run has started here" in said.stdout and "WRONG" not in said.stdout, said
    run(2)
    assert len(outputs.rows(rundir)) == 4


def test_folder_with_files_of_others_is_refused(run, rundir):
    rundir.mkdir()
    (rundir / "thesis.tex").write_text("")
    assert "so it is not a run directory" in run(2, expect=65).stderr
    assert [p.name for p in rundir.iterdir()] == ["thesis.tex"]
