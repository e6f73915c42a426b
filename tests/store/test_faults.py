"""Whole runs meet faults: killed at any moment of writing a checkpoint, refused by the disk, out of memory, given NaN.
Whatever happens, no rank hangs, nothing corrupt is trusted, and the same command goes on as if it had not happened."""

import os
import random
import re
import shutil
import subprocess

import h5py
import numpy as np
import pytest

import outputs
import refused
from conftest import ROOT
from outputs import sets
from test_restart import CASE

STEPS, INTERVAL, RANKS = 40, 10, 3
RUN = sets(grid__n=[16, 16, 16], time__dt=0.01, time__max_steps=STEPS, time__end=100.0, output__series_interval=0.0,
           output__checkpoint_interval=0.01 * INTERVAL, output__spectra_interval=0.0, initial__kind="random",
           output__retry_interval=1, output__retry_limit=20)


@pytest.fixture(scope="module")
def preload(tmp_path_factory):
    if os.environ.get("TRIAD_BUILD", "").endswith("sanitize"):
        pytest.skip("the sanitizers must be loaded before anything else")
    library = tmp_path_factory.mktemp("preload") / "preload.so"
    compiler = os.environ.get("CC", "cc")
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-w", "-o", library, ROOT / "tests/help/preload.c", "-ldl", "-lm"],
                   check=True, timeout=60)
    return library


@pytest.fixture(scope="module")
def plans(tmp_path_factory):
    folder = tmp_path_factory.mktemp("plans")
    yield {"TRIAD_WISDOM": folder / "wisdom"}
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def run(mpirun, triad, plans, preload):
    """run(folder, fault): fault "RANK:KIND:K:ACTION" or none; a lock that a killed run left is taken over."""
    def start(folder, fault=None, count=None, ranks=RANKS, expect=None, timeout=60, more=()):
        env = dict(plans)
        options = ()
        if fault:
            env.update(TRIAD_FAULT=fault, **({"TRIAD_FAULT_COUNT": str(count)} if count else {}))
            # for the ranks alone, not for mpirun
            options = ("-x", f"LD_PRELOAD={preload}", "-x", "TRIAD_FAULT", *(("-x", "TRIAD_FAULT_COUNT") if count else ()))
        return mpirun(ranks, triad, "run", CASE, "--dir", folder, *RUN, *more, env=env, options=options,
                      timeout=timeout, expect=expect)
    return start


@pytest.fixture(scope="module")
def whole(launcher, triad, plans, tmp_path_factory):
    """What a run without faults gives."""
    folder = tmp_path_factory.mktemp("whole") / "run"
    launcher(RANKS, triad, "run", CASE, "--dir", folder, *RUN, timeout=60, expect=0, env=plans)
    yield folder
    shutil.rmtree(folder.parent, ignore_errors=True)


def seeded():
    seed = int(os.environ.get("TRIAD_TEST_SEED", random.randrange(10**6)))
    print("TRIAD_TEST_SEED", seed)
    return random.Random(seed)


def steps_written(folder):
    return int(outputs.rows(folder)[-1].split(",")[0]) if (folder / "series.csv").exists() else 0


def goes_on(run, folder, whole):
    """The same command resumes without any cleaning; what comes out is what a run without faults gives. Returns the step
    it resumed from."""
    result = run(folder, expect=0)
    said = result.stdout + result.stderr
    assert outputs.rows(folder) == outputs.rows(whole), said
    assert outputs.same_bits(folder, whole), said
    resumed = re.search(r"(?:resumed from \S+:|already finished: t = \S+,) step (\d+)", said)
    return int(resumed.group(1)) if resumed else 0


counted = {}


def calls(run, tmp_path, kind, ranks=RANKS):
    """How many calls of the kind each rank makes in a whole run."""
    if (kind, ranks) in counted:
        return counted[kind, ranks]
    out = counted[kind, ranks] = []
    for rank in range(ranks):
        folder = tmp_path / f"count-{rank}"
        run(folder, f"{rank}:{kind}:0:EIO", count=tmp_path / "count", ranks=ranks, expect=0)
        out.append(int((tmp_path / f"count.{rank}").read_text()))
        shutil.rmtree(folder)
    return out


