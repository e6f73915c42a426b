"""Whole runs: what stands in a run directory, that ranks and threads do not matter, and where fields come from."""

import json
import re
import shutil
import subprocess

import h5py
import numpy as np
import pytest

import outputs
from conftest import ROOT
from outputs import sets

CASE = ROOT / "runs/taylor-green-demo/case.toml"
SMALL = sets(grid__n=[16, 12, 18], grid__length=[5.0, 4.0, 7.0], equations__viscosity=0.02, time__end=0.5,
             output__series_interval=0.1, output__spectra_interval=0.25, output__fields_interval=0.25,
             output__checkpoint_interval=0.25, initial__kind="random", initial__helicity=0.4)
LENGTH = (5.0, 4.0, 7.0)


def grid_wavenumbers(length, kx, ky, kz):
    """Arrays that broadcast to [column][kz]."""
    return (2 * np.pi / length[0] * kx[:, None], 2 * np.pi / length[1] * ky[:, None],
            2 * np.pi / length[2] * kz[None, :])


def coefficients(values, m):
    """Fourier coefficients of a (z, y, x) array at the modes of a checkpoint, by numpy's transform."""
    n = values.shape
    full = np.fft.fftn(values.astype(float)) / values.size
    kx, ky, kz = m["kx"][:, None], m["ky"][:, None], m["kz"][None, :]
    return full[kz % n[0], ky % n[1], kx % n[2]]


@pytest.fixture(scope="module")
def small(launcher, triad, tmp_path_factory):
    """One run on 3 ranks that the tests below look at."""
    folder = tmp_path_factory.mktemp("small") / "a" / "run"
    result = launcher(3, triad, "run", CASE, "--dir", folder, *SMALL, timeout=60, expect=0)
    yield folder, result
    shutil.rmtree(folder.parent.parent, ignore_errors=True)


# ---- the length of a step ----

@pytest.mark.parametrize("keys, process", [
    (dict(), "advection"),
    (dict(equations__solver="boussinesq", equations__buoyancy_frequency=1e4), "waves"),
    (dict(time__dt_max=1e-6), "time.dt_max"),
    (dict(time__dt=1e-3), "time.dt"),
])
def test_log_says_what_sets_the_step(mpirun, triad, rundir, keys, process):
    """A buoyancy frequency of 1e4 allows a step of cfl/1e4, the velocity of the Taylor-Green vortices one of about
    cfl dx = 0.1: which of them is the shorter leaves no doubt."""
    result = mpirun(2, triad, "run", CASE, "-v", "--dir", rundir, *sets(
        grid__n=[8, 8, 8], time__max_steps=3, output__report=False, **keys), timeout=60, expect=0)
    told = re.findall(r"from step (\d+) on dt is set by (\S+)", result.stdout + result.stderr)
    assert told == [("1", process)], told


# ---- the run directory ----

def test_run_directory_has_what_the_contract_lists(small):
    run, _ = small
    for name in ("case.toml", "case.resolved.toml", "provenance.json", "log.txt", "series.csv"):
        assert (run / name).stat().st_size > 0, name
    for name in ("spectra", "checkpoints", "fields", "slices"):
        assert (run / name).is_dir(), name
    assert (run / "case.toml").read_bytes().endswith(CASE.read_bytes()), "the case as given, behind what --set changed"
    assert not list(run.rglob("*.tmp*")), "temporary files are left"


def test_provenance_is_json_that_names_version_and_command(small):
    run, _ = small
    provenance = json.loads((run / "provenance.json").read_text())
    text = json.dumps(provenance)
    assert (ROOT / "VERSION").read_text().strip() in text and "grid.n" in text and "taylor-green-demo" in text
    for word in ("ranks", "commit"):
        assert re.search(word, text, re.I), f"no {word} in {sorted(provenance)}"


def test_log_and_output_name_what_was_run(small):
    run, result = small
    log = (run / "log.txt").read_text()
    for text in (result.stdout, log):
        assert "16 x 12 x 18" in text and "3 ranks" in text, text


