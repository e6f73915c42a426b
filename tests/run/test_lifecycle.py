"""A run's life between its steps: one at a time, stopped in good order, and patient with disks that refuse."""

import os
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest

import outputs
from conftest import ROOT
from outputs import sets
from waiting import wait_for

CASE = ROOT / "runs/taylor-green-demo/case.toml"
# steps of about a millisecond, and more of them than any test waits for
LONG = sets(grid__n=[16, 16, 16], time__dt=1e-4, time__end=1000, output__spectra_interval=0, output__series_interval=1)


@pytest.fixture
def running(mpirun, triad, rundir):
    """A run under way in rundir; returns the process."""
    def start(n=1, *more, **popen):
        before = len(log_of(rundir))
        process = mpirun.start(n, triad, "run", CASE, "--dir", rundir, *LONG, *more, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True, **popen)
        wait_for(lambda: "  dt " in log_of(rundir)[before:], "the first step")
        return process
    return start


def log_of(run):
    path = run / "log.txt"
    return path.read_text() if path.exists() else ""


def last_step(run):
    return max(int(p.name.split("-")[1]) for p in (run / "checkpoints").glob("step-*"))


# ---- the lock ----

@pytest.mark.parametrize("more", [(), ("--break-lock",)])
def test_two_runs_do_not_share_a_directory(running, mpirun, triad, rundir, more):
    running(2)
    before = (rundir / "provenance.json").read_bytes()
    second = mpirun(2, triad, "run", CASE, "--dir", rundir, *LONG, *more, expect=74)
    assert re.search(r"run\.lock: process \d+ on host .* is running in this directory", second.stderr), second
    assert len(second.errors) == 1, second
    assert (rundir / "provenance.json").read_bytes() == before, "the directory is as it was"


def kill_rank_0(process, rundir):
    victim = int(re.search(r"pid (\d+)", (rundir / "run.lock").read_text()).group(1))
    os.kill(victim, signal.SIGKILL)
    process.wait(30)
    return victim


@pytest.mark.parametrize("ranks", [1, 3])
def test_lock_of_a_killed_run_is_taken_over_with_a_line_in_the_log(running, mpirun, triad, rundir, ranks):
    victim = kill_rank_0(running(ranks), rundir)
    assert (rundir / "run.lock").exists()
    done = mpirun(ranks, triad, "run", CASE, "--dir", rundir, *LONG, "--set", "time.max_steps=5", expect=0)
    assert f"process {victim} on host" in done.stdout and "its lock is taken over" in done.stdout, done
    assert "its lock is taken over" in log_of(rundir)
    assert not (rundir / "run.lock").exists()


def test_lock_of_a_killed_run_is_broken_at_once_when_asked(running, mpirun, triad, rundir):
    victim = kill_rank_0(running(1), rundir)
    done = mpirun(1, triad, "run", CASE, "--dir", rundir, *LONG, "--set", "time.max_steps=5", "--break-lock", expect=0)
    assert f"the lock of process {victim}" in done.stdout and "is broken as requested" in done.stdout


# ---- locks as other processes and machines leave them ----

SHORT = (*LONG, "--set", "time.max_steps=2")


def own_lines():
    """What a lock of a process here says, less the process."""
    def read(path):
        return (Path(path).read_text().strip() if Path(path).exists() else "") or "-"
    return {"host": os.uname().nodename, "machine": read("/etc/machine-id"), "boot": read("/proc/sys/kernel/random/boot_id"),
            "space": os.readlink("/proc/self/ns/pid")}


def start_of(pid):
    return int(Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[19])


def lock_text(pid, start, job="-", hosts=1, watchdog=600, ranks=(), **changed):
    lines = {**own_lines(), **changed, "pid": pid, "start": start, "job": job, "hosts": hosts, "watchdog": watchdog}
    return "triad-lock 2\n" + "".join(f"{k} {v}\n" for k, v in lines.items()) + "".join(
        f"rank {p} {s}\n" for p, s in ranks) + "end\n"


