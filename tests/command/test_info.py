"""triad info: says what every file of a run is, finds what is wrong, and survives any bytes."""

import json
import os
import random
import re
import shutil
from functools import partial
from pathlib import Path

import h5py
import numpy as np
import pytest

from conftest import ROOT
from test_spectra import STEPS, text_of


@pytest.fixture(scope="module")
def finished(launcher, triad, tmp_path_factory):
    """A run directory, and beside it the case and figures of triad bench."""
    folder = tmp_path_factory.mktemp("info")
    case = folder / "case.toml"
    case.write_text(text_of("double"))
    launcher(2, triad, "run", case, "--dir", folder / "run", expect=0)
    launcher(1, triad, "bench", case, "--steps", 2, "--json", folder / "bench.json", expect=0)
    return folder / "run"


@pytest.fixture
def run(finished, tmp_path):
    """A copy that a test may harm."""
    shutil.copytree(finished, tmp_path / "run")
    shutil.copy(finished.parent / "bench.json", tmp_path)
    return tmp_path / "run"


@pytest.fixture
def info(command):
    return partial(command, "info", expect=0, timeout=100)


def checkpoint(run, step):
    return run / f"checkpoints/step-{step:08d}"


def flip(path, at):
    data = bytearray(path.read_bytes())
    data[at] ^= 0x10
    path.write_bytes(data)


def test_a_run_directory_is_explained(info, finished):
    out = info(finished).stdout
    assert "hd, 16 x 15 x 12, sphere, double precision" in out
    assert "state        finished: t = 0.2 of 0.2, step 4" in out
    assert len(re.findall(r"step-\d+ +valid", out)) == len(STEPS)
    assert "series       5 rows, steps 0 to 4" in out
    last = (finished / "series.csv").read_text().splitlines()[-1].split(",")
    assert re.search(rf"energy +{re.escape(last[3])}\n", out)
    assert "spectra      3 files" in out and "fields       3 files" in out


def test_one_rank_speaks(triad, mpirun, finished):
    assert mpirun(3, triad, "info", finished, expect=0).stdout.count("a run directory") == 1


def test_every_file_that_triad_writes_is_known(info, finished):
    files = [p for p in finished.rglob("*") if p.is_file()] + [finished.parent / "bench.json"]
    out = info(*files).stdout
    assert "WRONG" not in out and len(files) > 12
    for path in files:
        name = path.parent if path.name in ("modes.h5", "manifest.txt") else path
        assert re.search(rf"^{re.escape(str(name))}: \S", out, re.M), path
    for folder in ("checkpoints", "spectra", "fields", "slices"):
        assert f"{folder} of the run in" in info(finished / folder).stdout


FAMILIES = {
    "inlet": (["grid.n=[26,8,1]"], ["fields/blocks-00000002.h5", "fields/grid.h5", "surfaces/surface-00000002.h5"]),
    "jet": (["grid.n=[40,20,20]", "grid.across=8", "output.means=true", 'output.probes=["axis: line, x=0, to_x=5, n=11"]'],
            ["fields/fields-00000002.vtkhdf", "probes/axis-00000000.h5", "slices/slice1-00000002.h5"]),
    "channel-180": (["grid.n=[16,16,12]", "profiles.start=0"], ["profiles.csv"]),
    "tracers": (["grid.n=[12,12,12]", 'output.means=["moments"]', 'output.probes=["lattice 2 1 1"]', 'output.probes_format="h5"'],
                ["means.h5", "probes.h5", "particles/pairs.h5"]),
}