def test_series_has_units_formulae_header_and_full_precision(small):
    run, _ = small
    lines = (run / "series.csv").read_text().splitlines()
    comments = [line for line in lines if line.startswith("#")]
    header = outputs.rows(run)[0].split(",")
    assert header[:7] == ["step", "t", "dt", "energy", "enstrophy", "dissipation", "injection"]
    assert lines.index(",".join(header)) == len(comments), "comments come first, then the header"
    for column in header:
        assert any(re.match(rf"# {column} \[.*\]: \S", line) for line in comments), f"no unit and formula for {column}"
    for row in outputs.rows(run)[1:]:
        for word in row.split(","):
            assert f"{float(word):.17g}" == word or str(int(word)) == word, f"{word} is not at full precision"


def test_series_rows_come_when_they_are_due(small):
    run, _ = small
    s = outputs.series(run)
    assert s["t"][0] == 0 and s["t"][-1] == 0.5
    assert (np.diff(s["step"]) > 0).all()
    # a row at the first step at or past each multiple of 0.1
    marks = np.floor(s["t"] / 0.1 + 1e-9)
    assert list(marks) == [0, 1, 2, 3, 4, 5], s["t"]
    assert (s["t"] - 0.1 * marks <= s["dt"] + 1e-12).all()


def test_spectra_sum_to_the_energy_and_land_on_their_times(small):
    run, _ = small
    found = outputs.spectra(run)
    assert [t for t, _ in found] == [0, 0.25, 0.5], "CFL steps land on output times exactly"
    s = outputs.series(run)
    for t, arrays in found:
        k_min = 2 * np.pi / 7
        np.testing.assert_allclose(arrays["k"], k_min * np.arange(len(arrays["k"])), rtol=1e-14)
        for row in np.nonzero(s["t"] == t)[0]:
            np.testing.assert_allclose(arrays["E"].sum(), s["energy"][row], rtol=1e-14)
            np.testing.assert_allclose(arrays["H"].sum(), s["helicity"][row], rtol=1e-12)
    assert sum(s["t"] == 0) == 1 and sum(s["t"] == 0.5) == 1


def test_fields_are_z_y_x_with_scales_and_units(small):
    run, _ = small
    files = sorted((run / "fields").glob("fields-*.h5"))
    assert len(files) == 3
    with h5py.File(files[-1]) as f:
        assert f.attrs["t"] == 0.5
        for name in outputs.FIELDS:
            d = f[name]
            assert d.shape == (18, 12, 16) and d.dtype == np.float64
            assert d.attrs["units"] and d.attrs["long_name"]
            for axis, (label, n, length) in enumerate((("z", 18, 7.0), ("y", 12, 4.0), ("x", 16, 5.0))):
                np.testing.assert_allclose(d.dims[axis][0][:], np.arange(n) * length / n, rtol=1e-14, err_msg=label)
    xdmf = (run / "fields/fields.xmf").read_text()
    assert all(path.name in xdmf for path in files)


def test_fields_and_checkpoint_are_the_same_flow(small):
    run, _ = small
    m = outputs.modes(run)
    assert m["attributes"]["t"] == 0.5
    with h5py.File(sorted((run / "fields").glob("fields-*.h5"))[-1]) as f:
        values = {name: f[name][:] for name in outputs.FIELDS}
    size = np.sqrt(2 * outputs.energy(m))
    for name in outputs.FIELDS:
        np.testing.assert_allclose(coefficients(values[name], m), m[name], atol=1e-15 * 10 * size, rtol=0)
    s = outputs.series(run)
    mean = sum((v**2).mean() for v in values.values()) / 2
    np.testing.assert_allclose([outputs.energy(m), mean], s["energy"][-1], rtol=1e-14)
    np.testing.assert_allclose(np.sqrt(sum(v**2 for v in values.values())).max(), s["u_max"][-1], rtol=1e-14)


def test_checkpointed_flow_is_solenoidal_and_at_rest_in_the_mean(small):
    run, _ = small
    m = outputs.modes(run)
    k = grid_wavenumbers(LENGTH, m["kx"], m["ky"], m["kz"])
    divergence = sum(k[i] * m[f] for i, f in enumerate(outputs.FIELDS))
    curl = sum((k[i]**2) for i in range(3)) * sum(abs(m[f])**2 for f in outputs.FIELDS)
    assert np.sqrt((outputs.weights(m) * abs(divergence)**2).sum()) < 1e-14 * np.sqrt((outputs.weights(m) * curl).sum())
    assert all((0, 0, 0) not in outputs.by_wavenumber(m, f) for f in outputs.FIELDS)


