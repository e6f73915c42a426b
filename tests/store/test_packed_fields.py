"""output.fields_error: files of fields packed by zfp, with a bound on the relative error of every shell, measured as they are written."""

import os
import re
import subprocess
import sys
from pathlib import Path

import h5py
import numpy as np
import pytest

import fieldruns
from boxes import LENGTH

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
CASE = fieldruns.text_of((20, 18, 26))  # planes that chunks of four do not fill


@pytest.fixture(scope="module")
def packs(triad, tmp_path_factory):
    """Was the program built with zfp? Without, it says 69 and how to get it."""
    case = tmp_path_factory.mktemp("asks") / "case.toml"
    case.write_text(CASE)
    done = subprocess.run([triad, "case", "--check", case, "--set", "output.fields_error=0.01"], capture_output=True, text=True)
    if done.returncode == 69:
        assert "libzfp-dev" in done.stderr, done.stderr
        pytest.skip("built without libzfp-dev")
    assert done.returncode == 0 and "packed fields" in done.stdout + done.stderr, done
    from triad_plot.read import hdf5
    assert hdf5.PLUGINS, "the plugin is built with the program"


@pytest.fixture(scope="module")
def run(packs, launcher, triad, tmp_path_factory):
    return fieldruns.make(launcher, triad, tmp_path_factory.mktemp("packed"), CASE)


@pytest.fixture(scope="module")
def whole(run):
    return run()


def shells(values):
    """Squares of the modes of each shell, as numpy has them: round(|k|/k_min)."""
    modes = np.abs(np.fft.fftn(values.astype(float), norm="forward"))**2
    k = [2 * np.pi / LENGTH[a] * np.fft.fftfreq(values.shape[2 - a]) * values.shape[2 - a] for a in range(3)]
    size = np.sqrt(k[2][:, None, None]**2 + k[1][None, :, None]**2 + k[0][None, None, :]**2)
    at = np.floor(size / (2 * np.pi / LENGTH[2]) + 0.5).astype(int)
    return np.bincount(at.ravel(), modes.ravel())


@pytest.mark.parametrize("bound, precision, fields", [(1e-2, "double", ""), (1e-5, "double", ""), (1e-2, "single", '"modes 6", ')])
def test_no_shell_is_off_by_more_than_the_bound(run, bound, precision, fields):
    """Against the file without, by numpy; what the file says of its error is that. Shells that hold less than 64 roundings of the
    file's numbers do not count."""
    keys = {"output__fields_precision": precision, "output__fields": f'[{fields}"u", "vorticity_x", "pressure"]'}
    plain = run(**{**keys, "output__fields_precision": "double"})
    packed = run(output__fields_error=bound, **keys)
    with h5py.File(plain) as a, h5py.File(packed) as b:
        for name in ("u", "vorticity_x", "pressure"):
            exact, got = a[name][:], b[name][:]
            assert got.dtype == (np.float32 if precision == "single" else np.float64)
            energy, off = shells(exact), shells(got.astype(float) - exact)
            counts = energy > (64 * (2.0**-24 if precision == "single" else 2.0**-53))**2 * energy.sum()
            worst = np.sqrt(off[counts] / energy[counts]).max()
            assert 0.2 * bound < worst <= bound, "and no tighter than a few factors of two"
            assert abs(b[name].attrs["shell_error"] / worst - 1) < 1e-6
            assert b[name].id.get_storage_size() < 0.6 * got.nbytes
            assert b[name].attrs["units"] == a[name].attrs["units"] and b[name].dims[0][0].name == "/z"


@pytest.mark.parametrize("ranks", [3, 7])
def test_ranks_pack_the_same_bytes(run, ranks):
    """26 planes in chunks of 4: boundaries of ranks lie within chunks, and of 7 ranks some have none that begins with theirs."""
    one, many = (run(ranks=n, output__fields_error=1e-3, parallel__threads=1, parallel__reproducible="true") for n in (1, ranks))
    assert one.read_bytes() == many.read_bytes()