@pytest.mark.parametrize("name", FAMILIES)
def test_every_file_of_every_family_is_known_and_none_that_is_not_finite_passes(name, info, triad, launcher, tmp_path):
    sets, named = FAMILIES[name]
    run = tmp_path / name
    command = [triad, "run", ROOT / f"runs/{name}/case.toml", "--dir", run, "-q",
               *[word for s in (*sets, "time.max_steps=2", "output.report=false") for word in ("--set", s)]]
    launcher(1, *command, expect=0)
    files = sorted(p for p in run.rglob("*") if p.is_file() and p.parent.parent.name != "checkpoints")
    assert {run / n for n in named} <= set(files)
    out = info(*files).stdout
    assert "WRONG" not in out
    for path in files:
        assert re.search(rf"^{re.escape(str(path))}: \S", out, re.M), path
    for part in sorted({Path(n).parts[0] for n in named if "/" in n}):
        assert re.search(rf"^  {part}(\n|\s+[1-9])", info(run).stdout, re.M) and f"{part} of the run in" in info(run / part).stdout
    if name in ("inlet", "jet"):
        assert "spectra require" in launcher(1, triad, "spectra", run, expect=65).stderr
        with h5py.File(run / named[0], "r+") as f:
            (f["p.1"] if "p.1" in f else f["VTKHDF/CellData/p"])[0] = np.nan
        assert "values that are not finite" in info(run / named[0], expect=65).stdout
        if name == "jet":
            with h5py.File(run / named[2], "r+") as f:
                place = tuple(np.argwhere(np.isfinite(f["mach"][:]))[0])
                assert f.attrs["outside"] == np.isnan(f["mach"][:]).sum() > 0
                f["mach"][place] = np.nan
            assert "mach has" in info(run / named[2], expect=65).stdout
        shutil.copy(run / named[0], run / named[0].replace("2.", "3."))
        assert "the file name says step 3" in info(run / named[0].replace("2.", "3."), expect=65).stdout
    launcher(1, *command, "--from-start", "--set", "time.max_steps=1", expect=0)  # all of it moves aside
    assert all((run / "before-1" / n).exists() for n in named)
    assert not [p for p in run.rglob("*") if "00000002" in p.name and run / "before-1" not in p.parents]


def test_faces_of_a_mesh_are_known(info, triad, launcher, tmp_path):
    launcher(1, triad, "grid", ROOT / "runs/sod-tets/case.toml", "--write", tmp_path / "mesh.vtkhdf", "--set", "grid.n=[3,2,2]", expect=0)
    assert "the faces of a mesh" in info(tmp_path / "mesh.vtkhdf").stdout


def test_files_of_cgns_are_named(info, tmp_path):
    with h5py.File(tmp_path / "grid.cgns", "w") as f:
        f[" format"], f[" hdf5version"] = np.zeros(15, "i1"), np.zeros(33, "i1")
    assert "a CGNS file" in info(tmp_path / "grid.cgns").stdout


def test_machine_files_are_machines(info):
    out = info(ROOT / "packaging/machines/h200.toml").stdout
    assert "a machine, for triad plan" in out and "8 GPUs, NVIDIA H200" in out


def test_a_checkpoint_is_described_and_verified(info, finished):
    out = info(checkpoint(finished, 4)).stdout
    for words in ("step 4, t = 0.2", "hd, double precision", "16 x 15 x 12", "truncation sphere", "fields     u, v, w",
                  "every byte verified"):
        assert words in out, words
    assert out == info(checkpoint(finished, 4) / "modes.h5").stdout == info(f"{checkpoint(finished, 4)}/").stdout


def test_damage_anywhere_in_a_checkpoint_is_found(info, run):
    seed = int(os.environ.get("TRIAD_TEST_SEED", random.randrange(10**6)))
    print("seed", seed)
    rng = random.Random(seed)
    copies = []
    for i in range(40):
        copy = run.parent / f"step-{i:08d}"
        shutil.copytree(checkpoint(run, 4), copy)
        path = copy / rng.choice(["modes.h5", "modes.h5", "manifest.txt"])
        flip(path, rng.randrange(path.stat().st_size))
        copies.append(copy)
    out = info(*copies, expect=65).stdout
    assert out.count("INVALID") == len(copies) and "every byte verified" not in out