def test_energy_lost_is_the_dissipation_of_the_series(mpirun, triad, rundir):
    mpirun(2, triad, "run", CASE, "--dir", rundir, *SMALL,
             *sets(time__cfl=0.25, output__series_interval=0.0, output__fields_interval=0.0), timeout=60, expect=0)
    s = outputs.series(rundir)
    lost = ((s["dissipation"][1:] + s["dissipation"][:-1]) / 2 * np.diff(s["t"])).sum()
    # the trapezoidal rule over steps of dt: dt^2/12 of the curvature of the dissipation, bounded by its differences
    d2 = abs(np.diff(s["dissipation"], 2)).max() / 12 * len(s["t"]) * s["dt"].max()
    given = s["energy"][0] - s["energy"][-1]
    assert abs(given - lost) < 2 * d2 + 1e-6 * lost, (given, lost, d2)
    assert d2 < 1e-3 * lost


def test_resolved_case_runs_the_same_flow(small, mpirun, triad, rundir):
    run, _ = small
    mpirun(3, triad, "run", run / "case.resolved.toml", "--dir", rundir, "-q", timeout=60, expect=0)
    assert outputs.distance(rundir, run) < 1e-12
    np.testing.assert_allclose(outputs.series(rundir)["energy"], outputs.series(run)["energy"], rtol=1e-12)


def test_without_checkpoint_interval_only_the_end_is_kept(mpirun, triad, rundir):
    mpirun(1, triad, "run", CASE, "--dir", rundir, *SMALL,
           *sets(output__checkpoint_interval=0.0, output__fields_interval=0.0, output__spectra_interval=0.0),
           timeout=60, expect=0)
    assert len(outputs.checkpoints(rundir)) == 1
    assert not list((rundir / "fields").iterdir()) and not list((rundir / "spectra").iterdir())


def test_newest_checkpoints_are_kept(mpirun, triad, rundir):
    mpirun(2, triad, "run", CASE, "--dir", rundir, *SMALL, *sets(time__dt=0.02, output__checkpoint_interval=0.04,
           output__fields_interval=0.0, output__keep=2), timeout=60, expect=0)
    steps = [int(c.name.split("-")[1]) for c in outputs.checkpoints(rundir)]
    assert steps == [24, 25], steps


def test_max_steps_ends_the_run(mpirun, triad, rundir):
    mpirun(1, triad, "run", CASE, "--dir", rundir, *SMALL, *sets(time__max_steps=7), timeout=60, expect=0)
    assert outputs.series(rundir)["step"][-1] == 7 and outputs.modes(rundir)["attributes"]["step"] == 7


def test_fixed_step_is_fixed(mpirun, triad, rundir):
    mpirun(1, triad, "run", CASE, "--dir", rundir, *SMALL, *sets(time__dt=0.03, output__series_interval=0.0),
           timeout=60, expect=0)
    s = outputs.series(rundir)
    np.testing.assert_allclose(s["dt"][1:-1], 0.03, rtol=1e-15)
    assert s["t"][-1] == 0.5 and len(s["t"]) == 18


def test_run_of_no_time_writes_the_initial_state(mpirun, triad, rundir):
    mpirun(2, triad, "run", CASE, "--dir", rundir, *SMALL, *sets(time__end=0.0), timeout=60, expect=0)
    assert list(outputs.series(rundir)["t"]) == [0] and outputs.modes(rundir)["attributes"]["step"] == 0


# ---- who computes it does not matter ----

FORCED = [*SMALL, *sets(forcing__kind="random", forcing__k_range=[1.0, 2.0], output__series_interval=0.0,
                        time__end=0.25, output__fields_interval=0.0)]


