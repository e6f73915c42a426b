"""Files of particles through kills, full disks and new starts."""

import os
import signal
import subprocess

import numpy as np
import pytest

from particles import REST, data, group, head, run  # noqa: F401
from waiting import wait_for


def test_a_killed_run_leaves_whole_rows_and_goes_on(run, triad, tmp_path):
    text = head(0.02, (12, 12, 12), end=2000.0, dt=0.01, every=0.01, checkpoint_interval=0.5) + (
        '[initial]\nkind = "random"\n' + group(count=50))
    (tmp_path / "case.toml").write_text(text)
    with subprocess.Popen([triad, "run", tmp_path / "case.toml", "--dir", tmp_path / "killed", "-q"]) as process:
        wait_for(lambda: len(list((tmp_path / "killed").glob("checkpoints/step-*"))) >= 2, "two checkpoints", process)
        process.send_signal(signal.SIGKILL)
    a = data(tmp_path / "killed")
    rows = len(a["t"])
    assert rows > 50 and np.isfinite(a["position"]).all() and np.allclose(np.diff(a["t"]), 0.01)
    end = (np.floor(a["t"][-1]) + 3) if rows < 100000 else 0
    run("killed", text, "--set", f"time.end={end}")
    b = data(tmp_path / "killed")
    assert np.allclose(np.diff(b["t"]), 0.01) and np.isclose(b["t"][-1], end)
    n = min(rows, len(b["t"]))
    assert np.array_equal(a["position"][:n], b["position"][:n]), "rows that are made again are the same"


def test_a_full_disk_is_waited_for(triad, tmp_path):
    """20 MB, filled up in mid-run: rows wait, those that are there are whole, and after it has room they go on."""
    disk = tmp_path / "disk"
    disk.mkdir()
    if os.geteuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=20m", "none", disk], capture_output=True).returncode:
        pytest.skip("mounting a small disk takes root")
    try:
        text = head(0.02, (8, 8, 8), end=1e9, dt=0.01, every=0.01, disk_check="warn", retry_interval=0.2,
                    retry_limit=60) + '[initial]\nkind = "random"\n' + group(count=2000)
        (tmp_path / "case.toml").write_text(text)
        run = disk / "run"
        with subprocess.Popen([triad, "run", tmp_path / "case.toml", "--dir", run], stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True) as process:
            said = ""
            while "could not be written" not in said:
                line = process.stderr.readline()
                assert line, said
                said += line
            assert "particles of step" in said and "No space left" in said, said
            a = data(run)
            assert np.isfinite(a["position"]).all() and (np.diff(a["t"]) > 0).all() and len(a["t"]) > 3
            process.kill()
        b = data(run)
        assert len(b["t"]) >= len(a["t"]) and np.array_equal(b["position"][:len(a["t"])], a["position"])
    finally:
        subprocess.run(["umount", "-l", disk], check=False)


def test_a_start_anew_moves_them_aside(run):
    text = head(end=0.2, every=0.1) + REST
    run("anew", text + group("old", count=5))
    again = run("anew", text + group("new", count=6), "--from-start", "--new-case")
    assert sorted(p.name for p in (again / "particles").glob("*.h5")) == ["new.0000.h5", "new.h5"]
    assert list(again.glob("before-*/particles/old.h5"))


@pytest.mark.parametrize("before, after, told", [(["gradient"], [], "its rows have gradient, which this run does not write"),
                                                 ([], ["vorticity"], "its rows have no vorticity, which this run writes")])
def test_rows_that_are_there_keep_their_datasets(run, before, after, told):
    """Where a row lies follows from its length: with other samples new rows would be written over old ones, of which 3000 particles have few a file."""
    text = lambda sample: head(0.02, (8, 8, 8), end=0.4, dt=0.1, every=0.1) + '[initial]\nkind = "random"\n' + group(count=3000, sample=sample)
    there = data(run("samples", text(before)))
    result = run("samples", text(after), "--set", "time.end=0.8", "--new-case", expect=65)
    assert told in result.stderr and "another name" in result.stderr, result.stderr
    assert all(np.array_equal(there[k], v) for k, v in data(run("samples", text(before), "--set", "time.end=0.4", "--new-case")).items())
    more = data(run("samples", text(before), "--set", "time.end=0.8", "--new-case"))
    assert len(more["t"]) == 9 and all(np.array_equal(more[k][:5], there[k]) for k in ("t", "position", "velocity"))


def test_a_name_that_is_given_again_takes_no_rows_away(run):
    """Left out on the way, and asked for again: they would begin a new file in the place of the old one. A start that was given up leaves nothing that stays."""
    text = head(0.02, (8, 8, 8), end=0.2, dt=0.1, every=0.1) + '[initial]\nkind = "random"\n'
    there = data(run("again", text + group(count=5)))
    run("again", text, "--set", "time.end=0.4", "--new-case")
    result = run("again", text + group(count=5), "--set", "time.end=0.6", "--new-case", expect=65)
    assert "already has rows up to step 2" in result.stderr and "another name" in result.stderr, result.stderr
    assert np.array_equal(data(run("again", text + group("b", count=5), "--set", "time.end=0.6", "--new-case"), "a")["position"], there["position"])