def test_a_run_with_a_damaged_checkpoint_names_it_and_the_state_that_is_left(info, run):
    flip(checkpoint(run, 4) / "modes.h5", -50)
    out = info(run, expect=65).stdout
    assert re.search(r"step-00000004 +INVALID .*checksum", out) and re.search(r"step-00000002 +valid", out)
    assert "state        not finished: t = 0.1 of 0.2, step 2; triad run resumes there" in out


@pytest.mark.parametrize("missing", ["modes.h5", "manifest.txt"])
def test_half_a_checkpoint_is_none(info, run, missing):
    (checkpoint(run, 4) / missing).unlink()
    assert "INVALID" in info(checkpoint(run, 4), expect=65).stdout
    assert re.search(r"step-00000004 +INVALID", info(run, expect=65).stdout)


def test_a_torn_last_line_of_the_series_is_no_damage(info, run):
    with open(run / "series.csv", "a") as f:
        f.write("5,0.25,0.0")
    out = info(run / "series.csv").stdout
    assert "last line is incomplete" in out and "rows       5" in out
    assert "torn" in info(run).stdout


@pytest.mark.parametrize("row, words", [("3,0.15,1" + ",0" * 20, "rows of"), ("not,a,row", "rows of"), ("", "rows of")])
def test_lines_of_the_series_that_are_no_rows_are_found(info, run, row, words):
    with open(run / "series.csv", "a") as f:
        f.write(row + "\n")
    out = info(run / "series.csv", expect=65).stdout
    assert "WRONG" in out and words in out


def test_steps_of_the_series_must_increase(info, run):
    lines = (run / "series.csv").read_text().splitlines(True)
    (run / "series.csv").write_text("".join(lines + lines[-2:]))
    out = info(run / "series.csv", expect=65).stdout
    assert f"first line {len(lines) + 1}" in out and "does not increase" in out


def test_columns_of_the_series_are_explained(info, finished):
    out = info(finished / "series.csv").stdout
    for line in (finished / "series.csv").read_text().splitlines():
        if line.startswith("# ") and not line.startswith("# triad"):
            assert line[2:] in out


def test_the_sum_of_a_spectrum_is_told(info, finished):
    path = finished / "spectra/spectra-00000004.h5"
    with h5py.File(path) as f:
        energy = float(sum(f["E"][:]))
    out = info(path).stdout
    assert float(re.search(r"sum of E +(\S+),", out).group(1)) == pytest.approx(energy, rel=1e-14)
    assert "unit U^2" in out and "unit U^2/L" in out and "step 4, t = 0.2" in out


def test_values_that_are_not_finite_are_found(info, run):
    for name, dataset, at in (("spectra/spectra-00000004.h5", "H", 2), ("fields/fields-00000004.h5", "v", (3, 4, 5))):
        with h5py.File(run / name, "r+") as f:
            f[dataset][at] = np.nan
        assert f"{dataset} has 1 values that are not finite" in info(run / name, expect=65).stdout


def test_a_file_whose_name_lies_is_found(info, run):
    for kind in ("spectra", "fields"):
        shutil.copy(run / f"{kind}/{kind}-00000004.h5", run / f"{kind}/{kind}-00000009.h5")
        assert "the file name says step 9" in info(run / f"{kind}/{kind}-00000009.h5", expect=65).stdout


def test_fields_that_the_index_of_paraview_names_must_be_there(info, run):
    (run / "fields/fields-00000002.h5").unlink()
    assert "fields-00000002.h5 is referenced, but missing" in info(run / "fields/fields.xmf", expect=65).stdout


def test_cases_are_checked(info, tmp_path):
    bad = tmp_path / "bad.toml"
    bad.write_text(text_of("half") + "[grid2]\n")
    out = info(bad, expect=65).stdout
    assert "precision" in out and "grid2" in out


def test_figures_of_bench_are_named_by_their_keys(info, run):
    path = run.parent / "bench.json"
    assert "results of triad bench" in info(path).stdout
    figures = json.loads(path.read_text())
    del figures["floor_s"]
    path.write_text(json.dumps(figures))
    assert "floor_s is missing" in info(path, expect=65).stdout
    path.write_text(json.dumps(figures)[:-30])
    assert "invalid JSON" in info(path, expect=65).stdout