@pytest.mark.limit(600)
def test_kill_9_at_random_moments_of_the_commit_loses_at_most_one_interval(run, tmp_path, whole):
    rng, n = seeded(), calls(run, tmp_path, "commit")
    assert n[0] > 60 and min(n[1:]) > 10, n
    lost, moments = 0, 10
    for i in range(moments):
        rank = rng.choice([0, 0, 1, 2])
        at = rng.randint(1, n[rank])
        folder = tmp_path / f"killed-{i}"
        result = run(folder, f"{rank}:commit:{at}:kill")
        assert result.code not in (0, None), f"rank {rank} was not killed at {at} of {n[rank]}\n{result}"
        reached = steps_written(folder)
        resumed = goes_on(run, folder, whole)
        # the interval that the checkpoint at hand would have ended, and the step after it
        assert reached - resumed <= INTERVAL + 1, f"rank {rank}, call {at}: resumed at {resumed}, had reached {reached}"
        lost += reached - resumed > INTERVAL + 1
        shutil.rmtree(folder)
    print(f"{moments} kills, {lost} lost")


@pytest.mark.limit(400)
@pytest.mark.parametrize("kind, action", [("pwrite", "ENOSPC"), ("pwrite", "EIO"), ("fsync", "EIO"), ("rename", "EIO"),
                                          ("commit", "EIO")])
def test_a_disk_that_refuses_once_loses_nothing(run, tmp_path, whole, kind, action):
    rng, n = seeded(), calls(run, tmp_path, kind)
    for i in range(4):
        rank = rng.choice([r for r in range(RANKS) if n[r] > 0])
        at = rng.randint(1, n[rank])
        folder = tmp_path / f"refused-{i}"
        result = run(folder, f"{rank}:{kind}:{at}:{action}", timeout=90)
        assert result.code in (0, 74), f"rank {rank}, {kind} {at} of {n[rank]}\n{result}"
        goes_on(run, folder, whole)
        shutil.rmtree(folder)


@pytest.mark.limit(600)
def test_memory_that_is_refused_on_one_rank_is_told_by_all(run, tmp_path, whole):
    rng, n = seeded(), calls(run, tmp_path, "malloc", ranks=2)
    codes = []
    for i in range(12):
        rank = rng.randrange(2)
        # most calls are those of rows of the series and of checkpoints: half of the faults go to the beginning
        at = rng.randint(1, n[rank] if i % 2 else min(n[rank], 300))
        folder = tmp_path / f"memory-{i}"
        result = run(folder, f"{rank}:malloc:{at}:ENOMEM", ranks=2, timeout=60)
        assert result.code in (0, 71, 74), f"rank {rank}, allocation {at} of {n[rank]}\n{result}"
        assert result.code == 0 or result.errors, result
        codes.append(result.code)
        if (folder / "case.resolved.toml").exists():
            run(folder, ranks=2, expect=0)
            # two ranks in place of three: the same to round-off
            assert outputs.distance(folder, whole) < 1e-12
        shutil.rmtree(folder, ignore_errors=True)
    assert codes.count(71) > 2, codes


FAMILIES = ("scalars", "boussinesq", "gpe", "phase-shift", "split", "particles", "compressible", "staggered", "multiblock", "fct")


def spared(names):
    """Without memory for these a line of the log, or the reason beside an unused key, is left out, and the flow is the same; for the list
    of written files there is a warning. Every other allocation that is refused ends the run."""
    said = names[0] in ("compose", "triad_outlet_write", "say", "triad_log_say") and "triad_log_say" in names[:4]
    return said or names[0] == "triad_case_slot_text" and "triad_case_is_void" in names[1:3] or "triad_written_add" in names[:2]


