"""triad spectra: the spectra of files that stand are those of the run, and those of the data."""

import io
import json
import shutil

import h5py
import numpy as np
import pytest

from boxes import RANDOM, case
from conftest import ROOT

OUTPUT = """series_interval = 0.05
spectra_interval = 0.1
fields_interval = 0.1
checkpoint_interval = 0.1
"""
STEPS = (2, 4)  # with checkpoints


def text_of(precision):
    """The text of the case; test_info.py looks at its files too."""
    return case("hd", "viscosity = 0.02", (16, 15, 12), OUTPUT, RANDOM + "helicity = 0.6", 0.2, precision=precision)


@pytest.fixture(scope="module", params=["double", "single"])
def flow(request, launcher, triad, tmp_path_factory):
    """A finished run, and its precision."""
    folder = tmp_path_factory.mktemp("flow")
    (folder / "case.toml").write_text(text_of(request.param))
    launcher(2, triad, "run", folder / "case.toml", "--dir", folder / "run", expect=0)
    return folder / "run", request.param


def read_tables(text):
    """Each table of the output as {column: array}."""
    tables = []
    for block in text.split("\n\n\n"):
        lines = [line for line in block.splitlines() if line and not line.startswith("#")]
        values = np.genfromtxt(io.StringIO("\n".join(lines)), delimiter=",", names=True)
        tables.append({name: values[name] for name in values.dtype.names})
    return tables


def written(run, step):
    with h5py.File(run / f"spectra/spectra-{step:08d}.h5") as f:
        return {name: f[name][:] for name in ("k", "E", "H")}


def make_file(path, fields, length=None, **attributes):
    with h5py.File(path, "w") as f:
        for name, values in fields.items():
            f.create_dataset(name, data=values, chunks=True, compression="gzip")
        if length is not None:
            f.attrs["length"] = np.array(length, float)
        for name, value in attributes.items():
            f.attrs[name] = value
    return path


def random_fields(shape, seed):
    rng = np.random.default_rng(seed)
    return {name: rng.standard_normal(shape) + i for i, name in enumerate("uvw")}


@pytest.mark.parametrize("ranks", [1, 3])
def test_spectra_of_a_checkpoint_are_those_of_the_run_bit_for_bit(triad, mpirun, flow, ranks):
    run, _ = flow
    folders = [run / f"checkpoints/step-{step:08d}" for step in STEPS]
    result = mpirun(ranks, triad, "spectra", *folders, expect=0)
    tables = read_tables(result.stdout)
    assert len(tables) == len(STEPS)
    for step, table in zip(STEPS, tables):
        for name, values in written(run, step).items():
            assert np.array_equal(table[name], values), (step, name)


def test_a_run_directory_stands_for_its_newest_checkpoint(triad, mpirun, flow):
    run, precision = flow
    out = mpirun(2, triad, "spectra", run, expect=0).stdout
    assert f"checkpoints/step-{STEPS[-1]:08d}: step {STEPS[-1]}, t 0.2" in out and precision in out
    assert np.array_equal(read_tables(out)[0]["E"], written(run, STEPS[-1])["E"])


@pytest.mark.parametrize("ranks", [1, 3])
def test_spectra_of_physical_fields_agree_with_the_run_to_round_off(triad, mpirun, flow, ranks):
    run, precision = flow
    step = STEPS[-1]
    out = mpirun(ranks, triad, "spectra", run / f"fields/fields-{step:08d}.h5", expect=0).stdout
    table, kept = read_tables(out)[0], written(run, step)
    n, epsilon = len(kept["E"]), np.finfo(precision).eps
    # relative error of three transforms in the 2-norm: a few epsilon log2(N), here N = 2880; energies twice that
    tolerance = 100 * epsilon * kept["E"].sum()
    assert np.abs(table["k"][:n] - kept["k"]).max() == 0
    assert np.abs(table["E"][:n] - kept["E"]).max() < tolerance
    assert np.abs(table["H"][:n] - kept["H"]).max() < tolerance * kept["k"].max()
    assert len(table["E"]) > n and table["E"][n:].sum() < tolerance


def test_helical_wave_and_mean_flow_are_found_in_their_shells(triad, mpirun, tmp_path):
    nz, ny, nx, (lx, ly, lz) = 12, 10, 9, (3.0, 2.0, 6.0)
    z = np.arange(nz)[:, None, None] / nz
    y = np.arange(ny)[None, :, None] / ny
    k = 2 * np.pi * 3 / lz
    one = np.ones((nz, ny, nx))
    # (sin kz, cos kz, 0) is its own curl times 1/k; 0.5 along x is the mean flow; cos(2 pi y/ly) along y is compressive
    fields = {"u": (np.sin(k * lz * z) + 0.5) * one, "v": (np.cos(k * lz * z) + 0.2 * np.cos(2 * np.pi * y)) * one,
              "w": 0 * one}
    path = make_file(tmp_path / "wave.h5", fields, (lx, ly, lz), step=7, t=1.25)
    out = mpirun(2, triad, "spectra", path, expect=0).stdout
    assert "step 7, t 1.25" in out
    table = read_tables(out)[0]
    energy, helicity = np.zeros(len(table["E"])), np.zeros(len(table["E"]))
    energy[0], energy[3] = 0.125, 0.5 + 0.01  # k_y = 2 pi/2 is 3 k_min too
    helicity[3] = k
    assert np.allclose(table["k"], np.arange(len(energy)) * 2 * np.pi / lz, rtol=1e-15)
    assert np.abs(table["E"] - energy).max() < 1e-15
    assert np.abs(table["H"] - helicity).max() < 1e-14