def test_what_is_not_triads_is_refused(info, tmp_path):
    (tmp_path / "text").write_text("hello\n")
    (tmp_path / "empty").write_text("")
    (tmp_path / "other.json").write_text('{"a": 1}')
    (tmp_path / "series.csv").write_text("step,t\n1,2\n")
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    with h5py.File(tmp_path / "mine.h5", "w") as f:
        f["u"] = np.zeros((2, 2, 2))
    for path in [*sorted(tmp_path.iterdir()), "/dev/zero"]:
        done = info(path, expect=65)
        assert "not a file of Triad" in done.stderr or "not one written by Triad" in done.stderr or "neither a run directory nor" in done.stderr, path
        assert done.stdout == ""
    assert "no such file" in info(tmp_path / "nothing", expect=66).stderr
    info(expect=64)
    info("--set", "a=1", tmp_path, expect=64)


def test_sizes_that_a_file_only_claims_are_not_believed(info, run):
    """A dataset without data claims 10^15 values: reading them would take weeks."""
    path = run / "spectra/spectra-00000004.h5"
    with h5py.File(path, "r+") as f:
        f.create_dataset("huge", shape=(10**15,), chunks=(2**20,), dtype="f8")
    assert "is larger than the file" in info(path, expect=65).stderr


def test_text_of_files_reaches_the_terminal_as_text(info, run, tmp_path):
    lines = (run / "series.csv").read_text()
    evil = "\x1b[2J\x07"
    (run / "series.csv").write_text(lines.replace("steps taken", evil))
    with h5py.File(run / "spectra/spectra-00000004.h5", "r+") as f:
        f["E"].attrs["long_name"] = evil
    (tmp_path / f"{evil}.csv").write_text(lines)
    done = info(run / "series.csv", run / "spectra/spectra-00000004.h5", tmp_path / f"{evil}.csv",
                tmp_path / f"{evil}no", expect=66)
    assert "\x1b" not in done.stdout + done.stderr and "\x07" not in done.stdout + done.stderr
    assert "\\x1b[2J" in done.stdout and "\\x1b[2J" in done.stderr


def harm(data, rng):
    """Cut, with something put in, or with some bytes changed, most often near the front, where headers are."""
    data, way = bytearray(data), rng.random()
    at = rng.randrange(len(data))
    if way < 0.15:
        return bytes(data[:at])
    if way < 0.25:
        return bytes(data[:at]) + rng.randbytes(rng.randrange(1, 200)) + bytes(data[at:])
    for _ in range(rng.choice([1, 1, 2, 5, 20, 100])):
        data[rng.randrange(min(len(data), rng.choice([64, 512, 4096, len(data)])))] = rng.choice(
            [0, 255, 127, 128, rng.randrange(256)])
    return bytes(data)


@pytest.mark.limit(900)
def test_no_bytes_make_it_crash_or_hang(info, run, tmp_path):
    """Reading a file that has no end is ended after 30 s of work, or 120 s where others work too (src/base/guard.c)."""
    seed = int(os.environ.get("TRIAD_TEST_SEED", random.randrange(10**6)))
    print("seed", seed)
    rng = random.Random(seed)
    files = [*run.glob("*.*"), *run.glob("wisdom*"), run.parent / "bench.json", run / "fields/fields.xmf",
             *3 * [run / "spectra/spectra-00000004.h5", run / "fields/fields-00000004.h5"]]
    paths = []
    for number, path in enumerate(files):
        for i in range(25):
            folder = tmp_path / f"harmed-{number}-{i}"
            folder.mkdir()
            copy = folder / path.name
            copy.write_bytes(harm(path.read_bytes(), rng))
            paths.append(copy)
    for i in range(0, len(paths), 100):
        done = info(*paths[i:i + 100], expect=65, timeout=800)
        odd = set(re.findall(r"[\x00-\x08\x0b-\x1f\x7f]", done.stdout + done.stderr))
        assert not odd, odd