def test_the_program_and_its_tools_read_them(run, whole, triad, tmp_path):
    packed = run(output__fields_error=1e-4)
    out = subprocess.run([triad, "info", packed], capture_output=True, text=True, check=True).stdout
    assert "26 x 18 x 20, 8 bytes each, unit U^2" in out and "energy" in out
    from triad_plot.read import hdf5
    with h5py.File(whole) as f:
        exact = f["u"][:]
    off = 5e-4 * np.sqrt(np.mean(exact**2))   # at most 1e-4 of the rms in all shells together; five times that somewhere
    assert 0 < np.abs(hdf5.read(str(packed), lambda file: file["u"][:]) - exact).max() < off
    done = subprocess.run([triad, "pack", packed.parent.parent], capture_output=True, text=True)
    assert done.returncode == 0 and "already packed" in done.stdout, done
    (tmp_path / "case.toml").write_text(CASE)
    again = tmp_path / "again"
    subprocess.run([triad, "run", tmp_path / "case.toml", "--dir", again, "-q", "--set", "initial.kind=file", "--set",
                    f"initial.file={packed}", "--set", "time.end=0.05"], check=True, capture_output=True)
    with h5py.File(again / "fields/fields-00000000.h5") as f:
        assert np.abs(f["u"][:] - exact).max() < off


def test_damage_is_never_read_beyond_its_end(run, triad, tmp_path):
    """Packed bytes turned over: numbers are wrong, or the file is refused, and nothing ends by a signal."""
    raw = run(output__fields_error=1e-2).read_bytes()
    random = np.random.default_rng(5)
    for i in range(4):
        bad = bytearray(raw)
        for at in random.integers(len(raw) // 3, len(raw), 200):
            bad[at] = random.integers(256)
        (tmp_path / "bad.h5").write_bytes(bad)
        done = subprocess.run([triad, "info", tmp_path / "bad.h5"], capture_output=True, timeout=60)
        assert done.returncode in (0, 65, 74), done


@pytest.mark.parametrize("words, told", [
    (["output.fields_error=-1"], "out of range"), (["output.fields_error=0.5"], "out of range"),
    (["output.fields_error=0.01", 'output.fields=["box 1 5 0 2.5 2pi 9", "u"]'], "has no shells"),
    (["output.fields_error=0.01", "equations.solver=compressible"], "fields_error"),
])
def test_what_cannot_be_is_refused(packs, triad, tmp_path, words, told):
    (tmp_path / "case.toml").write_text(CASE)
    done = subprocess.run([triad, "case", "--check", tmp_path / "case.toml", *[w for s in words for w in ("--set", s)]],
                          capture_output=True, text=True)
    assert done.returncode == 65 and told in done.stderr, done.stderr


def test_a_bound_that_the_files_numbers_cannot_hold_is_refused(run):
    """Singles are off by 6e-8 of a value: white noise, of which the weakest shell that counts has far more than 1e-9 of its own."""
    run(output__fields_error=1e-9, output__fields_precision="single", expect=65)
    assert 'fields_precision = "double"' in run.result.stderr


def test_another_reader_reads_them_with_the_plugin(run):
    """h5py alone, which knows nothing of Triad; without the plugin it says what it lacks."""
    packed = run(output__fields_error=1e-4)
    words = [sys.executable, "-c", f"import h5py; print(h5py.File({str(packed)!r})['u'][:].shape)"]
    env = {k: v for k, v in os.environ.items() if k != "HDF5_PLUGIN_PATH"}
    assert "(26, 18, 20)" in subprocess.run(words, capture_output=True, text=True, check=True,
                                            env={**env, "HDF5_PLUGIN_PATH": str(ROOT / "build/hdf5")}).stdout
    assert subprocess.run(words, capture_output=True, env={**env, "HDF5_PLUGIN_PATH": str(packed.parent)}).returncode != 0


def test_the_table_of_memory_counts_the_file_that_rank_0_has(packs, triad, tmp_path):
    """The whole of it until it is on the disk, at most as large as not packed: two fields more are as many bytes more."""
    (tmp_path / "case.toml").write_text(CASE)

    def row(fields):
        done = subprocess.run([triad, "case", "--check", tmp_path / "case.toml", "--set", "output.fields_error=0.01", "--set",
                               "grid.n=[100, 90, 130]", "--set", f"output.fields={fields}"], capture_output=True, text=True, check=True)
        return float(re.search(r"packed fields +([0-9.]+) MB", done.stdout)[1])

    more = 2 * 100 * 90 * 130 * 8e-6
    assert abs(row('["u", "v", "w"]') - row('["u"]') - more) < 0.01 * more, "three digits are told"