@pytest.fixture
def leave_lock(mpirun, triad, rundir):
    """Put a lock into the directory of a finished run; begin(..) then starts a run there."""
    mpirun(1, triad, "run", CASE, "--dir", rundir, *SHORT, expect=0)

    def begin(text, *more, expect, age=0, env=None):
        (rundir / "run.lock").write_bytes(text.encode("latin-1"))
        os.utime(rundir / "run.lock", (time.time() - age,) * 2)
        done = mpirun(1, triad, "run", CASE, "--dir", rundir, *SHORT, *more, expect=expect, env=env)
        if expect == 0:
            assert "lock" not in done.stderr, "taking over is no warning"
        return done
    return begin


@pytest.fixture
def gone():
    """Number and start of a process that has ended."""
    process = subprocess.Popen(["sleep", "60"])
    out = process.pid, start_of(process.pid)
    process.kill()
    process.wait()
    return out


@pytest.fixture
def alive():
    process = subprocess.Popen(["sleep", "60"])
    yield process.pid, start_of(process.pid)
    process.kill()
    process.wait()


def test_lock_of_another_boot_of_this_host_is_taken_over(leave_lock, alive):
    # the process number lives again, which says nothing of the one before the boot
    assert "its lock is taken over" in leave_lock(lock_text(*alive, boot="0-0-0"), expect=0).stdout


def test_lock_of_a_process_number_that_is_used_again_is_taken_over(leave_lock, alive):
    assert "its lock is taken over" in leave_lock(lock_text(alive[0], alive[1] - 1), expect=0).stdout


@pytest.mark.parametrize("changed", [{"host": "elsewhere", "boot": "0-0-0"}, {"space": "pid:[1]"},
                                     {"machine": "0" * 32, "boot": "0-0-0"}, {"space": "pid:[1]", "boot": "0-0-0"}],
                         ids=["host", "namespace", "machine", "namespace-and-boot"])
def test_lock_of_a_process_that_may_live_elsewhere_is_named_with_what_to_do(leave_lock, gone, changed):
    text = lock_text(*gone, job="8", **changed)
    refused = leave_lock(text, expect=74)
    host = changed.get("host", os.uname().nodename)
    assert f"process {gone[0]} on host {host} (job 8)" in refused.stderr and "if that run has surely ended, use --break-lock" in refused.stderr
    assert "is broken as requested" in leave_lock(text, "--break-lock", expect=0).stdout


@pytest.mark.parametrize("more", [(), ("--break-lock",)])
def test_lock_of_a_process_that_lives_is_never_taken(leave_lock, alive, more):
    assert "is running in this directory" in leave_lock(lock_text(*alive), *more, expect=74).stderr


def test_lock_as_an_earlier_version_wrote_it_is_named(leave_lock, gone):
    own = own_lines()
    text = f"triad-lock 1\nhost {own['host']}\nboot {own['boot']}\npid {gone[0]}\nstart {gone[1]}\njob -\n"
    assert "if that run has surely ended" in leave_lock(text, expect=74).stderr


def test_job_that_is_started_again_takes_its_own_lock_back(leave_lock, gone):
    text = lock_text(*gone, job="4711", host="elsewhere", boot="0-0-0")
    leave_lock(text, expect=74, env={"SLURM_JOB_ID": "4712"})
    assert "this job was restarted" in leave_lock(text, expect=0, env={"SLURM_JOB_ID": "4711"}).stdout


def test_ranks_of_a_killed_run_that_live_on_are_waited_for(leave_lock, gone):
    process = subprocess.Popen(["sleep", "10"])
    text = lock_text(*gone, ranks=[(process.pid, start_of(process.pid))])
    done = leave_lock(text, expect=0)
    assert process.poll() is not None, "the start has waited for it"
    assert "but not all of its ranks: waiting" in done.stdout, done


