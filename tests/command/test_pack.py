"""triad pack: files get smaller and hold the same, series are joined, and nothing is ever lost on the way."""

import os
import shutil
import signal
import subprocess
from functools import partial

import h5py
import numpy as np
import pytest

import outputs
from conftest import ROOT
from outputs import sets
from test_restart import CASE, ranks_of
from waiting import wait_for

CASES = ROOT / "runs"
RUN = sets(grid__n=[24, 24, 24], time__dt=0.01, time__max_steps=40, output__series_interval=0.0,
           output__fields_interval=0.1, output__spectra_interval=0.1, output__checkpoint_interval=0.1, output__keep=5)


@pytest.fixture(scope="module")
def finished(launcher, triad, tmp_path_factory):
    folder = tmp_path_factory.mktemp("pack") / "run"
    launcher(2, triad, "run", CASE, "--dir", folder, "-q", *RUN, timeout=60, expect=0)
    yield folder
    shutil.rmtree(folder.parent, ignore_errors=True)


@pytest.fixture
def run(finished, tmp_path):
    shutil.copytree(finished, tmp_path / "run")
    return tmp_path / "run"


@pytest.fixture
def pack(command):
    return partial(command, "pack", expect=0, timeout=100)


def contents(path):
    """{path: (values, attributes)} of every object, dimension scales by name."""
    out = {}

    def attributes(o):
        return {k: np.asarray(v).tolist() for k, v in o.attrs.items()
                if k not in ("DIMENSION_LIST", "REFERENCE_LIST", "packed", "archive")}

    with h5py.File(path) as f:
        out["/"] = None, attributes(f)

        def visit(name, o):
            if isinstance(o, h5py.Dataset):
                scales = [[s.name for s in d.values()] for d in o.dims]
                out[name] = o[()], {**attributes(o), "scales": scales}
            else:
                out[name] = None, attributes(o)
        f.visititems(visit)
    return out


def same(a, b, change=lambda name, x: x):
    assert a.keys() == b.keys()
    for name in a:
        assert a[name][1] == b[name][1], name
        if a[name][0] is not None:
            want, got = change(name, np.asarray(a[name][0])), np.asarray(b[name][0])
            assert want.dtype == got.dtype and want.shape == got.shape and want.tobytes() == got.tobytes(), name


def files(run):
    return {p.relative_to(run): p.read_bytes() for p in sorted(run.rglob("*")) if p.is_file()}


def test_packed_files_hold_the_same_in_less_room(pack, finished, run, triad):
    out = pack(run).stdout
    for kind in ("fields", "spectra"):
        names = sorted(p.name for p in (finished / kind).glob("*.h5"))
        assert len(names) == 5 and names == sorted(p.name for p in (run / kind).glob("*.h5"))
        for name in names:
            same(contents(finished / kind / name), contents(run / kind / name))
    for path in (run / "fields").glob("*.h5"):
        assert path.stat().st_size < 0.5 * (finished / "fields" / path.name).stat().st_size
        assert f"{path}: " in out
    assert not list(run.rglob(".tmp-*"))
    assert subprocess.run([triad, "info", run, *run.glob("fields/*.h5")], timeout=60).returncode == 0


def test_packing_again_changes_nothing(pack, run):
    pack(run)
    before = files(run)
    assert "already packed" in pack(run).stdout
    after = files(run)
    assert after == before


def test_float32_rounds_each_value_to_the_nearest(pack, finished, run):
    pack(run)
    pack(run, "--float32", "--level", 9)
    for path in (finished / "fields").glob("*.h5"):
        same(contents(path), contents(run / "fields" / path.name),
             lambda name, x: x.astype(np.float32) if x.ndim == 3 else x)
    assert 'Precision="4" Format="HDF"' in (run / "fields/fields.xmf").read_text()


def test_what_single_precision_cannot_hold_is_left_as_it_is(pack, run):
    path = run / "fields/fields-00000010.h5"
    with h5py.File(path, "r+") as f:
        f["v"][1, 2, 3] = 1e300
    before = path.read_bytes()
    assert "1e+300" in pack(run, "--float32", expect=65).stderr
    assert path.read_bytes() == before
    with h5py.File(run / "fields/fields-00000020.h5") as f:
        assert f["u"].dtype == np.float32, "the others are packed"