@pytest.mark.limit(180)
def test_answer_is_the_same_bit_for_bit_when_reproducible(mpirun, triad, tmp_path):
    first = None
    for ranks, threads in ((1, 1), (2, 1), (3, 1), (4, 1), (1, 2), (3, 2), (6, 1)):
        run = tmp_path / f"{ranks}x{threads}"
        mpirun(ranks, triad, "run", CASE, "--dir", run, "-q", *FORCED, *sets(parallel__reproducible=True),
               threads=threads, timeout=60, expect=0)
        now = (outputs.rows(run), [(t, a["E"].tobytes(), a["H"].tobytes()) for t, a in outputs.spectra(run)])
        first = first or (run, now)
        assert now[0] == first[1][0], f"series on {ranks} x {threads}"
        assert now[1] == first[1][1], f"spectra on {ranks} x {threads}"
        assert outputs.same_bits(run, first[0]), f"modes on {ranks} x {threads}"


def test_answer_is_the_same_to_round_off_otherwise(mpirun, triad, tmp_path):
    first = None
    for ranks, threads in ((1, 1), (3, 2), (4, 1)):
        run = tmp_path / f"{ranks}x{threads}"
        mpirun(ranks, triad, "run", CASE, "--dir", run, "-q", *FORCED, threads=threads, timeout=60, expect=0,
               env={"TRIAD_WISDOM": tmp_path / f"wisdom-{ranks}"})  # plans of its own
        s = outputs.series(run)
        first = first or (run, s)
        assert outputs.distance(run, first[0]) < 1e-12
        for column in ("t", "energy", "enstrophy", "dissipation", "u_max"):
            np.testing.assert_allclose(s[column], first[1][column], rtol=1e-12,
                                       err_msg=f"{column} on {ranks} x {threads}")


def test_streams_do_not_change_the_answer(mpirun, triad, tmp_path):
    for n in (1, 2, 8):
        mpirun(3, triad, "run", CASE, "--dir", tmp_path / str(n), "-q", *FORCED,
               *sets(parallel__reproducible=True, parallel__nstreams=n), timeout=60, expect=0)
        assert outputs.same_bits(tmp_path / str(n), tmp_path / "1")


def test_more_ranks_than_planes_run_and_are_told(mpirun, triad, tmp_path):
    flat = [*FORCED, *sets(grid__n=[16, 16, 3], grid__length=[5.0, 4.0, 1.0], parallel__reproducible=True)]
    one = mpirun(1, triad, "run", CASE, "--dir", tmp_path / "1", *flat, timeout=60, expect=0)
    many = mpirun(5, triad, "run", CASE, "--dir", tmp_path / "5", *flat, timeout=60, expect=0)
    assert outputs.same_bits(tmp_path / "1", tmp_path / "5")
    assert "5 ranks share 3 planes" in many.stdout + many.stderr and "share" not in one.stdout + one.stderr


def test_single_precision_follows_double(mpirun, triad, tmp_path):
    for precision in ("double", "single"):
        mpirun(2, triad, "run", CASE, "--dir", tmp_path / precision, "-q", *FORCED,
               *sets(precision=precision, time__dt=0.01), timeout=60, expect=0)
    # 25 steps of 3 stages, each rounding by some 6e-8
    assert outputs.distance(tmp_path / "single", tmp_path / "double") < 25 * 3 * 6e-8 * 4
    assert outputs.modes(tmp_path / "single")["u"].dtype == np.complex64


# ---- the cases of runs/ at a size that a test can afford ----

def test_abc_decay_case(mpirun, triad, rundir):
    mpirun(3, triad, "run", ROOT / "runs/abc-decay/case.toml", "--dir", rundir, *sets(grid__n=[12, 12, 12]), timeout=60,
           expect=0)
    s = outputs.series(rundir)
    energy = (1 + 0.7**2 + 0.43**2) / 2
    np.testing.assert_allclose(s["energy"], energy * np.exp(-0.2 * s["t"]), rtol=1e-12)
    np.testing.assert_allclose(s["helicity"], 2 * energy * np.exp(-0.2 * s["t"]), rtol=1e-12)
    assert s["step"][-1] == 100