def test_job_of_several_hosts_is_waited_for_as_long_as_its_watchdog_takes(leave_lock, gone):
    # 5 s beyond the watchdog (GRACE of store/lock.c)
    done = leave_lock(lock_text(*gone, hosts=2, watchdog=1), expect=0)
    assert done.seconds > 6 and "until its ranks on other hosts must have noticed" in done.stdout, done
    refused = leave_lock(lock_text(*gone, hosts=2, watchdog=0), expect=74)
    assert "output.watchdog is 0" in refused.stderr


CUT = ["", "tria", "triad-lock 2\n", "triad-lock 2\nhost a\nmach", "\0" * 200, lock_text(1, 1)[:-3], "triad-lock 1\nhost a\nb",
       lock_text(1, 1)[:60] + "\0" * 90]


@pytest.mark.parametrize("text", CUT, ids=range(len(CUT)))
def test_lock_that_a_crash_has_cut_short_is_taken_over_once_it_is_old(leave_lock, text):
    assert "was truncated by a crash of the machine" in leave_lock(text, expect=0, age=3600).stdout


def test_lock_that_was_cut_short_just_now_is_waited_for(leave_lock):
    # 60 s (OLD of store/lock.c), of which 50 have passed, and more if this machine is slow to start the program
    done = leave_lock("", expect=0, age=50)
    assert done.seconds > 2.5 and "waiting" in done.stdout, done
    assert "was truncated" in leave_lock("", "--break-lock", expect=0).stdout


@pytest.mark.parametrize("text", ["\x00\xff" * 10, "x" * 5000, "x" * 500000, "pid 1\n"], ids=range(4))
def test_lock_of_foreign_bytes_is_refused_in_words(leave_lock, text):
    assert "not a lock of Triad" in leave_lock(text, expect=74, age=3600).stderr


def test_of_many_that_take_over_one_lock_one_runs(mpirun, triad, rundir, gone):
    mpirun(1, triad, "run", CASE, "--dir", rundir, *SHORT, expect=0)
    (rundir / "run.lock").write_text(lock_text(*gone))
    starts = [mpirun.start(1, triad, "run", CASE, "--dir", rundir, *LONG, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                           text=True) for _ in range(4)]
    wait_for(lambda: sum(p.poll() is not None for p in starts) == 3, "three of four to be refused")
    wait_for(lambda: "  dt " in log_of(rundir), "the fourth to run")
    subprocess.run([triad, "stop", rundir, "--wait"], check=True, timeout=60)
    assert sorted(p.wait(30) for p in starts) == [74, 74, 74, 75], [p.communicate()[0] for p in starts]


# ---- stopping ----

@pytest.mark.parametrize("ranks", [1, 3])
def test_triad_stop_ends_a_run_with_a_checkpoint(running, triad, rundir, ranks):
    process = running(ranks)
    said = subprocess.run([triad, "stop", rundir, "--wait"], capture_output=True, text=True, timeout=60)
    assert said.returncode == 0 and "will save and stop" in said.stdout, said
    assert process.wait(30) == 75
    assert f"stopped by triad stop at step {last_step(rundir)}" in log_of(rundir)


def test_triad_stop_tells_when_nothing_runs(mpirun, triad, rundir, tmp_path):
    mpirun(1, triad, "run", CASE, "--dir", rundir, *LONG, "--set", "time.max_steps=2", expect=0)
    said = subprocess.run([triad, "stop", rundir], capture_output=True, text=True, timeout=60)
    assert said.returncode == 0 and "nothing is running" in said.stdout
    assert not (rundir / "stop").exists()
    for path, code in ((tmp_path / "missing", 66), (tmp_path, 65)):
        assert subprocess.run([triad, "stop", path], capture_output=True, timeout=60).returncode == code