@pytest.mark.parametrize("harm", ["truncated", "foreign", "link", "other-filter"])
def test_damaged_and_foreign_files_are_told_and_left(pack, run, harm):
    path = run / "fields/fields-00000010.h5"
    if harm == "truncated":
        path.write_bytes(path.read_bytes()[:-5000])
    if harm == "foreign":
        path.write_bytes(b"rubbish" * 100)
    if harm == "link":
        with h5py.File(path, "r+") as f:
            f["elsewhere"] = h5py.ExternalLink("/etc/passwd", "/")
    if harm == "other-filter":
        with h5py.File(path, "r+") as f:
            f.create_dataset("mine", data=np.arange(1e4), chunks=(100,), fletcher32=True)
    before = path.read_bytes()
    done = pack(run, expect=65)
    assert path.name in done.stderr and "1 files are unchanged" in done.stderr
    assert path.read_bytes() == before and not list(run.rglob(".tmp-*"))


def test_what_a_killed_packing_leaves_is_cleared(pack, finished, run):
    (run / "fields/.tmp-pack-fields-00000010.h5").write_bytes(b"half")
    pack(run)
    assert not list(run.rglob(".tmp-*"))
    same(contents(finished / "fields/fields-00000010.h5"), contents(run / "fields/fields-00000010.h5"))


def test_a_full_disk_leaves_the_originals(pack, finished, tmp_path):
    small = tmp_path / "small"
    small.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "none", small], capture_output=True).returncode != 0:
        pytest.skip("mounting a tmpfs is not allowed here")
    try:
        shutil.copytree(finished, small / "run")
        with open(small / "ballast", "wb", buffering=0) as f, pytest.raises(OSError):
            while True:
                f.write(bytes(4096))
        before = files(small / "run")
        assert "No space" in pack(small / "run", expect=74).stderr
        after = {p: b for p, b in files(small / "run").items() if p in before}
        assert after == before
        os.truncate(small / "ballast", 0)
        pack(small / "run")
        for path in (finished / "fields").glob("*.h5"):
            same(contents(path), contents(small / "run/fields" / path.name))
    finally:
        subprocess.run(["umount", "-l", small], check=True)


def test_old_checkpoints_become_archives_and_the_newest_stay(pack, finished, run, mpirun, triad):
    pack(run, "--checkpoints")
    assert [c.name for c in outputs.checkpoints(run)] == ["step-00000030", "step-00000040"]
    for step in (10, 20):
        a = contents(finished / f"checkpoints/step-{step:08d}/modes.h5")
        b = contents(run / f"archive/modes-{step:08d}.h5")
        proof = b.pop("proof")[1]["manifest"]
        b.pop("proof/manifest", None)
        same(a, b)
        assert proof == (finished / f"checkpoints/step-{step:08d}/manifest.txt").read_text()
    assert "already finished" in mpirun(1, triad, "run", CASE, "--dir", run, *RUN, expect=0).stdout
    assert subprocess.run([triad, "info", *run.glob("archive/*"), run / "series.h5"], timeout=60).returncode == 0


def test_particles_of_old_checkpoints_are_kept_too(pack, launcher, triad, tmp_path):
    run = tmp_path / "run"
    launcher(1, triad, "run", CASES / "tracers/case.toml", "--dir", run, "-q", *sets(
        grid__n=[12, 12, 12], time__max_steps=3, output__checkpoint_interval=1e-3, output__means=["moments"], output__report=False),
        expect=0)
    old = run / "checkpoints/step-00000001"
    assert subprocess.run([triad, "info", old / "particles.h5", old / "means.bin"], timeout=60).returncode == 0
    before = contents(old / "particles.h5")
    assert before
    pack(run, "--checkpoints")
    after = contents(run / "archive/particles-00000001.h5")
    assert after.pop("proof")[1]["manifest"].startswith("triad-checkpoint") and not old.exists()
    after.pop("proof/manifest", None)
    same(before, after)
    assert subprocess.run([triad, "info", *run.glob("archive/*")], timeout=60).returncode == 0


def test_a_damaged_checkpoint_is_not_counted_among_those_that_stay(pack, run):
    path = run / "checkpoints/step-00000040/modes.h5"
    data = bytearray(path.read_bytes())
    data[-9] ^= 1
    path.write_bytes(data)
    assert "checksum" in pack(run, "--checkpoints", expect=65).stderr
    assert [c.name for c in outputs.checkpoints(run)] == ["step-00000020", "step-00000030", "step-00000040"]


