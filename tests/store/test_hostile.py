"""Files that others made, whatever bytes they hold, give a run or an error: never a crash, never a hang. Cases and
manifests are also fuzzed (make fuzz), files that triad info looks at are harmed in test_info.py."""

import os
import random
import subprocess

import h5py
import numpy as np
import pytest

import outputs
from outputs import sets
from test_info import harm
from test_restart import CASE

# [s] HDF5 does not come to an end with one of some hundred harmed files: it is ended after 30 s of work, or 120 s where others
# work too (src/base/guard.c), and a few of them are no failure
PATIENCE = 800
SMALL = sets(grid__n=[12, 12, 12], time__max_steps=1, time__dt=0.001, output__spectra_interval=0.0)
KNOWN = (0, 64, 65, 66, 71, 74, 80)


@pytest.fixture
def start(launcher, triad):
    """triad run without mpirun; returns what it did, which must be one of our exit codes, in time."""
    def call(folder, *arguments, expect=KNOWN, case=CASE, env=None):
        done = subprocess.run([triad, "run", case, "--dir", folder, "-q", *map(str, arguments)],
                              env=launcher.environment(extra=env), capture_output=True, text=True, errors="replace",
                              stdin=subprocess.DEVNULL, timeout=PATIENCE)
        assert done.returncode in (expect if isinstance(expect, tuple) else (expect,)), (
            f"exit code {done.returncode}\n{done.stdout}{done.stderr}")
        assert done.returncode in (0, 80) or done.stderr, "it says nothing"
        return done
    return call


def from_file(path):
    return [*SMALL, "--set", "initial.kind=file", "--set", f"initial.file={path}"]


def field_file(path, n=12, **how):
    x = 2 * np.pi * np.arange(n) / n
    z, y, x = np.meshgrid(x, x, x, indexing="ij")
    with h5py.File(path, "w") as f:
        f.create_dataset("u", data=np.sin(x) * np.cos(y), **how)
        f.create_dataset("v", data=-np.cos(x) * np.sin(y), **how)
        f.create_dataset("w", data=0.1 * np.sin(x), **how)


def seeded():
    seed = int(os.environ.get("TRIAD_TEST_SEED", random.randrange(10**6)))
    print("TRIAD_TEST_SEED", seed)
    return random.Random(seed)


@pytest.mark.limit(PATIENCE + 100)
def test_damaged_initial_fields_give_errors(start, tmp_path):
    rng = seeded()
    field_file(tmp_path / "plain.h5")
    field_file(tmp_path / "packed.h5", chunks=(4, 4, 4), compression="gzip", shuffle=True, fletcher32=True)
    start(tmp_path / "good", *from_file(tmp_path / "plain.h5"), expect=0)
    start(tmp_path / "good2", *from_file(tmp_path / "packed.h5"), expect=0)
    refused = 0
    for i in range(40):
        path = tmp_path / f"harmed-{i}.h5"
        path.write_bytes(harm((tmp_path / ("plain.h5" if i % 2 else "packed.h5")).read_bytes(), rng))
        refused += start(tmp_path / f"run-{i}", *from_file(path)).returncode == 65
    assert refused > 10, "harm without effect proves nothing"


