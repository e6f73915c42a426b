"""Whole runs meet faults: killed at any moment of writing a checkpoint, refused by the disk, out of memory, given NaN.
Whatever happens, no rank hangs, nothing corrupt is trusted, and the same command goes on as if it had not happened."""

import os
import random
import re
import shutil
import subprocess

import pytest

import outputs
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
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-w", "-o", library, ROOT / "tests/preload.c", "-ldl", "-lm"],
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
    resumed = re.search(r"resumed from \S+: step (\d+)", said)
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
    lost, moments = 0, 20
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
    for i in range(24):
        rank = rng.randrange(2)
        # most calls are those of rows of the series and of checkpoints: half of the faults go to the beginning
        at = rng.randint(1, n[rank] if i % 2 else min(n[rank], 300))
        folder = tmp_path / f"memory-{i}"
        result = run(folder, f"{rank}:malloc:{at}:ENOMEM", ranks=2, timeout=60)
        assert result.code in (0, 71, 74), f"rank {rank}, allocation {at} of {n[rank]}\n{result}"
        said = [line for line in result.stderr.splitlines() if line.startswith("triad: ")]
        assert result.code == 0 or len(said) >= 1, result
        codes.append(result.code)
        if (folder / "case.resolved.toml").exists():
            run(folder, ranks=2, expect=0)
            # two ranks in place of three: the same to round-off
            assert outputs.distance(folder, whole) < 1e-12
        shutil.rmtree(folder, ignore_errors=True)
    assert codes.count(71) > 5, codes


@pytest.mark.parametrize("rank, more", [(0, ()), (1, ()), (2, sets(time__dt=0, time__cfl=0.5))],
                         ids=["rank-0", "rank-1", "cfl"])
def test_nan_on_one_rank_ends_the_run_and_never_reaches_a_checkpoint(run, tmp_path, whole, rank, more):
    folder = tmp_path / "run"
    n = calls(run, tmp_path, "fft")[rank]
    result = run(folder, f"{rank}:fft:{2 * n // 3}:nan", more=more)
    assert result.code == 80, result
    assert re.search(r"blow-up: .*step \d+", result.stderr) and "the last good checkpoint is of step" in result.stderr
    for c in outputs.checkpoints(folder):
        m = outputs.modes(c)
        assert all((abs(m[f]) < 1e3).all() for f in outputs.FIELDS), c
    if not more:
        assert goes_on(run, folder, whole) > 0