def test_iso_decay_case(mpirun, triad, rundir):
    """Numbers of runs/iso-decay/README.md, on the coarsest grid of its table."""
    readme = (ROOT / "runs/iso-decay/README.md").read_text()
    row = re.search(r"\| 32\^3 \|([^\n]*)\|", readme).group(1).split("|")
    converged = re.search(r"\| 96\^3 \|([^\n]*)\|", readme).group(1).split("|")
    mpirun(2, triad, "run", ROOT / "runs/iso-decay/case.toml", "--dir", rundir, *sets(grid__n=[32, 32, 32]), timeout=60,
           expect=0)
    s = outputs.series(rundir)
    at_2 = [arrays["E"].sum() for t, arrays in outputs.spectra(rundir) if t == 2]
    got = [s["energy"][0], s["dissipation"][0], *at_2, s["energy"][-1], s["dissipation"].max()]
    assert len(got) == 5
    assert s["energy"][0] == pytest.approx(0.5, rel=1e-14)
    for name, value, fine, coarse in zip(("E(0)", "eps(0)", "E(2)", "E(4)", "largest eps"), got,
                                         map(float, converged), map(float, row)):
        # as far from the converged value as the table says of this grid, and half of that again for another machine
        assert abs(value - fine) <= 1.5 * abs(coarse - fine) + 1e-4 * fine, (name, value, fine, coarse)
    assert (np.diff(s["energy"]) < 0).all()


def test_iso_forced_case(mpirun, triad, rundir):
    mpirun(2, triad, "run", ROOT / "runs/iso-forced/case.toml", "--dir", rundir,
           *sets(grid__n=[24, 24, 24], time__end=2.0, time__dt=0.01, output__series_interval=0.0,
                 equations__viscosity=0.02), timeout=60, expect=0)
    s = outputs.series(rundir)
    assert (s["injection"] == 0.1).all()
    gained = s["energy"][-1] - s["energy"][0]
    spent = ((s["dissipation"][1:] + s["dissipation"][:-1]) / 2 * np.diff(s["t"])).sum()
    # a kick at the end of each step raises the dissipation by at most 2 nu k^2 P dt at once, of which the trapezoidal
    # rule counts half too much
    slack = 0.02 * 2.5**2 * 0.1 * 0.01 * 2.0
    assert abs(gained - (0.1 * 2.0 - spent)) < 1.5 * slack + 1e-5, (gained, spent, slack)
    assert slack < 0.01 * spent


def test_tgv_1600_case_starts_as_published(mpirun, triad, rundir):
    mpirun(2, triad, "run", ROOT / "runs/tgv-re1600/case.toml", "--dir", rundir,
           *sets(grid__n=[24, 24, 24], time__end=0.5, time__cfl=0.05, output__series_interval=0.0),
           timeout=60, expect=0)
    s = outputs.series(rundir)
    assert s["energy"][0] == pytest.approx(0.125, rel=1e-14)
    assert s["dissipation"][0] == pytest.approx(2 * 6.25e-4 * 0.375, rel=1e-14)
    # mirror symmetries, and the energy budget, to the order of scheme and trapezoidal rule
    assert abs(s["helicity"]).max() < 1e-15
    lost = ((s["dissipation"][1:] + s["dissipation"][:-1]) / 2 * np.diff(s["t"])).sum()
    assert s["energy"][0] - s["energy"][-1] == pytest.approx(lost, rel=1e-5)


# ---- initial fields from files ----

def write_user_field(path, n=(20, 15, 24), seed=5, **options):
    """u, v, w as (z, y, x), smooth enough to be resolved, with a mean flow and a part that is not solenoidal."""
    generator = np.random.default_rng(seed)
    z, y, x = np.meshgrid(*(2 * np.pi * np.arange(m) / m for m in n), indexing="ij")
    fields = {}
    for name in outputs.FIELDS:
        value = np.full(n, generator.normal())
        for _ in range(6):
            k = generator.integers(-3, 4, 3)
            value = value + generator.normal() * np.cos(k[0] * x + k[1] * y + k[2] * z + generator.uniform(0, 6))
        fields[name] = value
    with h5py.File(path, "w") as f:
        for name, value in fields.items():
            f.create_dataset(name, data=value, **options)
    return fields