def test_old_stop_file_does_not_stop_the_next_run(mpirun, triad, rundir):
    mpirun(1, triad, "run", CASE, "--dir", rundir, *LONG, "--set", "time.max_steps=2", expect=0)
    (rundir / "stop").write_text("old\n")
    mpirun(1, triad, "run", CASE, "--dir", rundir, *LONG, "--set", "time.max_steps=4", expect=0)


def test_stop_file_that_has_been_heeded_does_not_stop_the_next_run_of_that_process_number(mpirun, triad, rundir):
    """In containers the next start often has the number of the one before, by which the file names its run."""
    process = mpirun.start(1, triad, "run", CASE, "--dir", rundir, *LONG)
    wait_for(lambda: (rundir / "series.csv").exists(), "the series")
    said = subprocess.run([triad, "stop", rundir, "--wait"], capture_output=True, text=True, timeout=60)
    assert said.returncode == 0 and process.wait(60) == 75, said
    assert not (rundir / "stop").exists()


def test_triad_stop_is_not_lost_while_a_run_gets_ready(mpirun, triad, rundir):
    # a grid whose plans take some seconds to be measured
    process = mpirun.start(1, triad, "run", CASE, "--dir", rundir, *LONG, *sets(grid__n=[144, 150, 160]),
                           env={"TRIAD_WISDOM": rundir.parent / "wisdom"}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                           text=True)
    wait_for(lambda: (rundir / "run.lock").exists(), "the lock")
    said = subprocess.run([triad, "stop", rundir], capture_output=True, text=True, timeout=60)
    assert said.returncode == 0 and "will save and stop" in said.stdout, said
    assert process.wait(100) == 75, process.communicate()[0]
    assert last_step(rundir) == 1


def test_wall_clock_limit_stops_in_time_with_a_checkpoint(mpirun, triad, rundir):
    result = mpirun(2, triad, "run", CASE, "--dir", rundir, *LONG, "--max-walltime", "0:08", expect=75)
    assert f"stopped by the wall-clock limit at step {last_step(rundir)}" in log_of(rundir)
    assert result.seconds < 12, result


def test_limit_that_is_too_short_still_takes_a_step(mpirun, triad, rundir):
    for _ in range(2):
        mpirun(1, triad, "run", CASE, "--dir", rundir, *LONG, "--max-walltime", "0.01", expect=75)
    assert last_step(rundir) >= 2, "a chain of such jobs goes on"


@pytest.mark.parametrize("text", ["soon", "1:2:3:4", "-5", "0", "1-5", "0-10", "0-0-5", "1:x"])
def test_wall_clock_limit_that_is_no_time_is_refused(mpirun, triad, rundir, text):
    refused = mpirun(1, triad, "run", CASE, "--dir", rundir, f"--max-walltime={text}", expect=64)
    assert "--max-walltime" in refused.stderr and not rundir.exists()


def waits_for(pid, number):
    """Has a signal not been taken yet?"""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:  # gone, or going
        return False
    return any(int(mask, 16) >> (number - 1) & 1 for mask in re.findall(r"(?:ShdPnd|SigPnd):\s*(\w+)", status))


def test_second_interrupt_ends_at_once(running, rundir):
    # steps that take much longer than the time between the two
    process = running(1, "--set", "grid.n=[128,128,128]")
    pid = int(re.search(r"pid (\d+)", (rundir / "run.lock").read_text()).group(1))
    for _ in range(2):  # the second when the first has been taken: two that wait are one
        os.kill(pid, signal.SIGINT)
        while waits_for(pid, signal.SIGINT):
            time.sleep(0.002)
    assert process.wait(30) not in (0, 75), "the second one aborts"
    assert not list((rundir / "checkpoints").glob("step-*")), "without saving"


# ---- refusals before work ----

def test_grid_too_large_for_the_memory_is_refused_with_what_would_fit(mpirun, triad, rundir):
    refused = mpirun(2, triad, "run", CASE, "--dir", rundir, *sets(grid__n=[4096, 4096, 4096]), expect=71)
    for words in ("required", "free", "largest user", "Possible here: grid.n = ["):
        assert words in refused.stderr, refused
    assert not rundir.exists(), "nothing was written"