def test_spectra_equal_plain_sums_over_a_library_transform(triad, mpirun, tmp_path):
    shape, length = (9, 7, 15), (5.0, 7.0, 3.0)  # odd: no Nyquist modes; length is x, y, z
    fields = random_fields(shape, 11)
    path = make_file(tmp_path / "random.h5", fields, length)
    table = read_tables(mpirun(3, triad, "spectra", path, expect=0).stdout)[0]
    axes = [2 * np.pi * np.fft.fftfreq(n, 1 / n) / l for n, l in zip(shape, length[::-1])]
    w = np.meshgrid(*axes, indexing="ij")[::-1]
    uk = [np.fft.fftn(fields[name]) / np.prod(shape) for name in "uvw"]
    energy = sum(abs(c)**2 for c in uk) / 2
    curl = [1j * (w[1] * uk[2] - w[2] * uk[1]), 1j * (w[2] * uk[0] - w[0] * uk[2]), 1j * (w[0] * uk[1] - w[1] * uk[0])]
    helicity = sum((np.conj(a) * b).real for a, b in zip(uk, curl))
    k_min = 2 * np.pi / max(length)
    shell = np.floor(np.sqrt(sum(a**2 for a in w)) / k_min + 0.5).astype(int).ravel()
    n = len(table["k"])
    assert shell.max() < n
    tolerance = 1e-14 * energy.sum()
    assert np.abs(np.bincount(shell, energy.ravel(), n) - table["E"]).max() < tolerance
    assert np.abs(np.bincount(shell, helicity.ravel(), n) - table["H"]).max() < tolerance * n * k_min


@pytest.mark.parametrize("shape", [(8, 6, 10), (7, 9, 5), (1, 16, 16), (13, 11, 2)])
def test_sum_of_the_spectrum_is_the_energy_of_the_data(triad, mpirun, tmp_path, shape):
    fields = random_fields(shape, 5)
    path = make_file(tmp_path / "random.h5", fields)
    table = read_tables(mpirun(2, triad, "spectra", path, expect=0).stdout)[0]
    energy = sum((f**2).mean() for f in fields.values()) / 2
    assert abs(table["E"].sum() - energy) < 1e-14 * energy


def test_a_truncation_leaves_out_and_says_so(triad, mpirun, tmp_path):
    fields = random_fields((12, 12, 12), 3)
    path = make_file(tmp_path / "random.h5", fields)
    result = mpirun(2, triad, "spectra", path, "--set", "grid.truncation=box", expect=0)
    table = read_tables(result.stdout)[0]
    left = sum((f**2).mean() for f in fields.values()) / 2 - table["E"].sum()
    assert left > 0 and f"energy {left:.6g} of" in result.stderr and "is dropped" in result.stderr


def test_lengths_come_from_the_file_and_can_be_set(triad, mpirun, tmp_path):
    path = make_file(tmp_path / "random.h5", random_fields((5, 5, 5), 3), (1, 2, 4))
    first = [read_tables(mpirun(1, triad, "spectra", path, *more, expect=0).stdout)[0]["k"][1]
             for more in ((), ("--set", "grid.length=[1,2,8]"))]
    assert np.allclose(first, [2 * np.pi / 4, 2 * np.pi / 8], rtol=1e-15)


def test_files_are_written_as_a_run_writes_them(triad, mpirun, flow, tmp_path):
    run, _ = flow
    folders = [run / f"checkpoints/step-{step:08d}" for step in STEPS]
    result = mpirun(3, triad, "spectra", *folders, "--dir", tmp_path / "out", expect=0)
    names = [tmp_path / f"out/spectra/spectra-{step:08d}.h5" for step in STEPS]
    assert result.stdout.split() == [str(name) for name in names]
    for step, name in zip(STEPS, names):
        with h5py.File(name) as mine, h5py.File(run / "spectra" / name.name) as its:
            assert mine.attrs["step"] == its.attrs["step"] and mine.attrs["t"] == its.attrs["t"]
            for key in ("k", "E", "H"):
                assert np.array_equal(mine[key][:], its[key][:])
                assert mine[key].attrs["units"] == its[key].attrs["units"]
            assert mine["notes"].attrs["source"] == str(folders[STEPS.index(step)])
            assert mine["notes"].attrs["case"] == its["notes"].attrs["case"]
    mpirun(1, triad, "info", *names, expect=0)