def expected_modes(fields, m, length):
    """Modes of a field from a file on a checkpoint's grid: carried over, made solenoidal, without the mean."""
    c = {f: coefficients(v, m) for f, v in fields.items()}
    n = fields["u"].shape
    # modes beyond the file's own grid, its Nyquist ones included, are zero
    held = (2 * abs(m["kx"])[:, None] < n[2]) & (2 * abs(m["ky"])[:, None] < n[1]) & (2 * abs(m["kz"])[None, :] < n[0])
    k = grid_wavenumbers(length, m["kx"], m["ky"], m["kz"])
    k2 = k[0]**2 + k[1]**2 + k[2]**2
    with np.errstate(invalid="ignore", divide="ignore"):
        along = np.where(k2 > 0, sum(k[i] * c[f] for i, f in enumerate(outputs.FIELDS)) / k2, 0)
    kept = held & (k2 > 0)
    return {f: np.where(kept, c[f] - k[i] * along, 0) for i, f in enumerate(outputs.FIELDS)}


def inside(m):
    """Modes that the sphere truncation keeps, of the rectangle that a file has room for."""
    kmax = [(int(n) - 1) // 3 for n in m["attributes"]["n"]]
    x, y, z = m["kx"][:, None] / kmax[0], m["ky"][:, None] / kmax[1], m["kz"][None, :] / kmax[2]
    return x**2 + y**2 + z**2 <= 1 + 1e-12


@pytest.mark.parametrize("n, options, tolerance", [
    ((20, 15, 24), {}, 1e-14),
    ((20, 15, 24), {"compression": "gzip", "chunks": (7, 4, 5), "shuffle": True}, 1e-14),
    ((18, 12, 16), {"dtype": "f4"}, 1e-6),  # the grid's own size
    ((9, 11, 10), {"dtype": ">f8", "chunks": (2, 11, 10)}, 1e-14),
], ids=["larger", "chunked-and-compressed", "single", "smaller-big-endian"])
def test_field_from_a_file_has_its_modes(mpirun, triad, tmp_path, n, options, tolerance):
    fields = write_user_field(tmp_path / "ic.h5", n, **options)
    result = mpirun(3, triad, "run", CASE, "--dir", tmp_path / "run", *SMALL,
                    *sets(initial__kind="file", initial__file=str(tmp_path / "ic.h5"), time__end=0.0),
                    timeout=60, expect=0)
    m = outputs.modes(tmp_path / "run")
    want = expected_modes(fields, m, LENGTH)
    size = max(abs(v).max() for v in want.values())
    assert size > 0.1
    for name in outputs.FIELDS:
        np.testing.assert_allclose(m[name], np.where(inside(m), want[name], 0), atol=tolerance * size * 10, rtol=0)
    said = result.stdout + result.stderr
    assert "not divergence-free" in said and "mean flow" in said, said


def test_field_from_a_file_is_the_same_on_any_ranks(mpirun, triad, tmp_path):
    write_user_field(tmp_path / "ic.h5")
    for ranks in (1, 4):
        mpirun(ranks, triad, "run", CASE, "--dir", tmp_path / str(ranks), "-q", *SMALL,
               *sets(initial__kind="file", initial__file=str(tmp_path / "ic.h5"), time__end=0.0), timeout=60, expect=0)
    assert outputs.same_bits(tmp_path / "1", tmp_path / "4")


def test_file_stands_beside_the_case_that_names_it(mpirun, triad, tmp_path):
    write_user_field(tmp_path / "ic.h5")
    text = CASE.read_text().replace('kind = "taylor-green"', 'kind = "file"\nfile = "ic.h5"')
    (tmp_path / "case.toml").write_text(text)
    mpirun(1, triad, "run", tmp_path / "case.toml", "--dir", tmp_path / "run",
           *sets(grid__n=[16, 16, 16], time__end=0.0),
           timeout=60, expect=0)


def test_fields_written_by_a_run_start_another(small, mpirun, triad, rundir):
    run, _ = small
    fields = sorted((run / "fields").glob("fields-*.h5"))[-1]
    mpirun(2, triad, "run", CASE, "--dir", rundir, "-q", *SMALL,
           *sets(initial__kind="file", initial__file=str(fields), time__end=0.0), timeout=60, expect=0)
    assert outputs.distance(rundir, run) < 1e-14


def break_field(tmp_path, how):
    path = tmp_path / "ic.h5"
    fields = write_user_field(path)
    with h5py.File(path, "a") as f:
        if how == "names":
            f.move("v", "velocity_y")
        if how == "sizes":
            del f["w"]
            f["w"] = fields["w"][:, :, :-1]
        if how == "rank":
            del f["w"]
            f["w"] = fields["w"].ravel()
        if how == "nan":
            f["u"][3, 4, 5] = np.nan
        if how == "text":
            del f["w"]
            f["w"] = np.full((20, 15, 24), b"no")
    if how == "garbage":
        path.write_bytes(b"these are no fields" * 1000)
    if how == "truncated":
        path.write_bytes(path.read_bytes()[:20000])
    return path


@pytest.mark.parametrize("how, words", [
    ("names", ["v", "velocity_y"]), ("sizes", ["w"]), ("rank", ["w", "three"]), 
    ("nan", ["nan", "(3, 4, 5)"]), ("text", ["w"]),
    ("garbage", ["ic.h5"]), ("truncated", ["ic.h5"]),
])
def test_file_that_is_no_field_is_refused(mpirun, launcher, triad, tmp_path, how, words):
    path = break_field(tmp_path, how)
    command = [triad, "run", CASE, "--dir", tmp_path / "run", *SMALL,
               *sets(initial__kind="file", initial__file=str(path))]
    if how in ("names", "nan"):
        result = mpirun(2, *command, timeout=60, expect=65)
    else:  # without mpirun, which takes its time over a failure
        result = subprocess.run(command, capture_output=True, text=True, timeout=60, env=launcher.environment())
        assert result.returncode == 65, result
    assert all(word in result.stderr for word in words), result.stderr
    assert "HDF5-DIAG" not in result.stderr


def test_checkpoint_of_another_grid_gives_its_modes(small, mpirun, triad, tmp_path):
    run, _ = small
    source = outputs.modes(run)
    # finer, coarser, and finer in one direction only
    for n in ([24, 20, 30], [10, 9, 12], [32, 9, 18]):
        target = tmp_path / "-".join(map(str, n))
        mpirun(3, triad, "run", CASE, "--dir", target, *SMALL,
               *sets(initial__kind="checkpoint", initial__file=str(run), grid__n=n, time__end=0.0),
               timeout=60, expect=0)
        m = outputs.modes(target)
        assert m["attributes"]["t"] == 0 and m["attributes"]["step"] == 0
        for f in outputs.FIELDS:
            ours, theirs = outputs.by_wavenumber(m, f), outputs.by_wavenumber(source, f)
            kmax = [(k - 1) // 3 for k in n]
            fits = {k: v for k, v in theirs.items() if sum((a / b)**2 for a, b in zip(k, kmax)) <= 1 + 1e-12}
            assert len(fits) > 20 and set(ours) <= set(fits)
            # projecting what is solenoidal already changes the last bits at most
            np.testing.assert_allclose([ours.get(k, 0) for k in fits], list(fits.values()), atol=1e-15, rtol=0)


def test_checkpoint_folder_itself_can_be_named(small, mpirun, triad, rundir):
    run, _ = small
    first = outputs.checkpoints(run)[0]
    mpirun(1, triad, "run", CASE, "--dir", rundir, "-q", *SMALL,
           *sets(initial__kind="checkpoint", initial__file=str(first), time__end=0.0), timeout=60, expect=0)
    m, source = outputs.modes(rundir), outputs.modes(first)
    np.testing.assert_allclose(m["u"], source["u"], atol=1e-15, rtol=0)


# ---- blow-up ----

def test_blow_up_is_told_and_leaves_only_good_files(mpirun, triad, rundir):
    result = mpirun(2, triad, "run", CASE, "--dir", rundir, *SMALL,
                    *sets(time__dt=0.4, time__end=400.0, equations__viscosity=1e-3, output__checkpoint_interval=1.2,
                          output__series_interval=0.0, initial__energy=20.0), timeout=60, expect=80)
    assert "blow-up" in result.stderr and re.search(r"step \d+", result.stderr) and "time.dt" in result.stderr
    assert "a finer grid if kmax_eta in series.csv has fallen below 1" in result.stderr and "kmax_eta" in outputs.series(rundir)
    s = outputs.series(rundir)
    assert all(np.isfinite(c).all() for c in s.values())
    for folder in outputs.checkpoints(rundir):
        assert all(np.isfinite(outputs.modes(folder)[f]).all() for f in outputs.FIELDS)
