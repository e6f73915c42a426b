"""Files that somebody deletes or moves away while a run is at work: the run says so when it notices, and ends with 74."""
import os
import re
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

import torture
from waiting import wait_for


def command(triad, flow, rundir, steps, *more):
    case, keys = torture.FLOWS[flow]
    words = [*torture.ALL, *keys, f"time.max_steps={steps}", "output.retry_limit=60", "output.retry_interval=0.1", *more]
    return [triad, "run", torture.ROOT / "runs" / case / "case.toml", "--dir", rundir, *(w for k in words for w in ("--set", k))]


def is_stopped(pid):
    """A signal stops one thread after the other: until then one may still write, or end."""
    try:
        return all((task / "stat").read_text().rsplit(")", 1)[1].split()[0] == "T" for task in Path(f"/proc/{pid}/task").iterdir())
    except (FileNotFoundError, ProcessLookupError):
        return False


def held(triad, flow, rundir, wait, change, *more):
    """The run is stopped once the file `wait` is present; `change` is made; it goes on to its end. (exit code, output)"""
    process = subprocess.Popen(command(triad, flow, rundir, 120, *more), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                               env=os.environ | {"TRIAD_REPORT": "no", "OMP_NUM_THREADS": "1"})
    try:
        wait_for(lambda: list(rundir.glob(wait)), wait)
        process.send_signal(signal.SIGSTOP)
        wait_for(lambda: process.poll() is not None or is_stopped(process.pid), "the run to stop")
        change()
        process.send_signal(signal.SIGCONT)
        return process.wait(100), process.stdout.read()
    finally:
        process.kill()


KINDS = [("hd", "log.txt", "log.txt"), ("hd", "case.resolved.toml", "case.resolved.toml"), ("hd", "run.lock", "run.lock"),
         ("hd", "spectra", "spectra-00000000.h5"), ("hd", "fields", "fields-00000000.h5"),
         ("hd", "slices", r"slice1\S*-00000000"), ("fct", "probes", "a-00000000.h5"),
         ("multiblock", "surfaces", "surface-00000000.h5")]


@pytest.mark.limit(120)
@pytest.mark.parametrize("flow, gone, named", KINDS, ids=[k[1] for k in KINDS])
def test_what_is_deleted_during_a_run_is_named_once_and_the_exit_code_is_74(triad, rundir, flow, gone, named):
    def delete():
        path = rundir / gone
        shutil.rmtree(path) if path.is_dir() else path.unlink()

    code, said = held(triad, flow, rundir, "checkpoints/latest", delete)
    assert code == 74, (code, said)
    lines = [line for line in said.splitlines() if " missing in " in line and "such as" in line]
    assert len(lines) == 1 and re.search(named, lines[0]), said
    assert "the flow is complete, but" in said
    # the flow is not lost: the same command finds its end
    again = subprocess.run(command(triad, flow, rundir, 120), capture_output=True, text=True, timeout=60)
    assert again.returncode == 0 or gone == "case.resolved.toml" and again.returncode == 65, again


def test_files_that_the_run_makes_again_or_deletes_itself_are_not_missing(triad, rundir):
    """means.h5 has all samples whenever it is written, and checkpoints retire."""
    means = ['output.means=["spectra"]', "output.means_interval=0.02"]
    code, said = held(triad, "hd", rundir, "means.h5", (rundir / "means.h5").unlink, *means)
    assert code == 0 and "missing" not in said and (rundir / "means.h5").exists(), said