def test_damaged_initial_fields_end_all_ranks_with_one_message(mpirun, triad, tmp_path):
    field_file(tmp_path / "a.h5", chunks=(4, 4, 4), compression="gzip", fletcher32=True)
    data = bytearray((tmp_path / "a.h5").read_bytes())
    for i in range(len(data) // 2, len(data), 50):
        data[i] ^= 0xff
    (tmp_path / "a.h5").write_bytes(data)
    result = mpirun(3, triad, "run", CASE, "--dir", tmp_path / "run", "-q", *from_file(tmp_path / "a.h5"), expect=65)
    assert len([line for line in result.stderr.splitlines() if line.startswith("triad: error: rank")]) == 1, result


@pytest.mark.parametrize("kind", ["truncated", "text", "empty", "folder", "pipe", "device", "other-hdf5"])
def test_what_is_no_field_file_is_refused(start, tmp_path, kind):
    path = tmp_path / "a.h5"
    field_file(path)
    if kind == "truncated":
        path.write_bytes(path.read_bytes()[:3000])
    if kind == "text":
        path.write_text("hello\n")
    if kind == "empty":
        path.write_bytes(b"")
    if kind == "folder":
        path.unlink()
        path.mkdir()
    if kind == "pipe":
        path.unlink()
        os.mkfifo(path)
    if kind == "device":
        path = "/dev/zero"
    if kind == "other-hdf5":
        with h5py.File(path, "w") as f:
            f["rho"] = np.zeros((3, 3))
    start(tmp_path / "run", *from_file(path), expect=(65, 74))


def test_a_file_cannot_make_the_run_read_another_one(start, tmp_path):
    secret = tmp_path / "secret.h5"
    field_file(secret)
    (tmp_path / "numbers").write_bytes(bytes(8 * 12**3))
    for kind in ("link", "soft", "raw", "virtual", "beside"):
        path = tmp_path / f"{kind}.h5"
        field_file(path)
        with h5py.File(path, "r+") as f:
            f.move("u", "mine")
            if kind == "link":
                f["u"] = h5py.ExternalLink(str(secret), "u")
            if kind == "soft":
                f["u"] = h5py.SoftLink("/mine")
            if kind == "raw":
                f.create_dataset("u", (12, 12, 12), "f8", external=[(str(tmp_path / "numbers"), 0, 8 * 12**3)])
            if kind in ("virtual", "beside"):
                layout = h5py.VirtualLayout((12, 12, 12), "f8")
                layout[...] = h5py.VirtualSource(str(secret) if kind == "virtual" else secret.name, "u", (12, 12, 12))
                f.create_virtual_dataset("u", layout)
        assert "not followed" in start(tmp_path / f"run-{kind}", *from_file(path), expect=65).stderr


def test_sizes_that_a_field_file_only_claims_end_in_an_error(start, tmp_path):
    with h5py.File(tmp_path / "a.h5", "w") as f:
        for name in "uvw":
            f.create_dataset(name, (10**6, 10**6, 10**6), "f8", chunks=(1, 100, 100))
    start(tmp_path / "run", *from_file(tmp_path / "a.h5"), expect=(65, 71))


@pytest.mark.limit(PATIENCE + 100)
def test_damaged_plans_cost_time_only(start, tmp_path):
    rng = seeded()
    env = {"TRIAD_WISDOM": tmp_path / "wisdom"}
    start(tmp_path / "good", *SMALL, expect=0, env=env)
    good = (tmp_path / "wisdom-double").read_bytes()
    for i in range(25):
        (tmp_path / "wisdom-double").write_bytes(rng.randbytes(500) if i == 0 else harm(good, rng))
        start(tmp_path / f"run-{i}", *SMALL, expect=0, env=env)
    for i in range(10):
        own = tmp_path / f"own-{i}"
        start(own, *SMALL, expect=0)
        (own / "wisdom-double").write_bytes(harm(good, rng))
        start(own, *SMALL, "--set", "time.max_steps=2", expect=0)


def test_a_damaged_series_is_refused_or_gone_on_with(start, tmp_path):
    rng = seeded()
    for i in range(15):
        run = tmp_path / f"run-{i}"
        start(run, *SMALL, expect=0)
        (run / "series.csv").write_bytes(harm((run / "series.csv").read_bytes(), rng))
        start(run, *SMALL, "--set", "time.max_steps=2", expect=(0, 65))


@pytest.mark.limit(PATIENCE + 100)
def test_fields_of_others_in_the_folder_end_no_run(start, tmp_path):
    rng = seeded()
    run = tmp_path / "run"
    fields = ["--set", "output.fields_interval=0.001"]
    start(run, *SMALL, *fields, expect=0)
    good = (run / "fields/fields-00000001.h5").read_bytes()
    for step in range(100, 130):
        (run / f"fields/fields-{step:08d}.h5").write_bytes(harm(good, rng))
    (run / "fields/index.txt").write_bytes(harm((run / "fields/index.txt").read_bytes(), rng))
    start(run, *SMALL, *fields, "--set", "time.max_steps=2", expect=0)
    assert len(outputs.checkpoints(run)) == 2


def test_damaged_cases_give_errors(start, tmp_path):
    rng = seeded()
    text = CASE.read_bytes()
    for i in range(30):
        (tmp_path / "case.toml").write_bytes(harm(text, rng))
        done = start(tmp_path / f"run-{i}", *SMALL, case=tmp_path / "case.toml")
        odd = [c for c in done.stderr if ord(c) < 32 and c not in "\n\t"]
        assert not odd, odd
