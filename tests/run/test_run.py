"""Whole runs: the length of a step, what stands in a run directory, and what is left of one that blows up."""

import json
import re

import h5py
import numpy as np
import pytest

import outputs
from conftest import ROOT
from outputs import sets
from smallrun import CASE, LENGTH, SMALL, coefficients, grid_wavenumbers, small


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
    told = re.findall(r"from step (\d+) dt is limited by (\S+)", result.stdout + result.stderr)
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