def test_memory_table_is_told_before_the_first_step(mpirun, triad, rundir):
    mpirun(2, triad, "run", CASE, "--dir", rundir, *LONG, "--set", "time.max_steps=2", expect=0)
    log = log_of(rundir)
    for owner in ("state", "stepper", "work columns", "exchange buffers", "planes and blocks", "total"):
        assert f"memory of a rank: {owner}" in log, log
    assert log.index("memory of a rank: total") < log.index("step ")


def test_output_that_the_disk_cannot_hold_is_refused(mpirun, triad, rundir):
    huge = sets(grid__n=[64, 64, 64], time__end=1e9, output__fields_interval=1e-3)
    refused = mpirun(1, triad, "run", CASE, "--dir", rundir, *huge, expect=74)
    assert "the disk has" in refused.stderr and "output.disk_check" in refused.stderr
    told = mpirun(1, triad, "run", CASE, "--dir", rundir, *huge, "--set", "output.disk_check=warn", "--max-walltime", "0.01", expect=75)
    assert "the disk has" in told.stderr
    few = mpirun(1, triad, "run", CASE, "--dir", rundir, *huge, *sets(time__max_steps=2), expect=0)
    assert "the disk has" not in few.stderr, "steps write a file of fields each at most"


# ---- disks that refuse ----

@pytest.fixture
def small_disk(tmp_path):
    """A disk of 20 MB."""
    disk = tmp_path / "disk"
    disk.mkdir()
    if os.geteuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=20m", "none", disk],
                                           capture_output=True).returncode != 0:
        pytest.skip("mounting a small disk takes root")
    yield disk
    subprocess.run(["umount", "-l", disk], check=False)


FULL = sets(grid__n=[16, 16, 16], time__dt=1e-3, output__series_interval=0.05, output__spectra_interval=0.05,
            output__checkpoint_interval=0.05, output__disk_check="warn", output__retry_interval=0.2)


def fill(ballast):
    """Take every byte that is left."""
    with open(ballast, "ab", buffering=0) as f:
        for size in (65536, 4096, 1):
            try:
                while True:
                    f.write(bytes(size))
            except OSError:
                pass


@pytest.fixture
def on_full_disk(mpirun, triad, small_disk):
    """A run whose disk has filled up after its second checkpoint: process, run directory, ballast, the file of what it says."""
    def start(*more):
        run, ballast, said = small_disk / "run", small_disk / "ballast", small_disk.parent / "said"
        with open(said, "w", encoding="utf-8") as out:
            process = mpirun.start(2, triad, "run", CASE, "--dir", run, *FULL, "--set", "time.end=1000", *more,
                                   stdout=out, stderr=subprocess.STDOUT)
        wait_for(lambda: len(list((run / "checkpoints").glob("step-*"))) > 1, "two checkpoints", said=said.read_text)
        fill(ballast)
        wait_for(lambda: "could not be written" in said.read_text(), "the disk to refuse", said=said.read_text)
        return process, run, ballast, said
    return start


def test_full_disk_is_waited_for_and_nothing_is_lost(on_full_disk, mpirun, triad):
    process, run, ballast, said = on_full_disk("--set", "output.retry_limit=60")
    ballast.unlink()
    wait_for(lambda: "written after a delay" in log_of(run), "the disk to be used again")
    assert subprocess.run([triad, "stop", run, "--wait"], timeout=60).returncode == 0
    code, text = process.wait(60), said.read_text()
    assert code == 75, text
    assert "No space left on device" in text, text
    steps = [int(row.split(",")[0]) for row in outputs.rows(run)[1:]]
    assert steps == list(range(0, steps[-1] + 1, 50)), "every row is there, once"
    mpirun(1, triad, "run", CASE, "--dir", run, *FULL, "--set", f"time.max_steps={last_step(run) + 5}", expect=0)