def test_two_files_of_one_step_do_not_take_each_others_place(triad, mpirun, flow, tmp_path):
    run, _ = flow
    both = [run / f"checkpoints/step-{STEPS[0]:08d}", run / f"fields/fields-{STEPS[0]:08d}.h5"]
    result = mpirun(1, triad, "spectra", *both, "--dir", tmp_path / "out", expect=65)
    assert "use another --dir" in result.stderr and len(list((tmp_path / "out/spectra").iterdir())) == 1


def test_a_damaged_checkpoint_is_not_used(triad, mpirun, flow, tmp_path):
    copy = tmp_path / "copy"
    shutil.copytree(flow[0], copy)
    newest = copy / f"checkpoints/step-{STEPS[-1]:08d}/modes.h5"
    data = bytearray(newest.read_bytes())
    data[-100] ^= 1
    newest.write_bytes(data)
    result = mpirun(2, triad, "spectra", newest.parent, expect=65)
    assert "checksum" in result.stderr and "k,E,H" not in result.stdout
    result = mpirun(2, triad, "spectra", copy, expect=0)
    assert "skipped" in result.stderr
    assert np.array_equal(read_tables(result.stdout)[0]["E"], written(copy, STEPS[0])["E"])


def test_a_coarser_grid_leaves_out_and_says_so(triad, mpirun, flow):
    run, _ = flow
    coarse = mpirun(2, triad, "spectra", run, "--set", "grid.n=[8,8,8]", expect=0)
    table = read_tables(coarse.stdout)[0]
    assert len(table["k"]) < len(written(run, STEPS[-1])["k"]) and "is dropped" in coarse.stderr


def test_other_files_are_still_read_when_one_is_bad(triad, mpirun, flow, tmp_path):
    run, _ = flow
    (tmp_path / "text").write_text("text\n")
    result = mpirun(2, triad, "spectra", tmp_path / "nothing", tmp_path / "text", run, expect=66)
    assert "nothing: no such file" in result.stderr and "text: not an HDF5 file" in result.stderr
    assert np.array_equal(read_tables(result.stdout)[0]["E"], written(run, STEPS[-1])["E"])


def bad_files(folder):
    good = random_fields((4, 5, 6), 1)
    text = folder / "text.h5"
    text.write_text("this is no HDF5 file\n")
    not_finite = dict(good, v=good["v"].copy())
    not_finite["v"][2, 3, 4] = np.nan
    huge = {name: values * 1e200 for name, values in good.items()}
    return [(text, "not an HDF5 file"),
            (make_file(folder / "part.h5", {"u": good["u"], "v": good["v"]}), "no dataset \"w\"; there u, v"),
            (make_file(folder / "sizes.h5", dict(good, w=good["w"][1:])), "dataset w has 6 x 5 x 3 points"),
            (make_file(folder / "flat.h5", {name: f[0] for name, f in good.items()}), "2 dimensions"),
            (make_file(folder / "nan.h5", not_finite), "(z, y, x) = (2, 3, 4)"),
            (make_file(folder / "huge.h5", huge), "larger than the largest number"),
            (make_file(folder / "box.h5", good, (1, -1, 1)), "grid.length"),
            (folder, "not a run directory")]


def test_what_is_no_field_is_refused_in_words(triad, mpirun, tmp_path):
    for path, words in bad_files(tmp_path):
        result = mpirun(2, triad, "spectra", path, expect=65)
        assert words in result.stderr, str(result)
        assert result.stdout == ""
    assert "requires a run directory" in mpirun(1, triad, "spectra", expect=64).stderr
    mpirun(1, triad, "spectra", tmp_path / "text.h5", "--dirr", "x", expect=64)


def test_names_cannot_break_the_table_or_the_terminal(triad, mpirun, tmp_path):
    path = make_file(tmp_path / "a\n1,2,3\x1b[31m.h5", random_fields((4, 4, 4), 1))
    out = mpirun(1, triad, "spectra", path, expect=0).stdout
    assert "\x1b" not in out and "\n1,2,3" not in out and "\\x0a1,2,3\\x1b[31m.h5" in out


def test_help_needs_no_files(triad, mpirun):
    assert "Usage: triad spectra" in mpirun(1, triad, "spectra", "--help", cwd=ROOT, expect=0).stdout


def test_a_log_in_json_stays_out_of_the_table(triad, mpirun, tmp_path):
    path = make_file(tmp_path / "random.h5", random_fields((6, 6, 6), 3))
    result = mpirun(1, triad, "spectra", path, "--set", "grid.truncation=sphere", "--log-format=jsonl", expect=0)
    assert json.loads(result.stderr.splitlines()[0])["level"] == "warning"
    assert all(line.startswith("#") or line[0] in "k0123456789" for line in result.stdout.splitlines())
