"""1-D spectra, structure functions and PDFs of increments: those of numpy on the same points, on any number of ranks."""

import shutil

import h5py
import numpy as np
import pytest

from boxes import LENGTH, RANDOM, case

OUTPUT = """spectra_interval = 0.1
fields_interval = 0.1
line_spectra = true
structure_functions = "all"
increment_pdfs = 41
[parallel]
reproducible = true
"""
SETS = {
    "hd": ("hd", "viscosity = 0.02\nscalars = [0.02]", "", {"u": 0, "v": 1, "w": 2, "scalar1": -1}),
    "boussinesq": ("boussinesq", "viscosity = 0.02\ndiffusivity = 0.02", "potential_energy = 0.2",
                   {"u": 0, "v": 1, "w": 2, "theta": -1}),
    "mhd": ("mhd", "viscosity = 0.02\nresistivity = 0.02", "", {"u": 0, "v": 1, "w": 2, "bx": 0, "by": 1, "bz": 2}),
    "gpe": ("gpe", "healing_length = 0.5", "", {"psi": -1}),
}
N = (16, 15, 12)
ORDERS = np.arange(2, 9)


def start(folder, kind, precision="double"):
    solver, keys, initial, _ = SETS[kind]
    (folder / "case.toml").write_text(case(solver, keys, N, OUTPUT, RANDOM + initial, precision=precision))
    return folder / "case.toml"


@pytest.fixture(scope="module", params=[("hd", "double"), ("hd", "single"), ("boussinesq", "double"), ("mhd", "double"),
                                        ("gpe", "double")], ids="-".join)
def flow(request, launcher, triad, tmp_path_factory):
    """A finished run, its set and its precision."""
    kind, precision = request.param
    folder = tmp_path_factory.mktemp("flow")
    launcher(2, triad, "run", start(folder, kind, precision), "--dir", folder / "run", threads=2, expect=0)
    return folder / "run", kind, precision


def arrays(path):
    with h5py.File(path) as f:
        return {name: d[:] for name, d in f.items() if isinstance(d, h5py.Dataset)}


def points(run, step=2):
    """The variables of a run, as its fields file has them, complex for the wave function."""
    f = {name: a.astype(float) for name, a in arrays(run / f"fields/fields-{step:08d}.h5").items() if a.ndim == 3}
    return {"psi": f["psi_re"] + 1j * f["psi_im"]} if "psi_re" in f else f


