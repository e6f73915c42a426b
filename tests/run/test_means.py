"""output.means: running means are those of stored snapshots, their errors those of blocks; a broken run has the same bits."""

import os
import subprocess

import h5py
import numpy as np
import pytest

import outputs
from boxes import LENGTH
from test_faults import preload  # noqa: F401  (a fixture)

N = (18, 15, 12)
VISCOSITY = 0.03
CASE = """
[equations]
solver = "hd"
viscosity = 0.03
scalars = [0.05]
scalar_gradients = [0, 0, 1]
[grid]
n = [18, 15, 12]
length = ["2pi", 5.0, "3pi"]
[initial]
kind = "random"
wavenumber = 2
[time]
end = 1.1
[output]
means = ["spectra", "moments", "pdfs", "profiles x", "profiles y", "profiles z"]
means_interval = 0.05
means_from = 0.1
slices = []
report = false
"""
SNAPSHOTS = {"output__fields_interval": 0.05, "output__spectra_interval": 0.05, "output__series_interval": 0.05}


@pytest.fixture(scope="module")
def run(launcher, triad, tmp_path_factory):
    """run(ranks, name, --set pairs ..): a run directory."""
    folder = tmp_path_factory.mktemp("means")
    (folder / "case.toml").write_text(CASE)

    def start(name, ranks=1, expect=0, threads=1, **keys):
        sets = [word for k, v in keys.items() for word in ("--set", f"{k.replace('__', '.')}={v}")]
        start.result = launcher(ranks, triad, "run", folder / "case.toml", "--dir", folder / name, *sets, expect=expect,
                                threads=threads)
        return folder / name
    return start


@pytest.fixture(scope="module")
def whole(run):
    return run("whole", **SNAPSHOTS)


def means(folder, name="means.h5"):
    with h5py.File(folder / name) as f:
        return {**{n: f[n][:] for n in f if isinstance(f[n], h5py.Dataset)}, "attributes": dict(f.attrs)}


@pytest.fixture(scope="module")
def snapshots(whole):
    """[{field: values[z, y, x]}] of the files that are samples."""
    out = []
    for path in sorted(whole.glob("fields/fields-*.h5")):
        with h5py.File(path) as f:
            if f.attrs["t"] > 0.0999:
                out.append({n: f[n][:] for n in ("u", "v", "w", "scalar1")})
    return out


def derivative(a, axis):
    """Of a field without Nyquist modes along x, y, z (axis 0, 1, 2)."""
    dim = 2 - axis
    k = 2 * np.pi / LENGTH[axis] * np.fft.fftfreq(N[axis], 1 / N[axis])
    shape = [1, 1, 1]
    shape[dim] = -1
    return np.fft.ifft(1j * k.reshape(shape) * np.fft.fft(a, axis=dim), axis=dim).real


def close(got, want, scale=None):
    """Sums of some thousand terms of 1e-16 each, and transforms there and back."""
    scale = np.abs(want).max() if scale is None else scale
    assert np.abs(got - want).max() <= 1e-12 * scale, (np.abs(got - want).max(), scale)


def test_spectra_are_the_means_of_files_of_spectra(whole):
    got, files = means(whole), [values for t, values in outputs.spectra(whole) if t > 0.0999]
    assert got["attributes"]["samples"] == len(files) == 21
    assert np.allclose(got["attributes"]["times"], (0.1, 1.1), atol=1e-9)
    for name in ("E", "H", "S1", "T", "Pi", "T_S1"):
        close(got[name], np.mean([f[name] for f in files], axis=0))
        assert np.array_equal(got["k"], files[0]["k"])


def test_profiles_are_means_and_covariances_over_planes_of_snapshots(whole, snapshots):
    got = means(whole)
    for axis, letter in enumerate("xyz"):
        across = tuple(2 - other for other in range(3) if other != axis)
        assert np.allclose(got[letter], LENGTH[axis] * np.arange(N[axis]) / N[axis])
        mean = {f: np.mean([s[f].mean(axis=across) for s in snapshots], axis=0) for f in snapshots[0]}
        for i, f in enumerate(mean):
            close(got[f"mean_{f}_{letter}"], mean[f], 1)
            for g in list(mean)[i:]:
                product = np.mean([(s[f] * s[g]).mean(axis=across) for s in snapshots], axis=0)
                close(got[f"cov_{f}_{g}_{letter}"], product - mean[f] * mean[g], 1)
        strain = [[[(derivative(s["uvw"[i]], j) + derivative(s["uvw"[j]], i)) / 2 for j in range(3)] for i in range(3)]
                  for s in snapshots]
        dissipation = [2 * VISCOSITY * (np.array(a)**2).sum(axis=(0, 1)).mean(axis=across) for a in strain]
        close(got[f"dissipation_{letter}"], np.mean(dissipation, axis=0))
    assert got["dissipation_z"].mean() == pytest.approx(got["dissipation"][0], rel=1e-12)