def test_the_series_becomes_hdf5_with_units_and_formulae(pack, run):
    pack(run)
    table = outputs.series(run)
    told = dict(line[2:].split(" [", 1) for line in (run / "series.csv").read_text().splitlines()
                if line.startswith("# ") and not line.startswith("# triad"))
    with h5py.File(run / "series.h5") as f:
        assert set(f) == set(table)
        for name, column in table.items():
            assert f[name][:].astype(float).tobytes() == column.tobytes(), name
            unit, formula = told[name].split("]: ", 1)
            assert f[name].attrs["units"] == unit and f[name].attrs["long_name"] == formula
        assert f["energy"].dims[0][0].name == "/t" and f["step"].dtype == np.int64


def test_pieces_of_a_series_are_joined_and_later_ones_count(pack, run, tmp_path):
    lines = (run / "series.csv").read_text().splitlines(True)
    head = [n for n, line in enumerate(lines) if not line.startswith("#")][0] + 1
    rows = lines[head:]
    first = [row.rsplit(",", 1)[0] + ",777\n" for row in rows[:30]]
    (tmp_path / "a.csv").write_text("".join(lines[:head] + first) + "31,0.3")
    (tmp_path / "b.csv").write_text("".join(lines[:head] + rows[20:]))
    pack("--series", tmp_path / "all.h5", tmp_path / "a.csv", tmp_path / "b.csv")
    last = outputs.rows(run)[0].split(",")[-1]
    with h5py.File(tmp_path / "all.h5") as f:
        assert list(f["step"]) == list(range(len(rows)))
        assert (f[last][:20] == 777).all() and (f[last][20:] == outputs.series(run)[last][20:]).all()
    assert "already exists" in pack("--series", tmp_path / "all.h5", run, expect=64).stderr


@pytest.mark.parametrize("text, words", [
    ("", "before the row of names"), ("rubbish\n", "line 1"), ("# triad series\nstep,t\n", "not the first columns"),
    ("# triad series\n# step [1]: s\nt,step\n", "do not explain"),
    ("# triad series\n# step [1]: s\n# t [T]: t\nstep,t\n1,2\n3\n", "line 6"),
    ("# triad series\n# step [1]: s\n# t [T]: t\nstep,t\n2,2\n1,3\n", "does not increase"),
    ("# triad series\n# step [1]: s\n# t [T]: t\nstep,t\n1,\0002\n", "NUL"),
    ("# triad series\n# step [1]: s\n# t [T]: t\nstep,t\n1e300,2\n", "an invalid step"),
    ("# triad series\n# step [1]: s\n# t [T]: t\nstep,t\n", "without rows"),
    ("# triad series\n" + "# a%d [1]: b\n" * 5300, "more columns"),
])
def test_series_that_are_none_are_refused_with_their_line(pack, tmp_path, text, words):
    (tmp_path / "bad.csv").write_text(text.replace("a%d", "a"))
    assert words in pack("--series", tmp_path / "out.h5", tmp_path / "bad.csv", expect=65).stderr
    assert not (tmp_path / "out.h5").exists()


def test_series_of_other_columns_are_not_joined(pack, run, tmp_path):
    other = (run / "series.csv").read_text().replace("enstrophy", "anstrophy")
    (tmp_path / "other.csv").write_text(other)
    assert "anstrophy" in pack("--series", tmp_path / "out.h5", run, tmp_path / "other.csv", expect=65).stderr


def test_a_directory_in_which_a_run_is_at_work_is_refused(pack, mpirun, triad, rundir):
    process = mpirun.start(2, triad, "run", CASE, "--dir", rundir, "-q", *RUN, *sets(time__max_steps=0, time__end=1e3))
    wait_for(lambda: (rundir / "fields/fields-00000010.h5").exists(), "fields", process)
    done = pack(rundir, expect=74)
    assert "is running in this directory" in done.stderr
    for pid in ranks_of(process):
        os.kill(pid, signal.SIGUSR1)
    assert process.wait(30) == 75
    pack(rundir)


def test_a_run_cannot_begin_while_it_packs_and_the_lock_goes_with_it(pack, run):
    (run / "run.lock").write_text("triad-lock 1\nhost nowhere\nboot -\npid 1\nstart 1\njob -\n")
    assert "nowhere" in pack(run, expect=74).stderr
    pack(run, "--break-lock")
    assert not (run / "run.lock").exists()


def test_wrong_use_is_told(pack, tmp_path):
    assert "requires a run directory" in pack(expect=64).stderr
    assert "no such folder" in pack(tmp_path / "nothing", expect=66).stderr
    assert "not a run directory" in pack(tmp_path, expect=65).stderr
    assert "--level" in pack("--level", 11, tmp_path, expect=64).stderr
    assert "--series" in pack("--series", expect=64).stderr