def check_variable(a, name, f, axis, epsilon):
    """Everything of one variable along one axis, against plain numpy; epsilon: of the points."""
    letter, n = "xyz"[axis], f.shape[2 - axis]
    square = (abs(f)**2).mean()
    # a transform's relative error is a few epsilon log2(N) in the 2-norm, N = 2880; a square has twice that
    loose = 100 * epsilon * square
    fk = np.fft.fftn(f) / f.size
    energy = (abs(fk)**2).sum(axis=tuple(i for i in range(3) if i != 2 - axis))
    k = np.rint(abs(np.fft.fftfreq(n, 1 / n))).astype(int)
    want = np.bincount(k, energy, minlength=k.max() + 1)
    got = a[f"E_{name}_{letter}"]
    assert abs(a[f"k_{letter}"] - 2 * np.pi / LENGTH[axis] * np.arange(len(got))).max() < 1e-13
    assert abs(got - want[:len(got)]).max() < loose and want[len(got):].sum() < loose
    assert abs(got.sum() - square) < loose
    m = np.arange(1, n // 2 + 1)
    assert np.allclose(a[f"r_{letter}"], m * LENGTH[axis] / n, rtol=1e-14)
    for i, shift in enumerate(m):
        d = np.roll(f, -shift, axis=2 - axis) - f
        size = np.array([(abs(d)**p).mean() for p in ORDERS])
        # d^p moves by p d^(p-1) times the error of d, which is that of f: relative to the rms of f
        tolerance = 100 * epsilon * ORDERS * np.array([(abs(d)**(p - 1)).mean() for p in ORDERS]) * abs(f).max() + 1e-13 * size
        assert (abs(a[f"S_abs_{name}_{letter}"][i] - size) <= tolerance).all(), (name, letter, shift)
        if not np.iscomplexobj(f):
            signed = np.array([(d**p).mean() for p in ORDERS])
            assert (abs(a[f"S_{name}_{letter}"][i] - signed) <= tolerance).all(), (name, letter, shift)
            check_pdf(a, name, letter, i, d / np.sqrt((d**2).mean()), epsilon)
        else:
            assert f"S_{name}_{letter}" not in a and f"P_{name}_{letter}" not in a


def check_pdf(a, name, letter, i, z, epsilon):
    """The histogram of z on the bins that the file names; a point that lies on an edge may be on either side of it."""
    centres, pdf = a[f"z_{name}_{letter}"], a[f"P_{name}_{letter}"][i]
    width = centres[1] - centres[0]
    assert np.allclose(np.diff(centres), width) and abs(centres + centres[::-1]).max() < 1e-12
    edges = np.append(centres - width / 2, centres[-1] + width / 2)
    assert abs(z).max() <= edges[-1] * (1 + 1000 * epsilon)
    counts, _ = np.histogram(np.clip(z, edges[0], edges[-1]), edges)
    near = sum((abs(z - e) < 1000 * epsilon).sum() for e in edges)
    assert abs(np.rint(pdf * width * z.size) - pdf * width * z.size).max() < 1e-6
    assert abs(pdf * width * z.size - counts).sum() <= 2 * near + 1e-6
    assert pdf.sum() * width == pytest.approx(1, abs=1e-12)
    assert abs((pdf * centres**2).sum() * width - 1) <= width * abs(z).mean() + width**2 / 4


def test_all_of_them_are_those_of_numpy(flow):
    run, kind, precision = flow
    a, fields = arrays(run / "spectra/spectra-00000002.h5"), points(run)
    assert set(fields) == set(SETS[kind][3]) and np.array_equal(a["order"], ORDERS)
    for name, f in fields.items():
        for axis in range(3):
            check_variable(a, name, f, axis, np.finfo(precision).eps)


def test_every_dataset_says_what_it_is(flow):
    run, kind, _ = flow
    with h5py.File(run / "spectra/spectra-00000002.h5") as f:
        for name, along in SETS[kind][3].items():
            for axis, letter in enumerate("xyz"):
                role = "longitudinal" if along == axis else "transverse"
                for prefix, scales in (("E", [f"/k_{letter}"]), ("S", [f"/r_{letter}", "/order"]),
                                       ("S_abs", [f"/r_{letter}", "/order"]),
                                       ("P", [f"/r_{letter}", f"/z_{name}_{letter}"])):
                    d = f.get(f"{prefix}_{name}_{letter}")
                    if d is None:
                        assert kind == "gpe" and prefix in ("S", "P")
                        continue
                    assert [dim[0].name for dim in d.dims] == scales
                    assert d.attrs["units"] and (role in d.attrs["long_name"]) == (along >= 0)


def test_the_command_gives_what_the_run_gave_bit_for_bit(triad, mpirun, flow, tmp_path):
    """It plans by rule; so must the run, for measured plans may round differently."""
    run, _, _ = flow
    first = arrays(run / "spectra/spectra-00000002.h5")
    for ranks, threads in ((1, 2), (3, 1)):
        out = tmp_path / f"{ranks}"
        mpirun(ranks, triad, "spectra", run, "--dir", out, threads=threads, expect=0)
        now = arrays(out / "spectra/spectra-00000002.h5")
        assert set(now) == set(first)
        assert all(np.array_equal(now[name], first[name]) for name in first)


def test_fields_of_every_set_are_taken(triad, mpirun, flow, tmp_path):
    run, kind, precision = flow
    path, epsilon = run / "fields/fields-00000002.h5", np.finfo(precision).eps
    results = []
    for ranks in (1, 2, 3):
        out = tmp_path / f"{ranks}"
        mpirun(ranks, triad, "spectra", path, "--dir", out, "--lines", "--structure", "all", "--pdf", "21", expect=0)
        results.append(arrays(out / "spectra/spectra-00000002.h5"))
    assert all(set(r) == set(results[0]) for r in results)
    assert all(np.array_equal(r[name], results[0][name]) for r in results for name in r)
    for name, f in points(run).items():
        for axis in range(3):
            check_variable(results[0], name, f, axis, epsilon)
    mpirun(1, triad, "info", out / "spectra/spectra-00000002.h5", expect=0)


def write_fields(path, fields, length=None):
    with h5py.File(path, "w") as f:
        for name, values in fields.items():
            f[name] = values
        if length is not None:
            f.attrs["length"] = np.array(length, float)
    return path


@pytest.mark.parametrize("shape", [(1, 8, 9), (2, 3, 5), (7, 1, 6), (12, 10, 1)])
def test_fields_of_ones_own_and_flat_boxes(triad, mpirun, tmp_path, shape):
    rng = np.random.default_rng(sum(shape))
    fields = {name: rng.standard_normal(shape) + 0.5 for name in ("u", "v", "w", "theta")}
    path = write_fields(tmp_path / "own.h5", fields)
    mpirun(3, triad, "spectra", path, "--dir", tmp_path / "out", "--structure", "all", expect=0)
    a = arrays(tmp_path / "out/spectra/spectra-00000000.h5")
    for name, f in fields.items():
        for axis, letter in enumerate("xyz"):
            n = shape[2 - axis]
            if n == 1:
                assert f"E_{name}_{letter}" not in a and f"r_{letter}" not in a
                continue
            for i, m in enumerate(range(1, n // 2 + 1)):
                d = np.roll(f, -m, axis=2 - axis) - f
                want = [(d**p).mean() for p in ORDERS]
                scale = [(abs(d)**p).mean() for p in ORDERS]
                assert (abs(a[f"S_{name}_{letter}"][i] - want) <= 1e-12 * np.array(scale)).all()
    assert "E_potential" in a  # theta makes it a stratified flow


def test_log_spaced_separations_are_some_of_all(triad, mpirun, tmp_path):
    rng = np.random.default_rng(4)
    path = write_fields(tmp_path / "own.h5", {name: rng.standard_normal((4, 6, 100)) for name in "uvw"})
    for which in ("log", "all"):
        mpirun(1, triad, "spectra", path, "--dir", tmp_path / which, "--structure", which, expect=0)
    few, every = (arrays(tmp_path / f"{which}/spectra/spectra-00000000.h5") for which in ("log", "all"))
    m = np.rint(few["r_x"] / (2 * np.pi / 100)).astype(int)
    assert list(m) == [1, 2, 3, 4, 6, 8, 11, 16, 23, 32, 45, 50]
    assert np.array_equal(few["S_u_x"], every["S_u_x"][m - 1])


def test_a_ramp_of_known_moments(triad, mpirun, tmp_path):
    """u = sin kx along x: d = 2 sin(k r/2) cos(k x + k r/2), whose even moments are those of a cosine."""
    n = 36
    x = 2 * np.pi * np.arange(n) / n
    u = np.broadcast_to(np.sin(3 * x), (4, 5, n)).copy()
    zero = np.zeros_like(u)
    path = write_fields(tmp_path / "wave.h5", {"u": u, "v": zero, "w": zero})
    mpirun(2, triad, "spectra", path, "--dir", tmp_path / "out", "--structure", "all", "--pdf", "11", expect=0)
    a = arrays(tmp_path / "out/spectra/spectra-00000000.h5")
    amplitude = 2 * np.sin(3 * a["r_x"] / 2)
    for p, moment in ((2, 1 / 2), (4, 3 / 8), (6, 5 / 16), (8, 35 / 128)):  # mean cos^p
        assert np.allclose(a["S_u_x"][:, p - 2], moment * amplitude**p, rtol=0, atol=1e-12 * 2**p)
    assert abs(a["S_u_y"]).max() < 1e-12 and abs(a["S_u_x"][:, 1::2]).max() < 1e-12
    assert a["E_u_x"][3] == pytest.approx(0.5, rel=1e-14)
    assert (a["P_v_x"].argmax(axis=1) == 5).all() and abs(a["S_v_x"]).max() == 0


def test_a_broken_sum_rule_is_exit_65_and_plain_words(triad, mpirun, tmp_path):
    huge = {name: np.random.default_rng(1).standard_normal((4, 5, 6)) * 1e45 for name in "uvw"}
    path = write_fields(tmp_path / "huge.h5", huge)
    result = mpirun(2, triad, "spectra", path, "--dir", tmp_path / "out", "--structure", "all", expect=65)
    assert "S_8 of u is larger than the largest number" in result.stderr
    assert not list((tmp_path / "out").glob("spectra/*"))


def test_info_finds_numbers_that_break_the_rules(triad, mpirun, flow, tmp_path):
    run, kind, _ = flow
    source = run / "spectra/spectra-00000002.h5"
    assert "rules " in mpirun(1, triad, "info", source, expect=0).stdout
    f = "psi" if kind == "gpe" else "u"
    bad = [(f"E_{f}_x", 1, 1.01, "the sum of"), (f"S_abs_{f}_x", (1, 0), 1.5, f"order 2 of S_abs_{f}_x"),
           (f"S_abs_{f}_y", (1, 2), 0.01, f"order 4 of S_abs_{f}_y is invalid")]
    if kind != "gpe":
        bad += [("P_u_x", (0, 20), 0.9, "integral of P_u_x"), ("Pi", 3, 1.5, "Pi"), ("E_2d", (1, 1), 1.5, "E_2d")]
    for name, place, factor, words in bad:
        copy = tmp_path / source.name
        shutil.copy(source, copy)
        with h5py.File(copy, "r+") as h:
            if name not in h:
                assert name == "E_2d"
                continue
            if name == "Pi":
                place = -1
                h[name][place] += abs(h["T"][:]).sum()
            h[name][place] = h[name][place] * factor
        out = mpirun(1, triad, "info", copy, expect=65).stdout
        assert "WRONG" in out and words in out, (name, out)


def test_options_are_checked(triad, mpirun, flow, tmp_path):
    run = flow[0]
    for words, text in ((["--lines"], "add --dir"), (["--dir", tmp_path / "o", "--structure", "some"], "log or all"),
                        (["--dir", tmp_path / "o", "--pdf", "0"], "--pdf")):
        assert text in mpirun(1, triad, "spectra", run, *words, expect=64).stderr
    case = start(tmp_path, "hd")
    result = mpirun(1, triad, "case", "--check", case, "--set", "output.structure_functions=none", expect=65)
    assert "output.increment_pdfs requires" in result.stderr


def test_memory_and_disk_are_told_beforehand(triad, mpirun, tmp_path):
    case = start(tmp_path, "hd")

    def planned(*more):
        out = mpirun(1, triad, "case", "--check", case, *more, expect=0).stdout
        return out

    assert planned() != planned("--set", "output.increment_pdfs=100000")