def test_profiles_along_z_alone_are_sums_over_columns_with_the_same_numbers(run, whole):
    """By Parseval's relation, of lines along z; in a plane of modes the order of columns on ranks and threads shows in no bit."""
    wanted = {"output__means": '["profiles z"]', "parallel__reproducible": "true", **SNAPSHOTS}
    alone, both = means(run("alone", **wanted)), means(whole)
    names = [n for n in alone if n.endswith("_z") or n == "z"]
    assert len(names) == 1 + 4 + 6 + 4 + 1
    for name in names:
        close(alone[name], both[name], 1)
    for how in ({"ranks": 3}, {"threads": 2}):
        again = means(run("alone-" + "-".join(how), **wanted, **how))
        assert all(np.array_equal(again[n], alone[n]) for n in names)


def test_moments_and_pdfs_are_those_of_snapshots(whole, snapshots):
    got = means(whole)
    variables = {f: [s[f] for s in snapshots] for f in snapshots[0]}
    for i, f in enumerate("uvw"):
        variables[f"d{f}_d{'xyz'[i]}"] = [derivative(s[f], i) for s in snapshots]
    for name, values in variables.items():
        want = np.mean([[a.mean(), *(((a - a.mean())**p).mean() for p in (2, 3, 4))] for a in values], axis=0)
        close(got[f"{name}_moments"], want)
        edges = np.linspace(-10, 10, 201)
        pdf = np.mean([np.histogram((a - a.mean()) / a.std(), edges, density=True)[0] for a in values], axis=0)
        # a value on the edge of a bin may fall on either side: few of the 3240 do
        assert np.abs(got[f"{name}_pdf"] - pdf).max() <= 3 / 3240 / 0.1
        assert np.sum(got[f"{name}_pdf"]) * 0.1 == pytest.approx(1, abs=1e-12)
    assert np.allclose(got["deviation"], (np.arange(200) + 0.5) * 0.1 - 10)


def blocks_of(x):
    """The means of blocks, told anew: samples to blocks of L, 16 of which are joined to 8 of 2 L."""
    blocks, length, part = [], 1, []
    for value in x:
        part.append(value)
        if len(part) == length:
            blocks.append(np.mean(part, axis=0))
            part = []
        if len(blocks) == 16:
            blocks, length = [(blocks[i] + blocks[i + 1]) / 2 for i in range(0, 16, 2)], 2 * length
    return np.array(blocks)


def test_errors_are_those_of_the_means_of_blocks(whole, snapshots):
    got = means(whole)
    inside = outputs.series(whole)["t"] > 0.0999
    for name in ("energy", "dissipation", "u_max"):
        x = outputs.series(whole)[name][inside]
        b = blocks_of(x)
        assert got["attributes"]["blocks"] == len(b) == 10 and got["attributes"]["block_samples"] == 2
        assert got[name][0] == pytest.approx(np.mean(x), rel=1e-13)
        assert got[f"{name}_error"][0] == pytest.approx(b.std(ddof=1) / np.sqrt(len(b)), rel=1e-11)
        (slope, _), cov = np.polyfit(np.arange(len(b)), b, 1, cov=True)
        assert got[f"{name}_trend"][0] == pytest.approx(slope * (len(b) - 1), rel=1e-9)
        assert got[f"{name}_trend_error"][0] == pytest.approx(np.sqrt(cov[0, 0]) * (len(b) - 1), rel=1e-6)
    w = np.array([s["w"].mean(axis=(1, 2)) for s in snapshots])
    s = np.array([s["scalar1"].mean(axis=(1, 2)) for s in snapshots])
    ws = np.array([(s["w"] * s["scalar1"]).mean(axis=(1, 2)) for s in snapshots])
    b = blocks_of(ws - s.mean(axis=0) * w - w.mean(axis=0) * s)
    close(got["cov_w_scalar1_z_error"], b.std(axis=0, ddof=1) / np.sqrt(len(b)))


def same(a, b):
    assert sorted(a) == sorted(b)
    return all(np.array_equal(a[n], b[n], equal_nan=True) for n in a if n != "attributes")