@pytest.mark.parametrize("name", FAMILIES)
def test_memory_that_is_refused_while_a_flow_is_made_is_told_by_all(triad, preload, tmp_path, name):
    """Six allocations of the solver's create, on rank 0 and 1 by turns; all of them: tests/long/refusals."""
    one = refused.Refusals(triad, name, tmp_path, preload)
    rank = FAMILIES.index(name) % 2
    within = [c for c in dict.fromkeys(one.callers(rank)) if {"triad_loop_begin", "triad_run"} & set(one.named(c))
              and "triad_outputs_due" not in one.named(c)]
    assert len(within) > 30, within
    for callers in within[5::len(within) // 6][:6]:
        outcome, names = one.refuse(rank, callers), one.named(callers)
        assert not outcome.bad and outcome.code == (0 if spared(names) else 71), (names, outcome)
        listed = "triad_written_add" not in names[:2] or rank == 1  # rank 0 looks after the files of the run
        assert listed or "out of memory for the list of written files" in outcome.told, (names, outcome)


@pytest.mark.parametrize("name, where, rank", [
    ("hd", "triad_loop_begin", 0), ("hd", "triad_loop_begin", 1),  # the other one looked into a run that was not there yet
    ("hd", "driver_write", 0), ("particles", "driver_write", 0),  # HDF5 does not survive a file that it cannot close
    ("spectra", "triad_schema_create (?!.*triad_session_case_text).*triad_spectra_case", 1),  # it took another case than the others
    ("target", "triad_case_tune", 1), ("tune", "triad_case_room.*triad_case_tune", 0)])  # likewise; it asked for a key without value
def test_memory_that_is_refused_where_a_run_once_hung_or_crashed(triad, preload, tmp_path, name, where, rank):
    one = refused.Refusals(triad, name, tmp_path, preload)
    there = [c for c in dict.fromkeys(one.callers(rank)) if re.match(where, " ".join(one.named(c)))]
    met = 0
    for callers in there[::-1]:
        outcome = one.refuse(rank, callers)
        if name == "tune" and not outcome.met:
            continue  # what is tried next depends on times: some allocations are not met each time
        assert outcome.code == 71 and not outcome.bad, (one.named(callers), outcome)
        met += 1
        if met == 2:
            break
    assert met > 0, there


@pytest.mark.parametrize("rank, more", [(0, ()), (1, ()), (2, sets(time__dt=0, time__cfl=0.5))],
                         ids=["rank-0", "rank-1", "cfl"])
def test_nan_on_one_rank_ends_the_run_and_never_reaches_a_checkpoint(run, tmp_path, whole, rank, more):
    folder = tmp_path / "run"
    n = calls(run, tmp_path, "fft")[rank]
    result = run(folder, f"{rank}:fft:{2 * n // 3}:nan", more=more)
    assert result.code == 80, result
    assert re.search(r"blow-up: .*step \d+", result.stderr) and "the last valid checkpoint is of step" in result.stderr
    for c in outputs.checkpoints(folder):
        m = outputs.modes(c)
        assert all((abs(m[f]) < 1e3).all() for f in outputs.FIELDS), c
    if not more:
        assert goes_on(run, folder, whole) > 0


# ---- what the surroundings take away ----

def start_alone(triad, folder, *arguments, before="", env=None, timeout=60):
    """One process, started by a shell that has done `before`."""
    line = f"{before} exec \"$@\""
    return subprocess.run(["bash", "-c", line, "bash", triad, "run", *map(str, arguments), "--dir", folder],
                          capture_output=True, text=True, timeout=timeout,
                          env={**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                               "OMP_NUM_THREADS": "1", "TRIAD_REPORT": "no", **(env or {})})


TINY = sets(grid__n=[12, 12, 12], time__max_steps=2, output__slices_interval=0)


def test_files_of_others_are_read_where_the_parent_ignores_its_children(triad, tmp_path):
    with h5py.File(tmp_path / "start.h5", "w") as f:
        for name in "uvw":
            f[name] = np.zeros((12, 12, 12))
    said = start_alone(triad, tmp_path / "run", CASE, *TINY, *sets(initial__kind="file", initial__file=str(tmp_path / "start.h5")),
                       before="trap '' CHLD;")
    assert said.returncode == 0, said


@pytest.mark.parametrize("limit, words", [("ulimit -n 16;", "only 16 files can be open at a time"),
                                          ("ulimit -f 64;", "files are limited to 65536 bytes")], ids=["files", "size"])
def test_limits_that_mpi_fails_on_are_told_first(triad, tmp_path, limit, words):
    said = start_alone(triad, tmp_path / "run", CASE, *TINY, before=limit)
    assert said.stderr.startswith("triad: warning: " + words), said.stderr


def test_machine_without_sys_is_told_once_in_our_words(triad, tmp_path):
    hide = ["unshare", "-m", "sh", "-c", "mount -t tmpfs none /sys && exec \"$@\"", "sh"]
    if os.geteuid() != 0 or subprocess.run([*hide, "true"], capture_output=True).returncode != 0:
        pytest.skip("hiding /sys takes root")
    said = subprocess.run([*hide, triad, "run", CASE, "--dir", tmp_path / "run", *map(str, TINY),
                           *sets(equations__viscosity=1)], capture_output=True, text=True,  # resolved, or it warns
                          timeout=60, env={**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                                           "TRIAD_REPORT": "no"})
    assert said.returncode == 0 and said.stdout.count("/sys is not available") == 1 and said.stderr == "", said


# ---- numbers at their ends ----

def test_flow_that_decays_to_nothing_ends_well(mpirun, triad, tmp_path):
    # exp(-3 t) of the vortex: beyond t = 120 its squares, from t = 240 its numbers themselves are below the smallest
    result = mpirun(1, triad, "run", CASE, "--dir", tmp_path / "run", *sets(
        grid__n=[16, 16, 16], equations__viscosity=1, time__dt=0.5, time__end=400, output__spectra_interval=1,
        output__line_spectra=True, output__structure_functions="all", output__slices_interval=0))
    assert result.code == 0, result


@pytest.mark.parametrize("energy", [1e39, 1e75])
def test_numbers_beyond_the_largest_are_a_blow_up(mpirun, triad, tmp_path, energy):
    result = mpirun(1, triad, "run", CASE, "--dir", tmp_path / "run", *sets(
        grid__n=[16, 16, 16], precision="single", initial__kind="random", initial__energy=energy, output__slices_interval=0,
        time__end=1))
    assert result.code == 80, result


def test_step_that_no_longer_moves_the_time_ends_the_run_with_the_reason(mpirun, triad, tmp_path):
    result = mpirun(1, triad, "run", CASE, "--dir", tmp_path / "run", *sets(
        grid__n=[16, 16, 16], initial__kind="random", initial__energy=1e40, output__slices_interval=0, output__transfer=False,
        output__spectra_interval=0, time__end=1))
    assert result.code == 80, result
    assert "dt has been so small for 100 steps" in result.stderr and "dt is limited by advection" in result.stderr, result


def test_fixed_step_that_no_longer_moves_the_time_ends_the_run(mpirun, triad, tmp_path):
    fixed = sets(grid__n=[12, 12, 12], output__slices_interval=0, time__end=2)
    mpirun(1, triad, "run", CASE, "--dir", tmp_path / "run", *fixed, *sets(time__dt=0.5, time__max_steps=2), expect=0)
    # half a unit in the last place of t = 1 is 1.1e-16
    result = mpirun(1, triad, "run", CASE, "--dir", tmp_path / "run", *fixed, *sets(time__dt=1e-17, time__max_steps=100), expect=80)
    assert "dt = 1e-17 is too small to change t = 1" in result.stderr and "dt is limited by time.dt" in result.stderr, result


def test_a_stack_too_small_is_an_error_and_a_limit_that_may_be_raised_is(triad, tmp_path):
    """ulimit -s: the hard limit refuses with 71 and a remedy, the soft one alone is raised."""
    import resource
    for soft, hard, code in ((64, 64, 71), (128, 128, 71), (64, None, 0)):
        def limit(soft=soft, hard=hard):
            resource.setrlimit(resource.RLIMIT_STACK, (soft << 10, resource.getrlimit(resource.RLIMIT_STACK)[1] if hard is None else hard << 10))
        done = subprocess.run([triad, "run", "-q", ROOT / "runs/taylor-green-demo/case.toml", "--dir", tmp_path / f"run-{soft}-{hard}",
                               "--set", "grid.n=[8,8,8]", "--set", "time.max_steps=2", "--set", "output.report=false"],
                              capture_output=True, text=True, timeout=60, preexec_fn=limit)
        assert done.returncode == code and ("ulimit -s 8192" in done.stderr) == (code == 71), (soft, hard, done)