def test_disk_that_stays_full_ends_the_run_with_the_last_checkpoint_in_place(on_full_disk, mpirun, triad):
    process, run, ballast, said = on_full_disk("--set", "output.retry_limit=1.5")
    code, text = process.wait(60), said.read_text()
    assert code == 74, text
    assert "the last valid checkpoint remains" in text and "giving up at step" in text, text
    good = last_step(run)
    ballast.unlink()
    result = mpirun(1, triad, "run", CASE, "--dir", run, *FULL, "--set", f"time.max_steps={good + 5}", expect=0)
    assert f"step {good}, t = " in result.stdout and "skipped" not in result.stderr, result


def test_disk_that_is_full_at_the_end_is_given_up_aloud(mpirun, triad, small_disk):
    """Four files of fields of 6.3 MB, of which three fit: the run is at its end when the disk refuses."""
    result = mpirun(1, triad, "run", CASE, "--dir", small_disk / "run", *FULL, *sets(
        grid__n=[64, 64, 64], time__end=3e-3, output__fields_interval=1e-3, output__checkpoint_interval=0,
        output__retry_limit=1.5), expect=74)
    assert "giving up at step 3, t = 0.003" in result.stderr, result.stderr


def test_full_disk_is_told_once_a_retry_and_a_checkpoint_says_what_it_waits_for(on_full_disk):
    """Rows are due at each step, of a millisecond; tries are 0.8 s apart, and there are 4 at most within 2.5 s. The last page
    of the series may take a row or two more after the disk is full, so a checkpoint may fail first."""
    process, run, ballast, said = on_full_disk("--set", "output.retry_limit=2.5", "--set", "output.retry_interval=0.8",
                                               "--set", "output.series_interval=0", "--set", "output.spectra_interval=0",
                                               "--set", "output.checkpoint_interval=0.02")
    code, text = process.wait(60), said.read_text()
    assert code == 74 and "giving up at step" in text, text
    refused = [line for line in text.splitlines() if "No space left" in line and "series" in line]
    assert 1 <= text.count("series of step") <= 4 and len(refused) <= 4, text
    before, after = text.split("series of step", 1)
    failed = re.compile(r"checkpoint of step \d+ could not be written")
    assert not failed.search(after), text
    assert after.count("is delayed until the rows of the series can be written") == (0 if failed.search(before) else 1), text


# ---- the watchdog ----

@pytest.mark.parametrize("victim", [0, 1])
def test_stopped_rank_meets_the_watchdog(running, rundir, victim):
    process = running(3, "--set", "output.watchdog=1.5", options=("--tag-output",))
    own = [int(p) for p in os.listdir("/proc") if p.isdigit() and rank_of(p, rundir) == victim]
    assert len(own) == 1, own
    os.kill(own[0], signal.SIGSTOP)
    text = process.communicate(timeout=60)[0]
    assert process.returncode == 74, text
    stands = dict(re.findall(r"rank (\d+) \(process \d+ on \S+\): no progress for (.*)", text))
    # mpirun wakes the stopped rank to end it, and then it may say so
    assert "was stopped for" in stands.pop(str(victim), "was stopped for"), text
    assert set(stands) == {"0", "1", "2"} - {str(victim)} and "was stopped" not in "".join(stands.values()), text


def rank_of(pid, run):
    """The rank of a process of this run, else None."""
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as f:
            words = f.read().decode(errors="replace").split("\0")
        with open(f"/proc/{pid}/environ", "rb") as f:
            environment = dict(item.split("=", 1) for item in f.read().decode(errors="replace").split("\0") if "=" in item)
    except OSError:
        return None
    if str(run) not in words or "mpirun" in words[0]:
        return None
    rank = environment.get("OMPI_COMM_WORLD_RANK")
    return None if rank is None else int(rank)