def test_a_broken_run_has_the_same_bits(run, whole):
    """Gone on with from t = 1, after 19 samples, within the second sample of a block of two; on other ranks."""
    fixed = {"parallel__reproducible": "true", "time__dt": 0.025, "output__checkpoint_interval": 0.2}
    one = run("one", **fixed)
    run("broken", time__max_steps=42, **fixed)
    lost = outputs.checkpoints(one.parent / "broken")[-1]
    os.rename(lost, lost.parent.parent / "lost")
    broken = run("broken", ranks=3, **fixed)
    assert same(means(one), means(broken))
    assert same(means(one), means(run("threads", threads=2, **fixed)))
    last = outputs.checkpoints(one)[-1].name
    assert (one / "checkpoints" / last / "means.bin").read_bytes() == (broken / "checkpoints" / last / "means.bin").read_bytes()


def test_means_of_a_checkpoint_that_are_damaged_are_told(run):
    folder = run("damaged", time__end=0.3)
    path = outputs.checkpoints(folder)[-1] / "means.bin"
    text = bytearray(path.read_bytes())
    text[100] ^= 1
    path.write_bytes(text)
    run("damaged", time__end=0.4, expect=65)
    assert "means.bin: damaged" in run.result.stderr and "output.means=[]" in run.result.stderr
    path.unlink()
    run("damaged", time__end=0.4, expect=65)
    run("damaged", time__end=0.4, output__means="[]")


def test_other_means_begin_anew_and_say_so(run):
    run("other", time__end=0.3)
    folder = run("other", time__end=0.4, output__means='["moments"]')
    assert "running means restart" in (folder / "log.txt").read_text()
    assert means(folder)["attributes"]["samples"] == 2


def test_windows_have_files_of_their_own(run, whole, triad):
    folder = run("windows", output__means_window=0.4, **SNAPSHOTS)
    assert sorted(p.name for p in folder.glob("means/*.h5")) == [f"means-000{i}.h5" for i in (1, 2, 3)]
    t, e = outputs.series(folder)["t"], outputs.series(folder)["energy"]
    for i, (begin, end, n) in enumerate(((0.1, 0.5, 8), (0.5, 0.9, 8), (0.9, 1.3, 5))):
        got = means(folder, f"means/means-000{i + 1}.h5")
        inside = (t > begin - 1e-6) & (t < end - 1e-6)
        assert got["attributes"]["samples"] == n == np.sum(inside)
        assert got["energy"][0] == pytest.approx(e[inside].mean(), rel=1e-13)
    told = subprocess.run((triad, "info", folder), capture_output=True, text=True, timeout=60)
    assert told.returncode == 0 and "means-0003.h5 5 samples of t = 0.9 to 1.1" in told.stdout


def test_a_start_anew_moves_means_and_places_aside(run, launcher, triad):
    folder = run("anew", time__end=0.3, output__probes='["[1, 1, 1]"]', output__probes_format="h5")
    launcher(1, triad, "run", folder.parent / "case.toml", "--dir", folder, "--from-start", "--set", "time.end=0.2", "--set",
             "output.means_window=1", expect=0)
    assert {p.name for p in (folder / "before-1").glob("[mp]*")} == {"means.h5", "probes.csv", "probes.h5"}
    assert {p.name for p in folder.glob("[mp]*")} == {"means", "provenance.json"}


def test_words_that_are_no_means_are_refused_where_they_stand(triad, tmp_path):
    (tmp_path / "case.toml").write_text(CASE)
    for text, words in {'["spectrum"]': 'value 1 of 1: "spectrum" is not one of', '["profiles"]': "is not one of",
                        '["pdfs", "pdfs"]': "value 2 of 2: \"pdfs\" is repeated", '[""]': "is not one of"}.items():
        done = subprocess.run((triad, "case", "--check", tmp_path / "case.toml", "--set", f"output.means={text}"),
                              capture_output=True, text=True, timeout=20)
        assert done.returncode == 65 and words in done.stderr, done.stderr


@pytest.mark.parametrize("solver, more, start", [
    ("gpe", "healing_length = 1.0", 'kind = "vortex-ring"\nrings = [3, 2.5, 4, 0, 0, 1, 1.5]'),
    ("mhd", "viscosity = 0.03\nresistivity = 0.03", 'kind = "random"\nwavenumber = 2'),
    ("boussinesq", "viscosity = 0.03\nbuoyancy_frequency = 1\ndiffusivity = 0.03", 'kind = "random"\nwavenumber = 2')])
