"""The account that a run directory keeps: every session, with its end, and the case as it was given."""

import json
import os
import re
import signal
import subprocess

import pytest

import outputs
from outputs import sets
from rundirs import CASE, run, sessions  # noqa: F401
from test_lifecycle import LONG
from waiting import wait_for


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


def test_account_that_has_grown_large_is_put_by(run, rundir, triad):
    """A session tells of every rank: of many ranks and starts the file would have no end, and no start is to fail by it."""
    run(2)
    with open(rundir / "provenance.json", "a") as file:
        file.write(" " * (17 << 20))
    before = (rundir / "provenance.json").read_bytes()
    assert "provenance.1.json" in run(3).stdout
    assert (rundir / "provenance.1.json").read_bytes() == before and [s["step_from"] for s in sessions(rundir)] == [2]
    info = subprocess.run([triad, "info", rundir / "provenance.1.json"], capture_output=True, text=True, timeout=60)
    assert info.returncode == 0 and "provenance of a run" in info.stdout, info
    run(4)
    assert [s["step_to"] for s in sessions(rundir)] == [3, 4] and not (rundir / "provenance.2.json").exists()


def test_info_reads_provenance_and_changes(run, rundir, triad):
    run(4)
    run(8, *sets(equations__viscosity=0.2))
    said = subprocess.run([triad, "info", rundir / "provenance.json", rundir / "case.changes.csv"], capture_output=True,
                          text=True, timeout=60)
    assert said.returncode == 0 and "2 sessions" in said.stdout and "changes of keys of the case" in said.stdout, said
    (rundir / "provenance.json").write_text((rundir / "provenance.json").read_text()[:-30])
    assert "truncated" in subprocess.run([triad, "info", rundir / "provenance.json"], capture_output=True, text=True).stdout


def test_case_in_the_directory_says_what_set_has_changed(run, rundir):
    run(2)
    head, rest = (rundir / "case.toml").read_text().split(CASE.read_text()[:40], 1)
    assert all(line.startswith("#") for line in head.splitlines()) and "--set grid.n=[12, 12, 12]" in head
    assert CASE.read_text()[:40] + rest == CASE.read_text(), "then the file as it was given"