def test_every_set_has_means(launcher, triad, tmp_path, solver, more, start):
    text = CASE[:CASE.index("viscosity")].replace('"hd"', f'"{solver}"') + more + CASE[CASE.index("\n[grid]"):]
    text = text.replace('kind = "random"\nwavenumber = 2', start).replace("end = 1.1", "end = 0.2")
    (tmp_path / "case.toml").write_text(text)
    launcher(1, triad, "run", tmp_path / "case.toml", "--dir", tmp_path / "run", expect=0)
    got = means(tmp_path / "run")
    first = {"gpe": "psi_re", "mhd": "bz", "boussinesq": "theta"}[solver]
    assert got["attributes"]["samples"] == 3 and np.all(got[f"cov_{first}_{first}_z"] >= -1e-12)
    assert np.isfinite(got["energy"][0]) and got["E"].sum() == pytest.approx(got["energy"][0], rel=1e-10)
    assert solver != "gpe" or got["mass"].sum() == pytest.approx(got["mass_series"][0], rel=1e-10)


def test_info_and_the_report_tell_of_errors_and_drifts(triad, whole):
    """Energy that decays drifts; both read the numbers of means.h5."""
    got = means(whole)
    told = subprocess.run((triad, "info", whole), capture_output=True, text=True, timeout=60)
    assert told.returncode == 0 and "21 samples of t = 0.1 to 1.1; errors from 10 blocks of 2 samples" in told.stdout
    line = next(line for line in told.stdout.splitlines() if line.startswith("    energy ") and "+-" in line)
    assert f"{got['energy'][0]:.6g} +- {got['energy_error'][0]:.2g}" in line and line.endswith("not stationary")
    one = subprocess.run((triad, "info", whole / "means.h5"), capture_output=True, text=True, timeout=60)
    assert one.returncode == 0 and "running means" in one.stdout and "cov_u_v_z" in one.stdout
    pytest.importorskip("matplotlib", reason="python3-matplotlib is not installed")
    done = subprocess.run((triad, "report", whole), capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done
    page = (whole / "report.html").read_text()
    assert done.returncode == 0 and "Running means" in page and "not stationary" in page
    assert f"{got['energy'][0]:.5g} \u00b1 {got['energy_error'][0]:.2g}" in page


def test_noise_about_a_level_looks_stationary():
    """Of independent samples the drift lies within two of its errors nearly always, of a rise of many errors never."""
    import looks  # noqa: F401  (the way to tools/)
    from triad_plot.compute.errors import is_stationary
    draw = np.random.default_rng(3)
    hits = 0
    for _ in range(400):
        b = blocks_of(draw.normal(size=300))
        (slope, _), cov = np.polyfit(np.arange(len(b)), b, 1, cov=True)
        hits += is_stationary(slope, np.sqrt(cov[0, 0]))
    # Student's t with seven degrees of freedom is within 2 with 91 %; 400 draws scatter by 1.4 %
    assert 0.86 < hits / 400 < 0.96
    assert not is_stationary(5.0, 1.0) and not is_stationary(np.nan, 1.0)


@pytest.mark.parametrize("action", ["kill", "ENOSPC"])
def test_means_survive_what_happens_to_a_checkpoint(launcher, triad, run, preload, tmp_path, action):
    """At any of the calls that write it, means.bin among them: the same command goes on to the same bits."""
    fixed = {"parallel__reproducible": "true", "time__dt": 0.05, "output__checkpoint_interval": 0.2, "time__end": 0.6,
             "output__retry_interval": 0.2, "output__means": '["moments", "profiles z"]'}
    want = means(run("faultless", **fixed))
    sets = [word for k, v in fixed.items() for word in ("--set", f"{k.replace('__', '.')}={v}")]
    case = next(iter(run("faultless", **fixed).parent.glob("case.toml")))
    env = {"TRIAD_FAULT": f"0:commit:0:{action}", "TRIAD_FAULT_COUNT": str(tmp_path / "count")}
    options = ("-x", f"LD_PRELOAD={preload}", "-x", "TRIAD_FAULT", "-x", "TRIAD_FAULT_COUNT")
    launcher(1, triad, "run", case, "--dir", tmp_path / "counted", *sets, env=env, options=options, expect=0)
    calls = int((tmp_path / "count.0").read_text())
    for at in np.random.default_rng(1).integers(1, calls + 1, 3):
        folder = tmp_path / f"fault-{at}"
        env = {"TRIAD_FAULT": f"0:commit:{at}:{action}"}
        launcher(1, triad, "run", case, "--dir", folder, *sets, env=env, options=options[:4])
        launcher(1, triad, "run", case, "--dir", folder, *sets, "--break-lock", expect=0)
        assert same(means(folder), want), at
