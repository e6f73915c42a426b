"""`import triad`: runs that stand read again, with units and at any points; ensembles; the notebooks."""

import json

import pytest

from conftest import ROOT
from scripts import python  # noqa: F401


def test_a_run_that_stands_is_read_lazily_with_units(python):
    python("""
        import h5py
        flow = triad.Flow("case.toml", dir="run", output=dict(fields_interval=0.2, slices=["z=0: vorticity"], slices_interval=0.2))
        flow.advance()
        p, y = flow.points("u"), flow.points("vorticity", z=0)
        modes, numbers = flow.modes["u"].copy(), flow.numbers()
        m = flow.modes
        flow.close()
        run = triad.open("run")
        s = run.series
        assert len(s) == 5 and s["energy"][-1] == numbers["energy"] and s.units["energy"] == "U^2" and s.at("t", 0.15) == 0.15
        assert s.array.dtype.names[:3] == ("step", "t", "dt") and s.array["energy"][0] == 0.5
        assert run.case["equations.viscosity"] == 0.05 and run.provenance[-1]["exit_code"] == 0
        assert run.provenance[-1]["command"][0] == "python3"
        assert list(run.spectra.t) == [0, 0.2, 0.4] and run.spectra["E"].shape[0] == 3
        assert np.allclose(run.spectra["E"].sum(axis=1), [s.at("energy", t) for t in run.spectra.t], rtol=1e-13)
        u = run.fields[-1]["u"]
        assert u.dims == ("z", "y", "x") and u.unit == "U" and u.shape == (8, 10, 12) and np.array_equal(u, p)
        assert np.array_equal(u.sel(z=p.z[2]), p[2]) and np.array_equal(u.coords["x"], p.x)
        assert np.array_equal(u[3], np.asarray(p)[3]) and run.fields.nearest(0.21).t == 0.2
        assert np.allclose(run.slices[1][-1]["vorticity"], y, rtol=1e-12) and run.slices[1][-1].attrs["axis"] == "z"
        c = run.checkpoints[-1]
        held = m.weight[..., 0] > 0
        assert c["u"].dims == ("column", "kz") and np.array_equal(c["u"].values, modes[held]) and c.t == 0.4
        whole, every = c["u"].values, slice(None)
        for index in (2, (1, 2), (every, 1), (..., 1), (2, ...), ..., (..., slice(None, None, 2)), (1, ..., 2), [1, 3], (every, -1)):
            assert np.array_equal(c["u"][index], whole[index]), index
        try:
            import xarray
            assert run.fields[-1].to_xarray().u.sel(z=0).shape == (10, 12)
        except ImportError:
            pass
        """)


def test_files_are_in_the_order_of_steps_of_any_number_of_digits(python):
    python("""
        import shutil
        flow = triad.Flow("case.toml", dir="run")
        flow.advance()
        flow.close()
        run = triad.open("run")
        one, last = run.checkpoints[-1], run.spectra[-1]
        for step in (99999999, 100000000, 1000000000):
            shutil.copytree(one.folder, f"run/checkpoints/step-{step:08d}")
            shutil.copy(last.path, f"run/spectra/spectra-{step:08d}.h5")
        assert [c.folder.rpartition("-")[2] for c in run.checkpoints][-3:] == ["99999999", "100000000", "1000000000"]
        assert [f.path.rpartition("-")[2] for f in run.spectra][-3:] == ["99999999.h5", "100000000.h5", "1000000000.h5"]
        """)


def test_values_at_points_are_the_sums_over_modes(python):
    python("""
        flow = triad.Flow("case.toml", dir="run")
        flow.advance(to=0.2)
        x = np.random.default_rng(2).uniform(-9, 9, (4, 5, 3))
        m = flow.modes
        waves = np.exp(1j * (m.kx * x[..., 0, None, None, None] + m.ky * x[..., 1, None, None, None] + m.kz * x[..., 2, None, None, None]))
        over_ranks = np.vectorize(flow.sum)
        u = over_ranks((m.weight * m["u"] * waves).real.sum(axis=(-1, -2, -3)))
        slope = over_ranks((m.weight * 1j * m.ky * m["u"] * waves).real.sum(axis=(-1, -2, -3)))
        flow.close()
        run = triad.open("run")
        for values in (run.at(x, "velocity,gradient"), run.checkpoints[-1].at(x, "u,gradient", device="cpu")):
            assert values.t == 0.2 and values["u"].shape == (4, 5)
            assert np.abs(values["u"] - u).max() < 1e-14 and np.abs(values["du_dy"] - slope).max() < 1e-13
        """, 2)


@pytest.mark.parametrize("script, code, words", [
    ("triad.open('nowhere')", 66, "no such file"),
    ("triad.open('.')", 65, "not a run directory"),
    ("triad.Flow('case.toml', dir='d').close(); triad.open('d').series", 66, "series.csv"),
    ("f = triad.Flow('case.toml', dir='d'); f.step(); f.close(); triad.open('d').at([[0, 0]])", 64, "[.., 3]"),
    ("f = triad.Flow('case.toml', dir='d'); f.step(); f.close(); triad.open('d').at([0, 0, 1j])", 64, "the type must be float64, not complex128"),
    ("f = triad.Flow('case.toml', dir='d'); f.step(); f.close(); triad.open('d').spectra[0]['E'].sel(k=float('nan'))", 64, "k = nan is not a position"),
    ("f = triad.Flow('case.toml', dir='d'); f.step(); f.close(); triad.open('d').at([0, 0, 0], 'psi')", 65, "no field psi"),
    ("f = triad.Flow('case.toml', dir='d'); f.step(); f.close(); triad.open('d').at([0, 0, 0], device='tpu')", 64, "gpu, cpu or auto"),
    ("f = triad.Flow('case.toml', dir='d'); f.step(); f.close(); triad.open('d').spectra[0]['F']", 66, "has no F; the datasets are"),
])
def test_what_cannot_be_read_is_an_exception_too(python, script, code, words):
    assert words in python(script, expect=code).stderr


def test_means_of_an_ensemble_have_error_bars(python):
    python("""
        case = {"equations": {"solver": "hd", "viscosity": 0.05}, "grid": {"n": [8, 8, 8]}, "time": {"end": 0.2, "dt": 0.05},
                "initial": {"kind": "random", "wavenumber": 2}, "output": {"report": False}}
        both = triad.Ensemble(case, {"equations.viscosity": [0.05, 0.1], "initial.seed": range(1, 5)}, dir="both")
        both.run(ranks=2)
        assert len(both) == len(both.runs) == 8 and {row["exit_code"] for row in both.table} == {0.0}
        assert both.table[5]["initial.seed"] == 2 and both.table[5]["equations.viscosity"] == 0.1 and both.table[5]["step"] == 4
        low, high = both.mean("energy")
        rows = np.array([run.series["energy"] for run in both.runs[4:]])
        assert high.parameters == {"equations.viscosity": 0.1} and len(high.runs) == 4
        assert np.allclose(high.mean, rows.mean(axis=0)) and np.allclose(high.error, rows.std(axis=0, ddof=1) / 2)
        # of times that a run has not come to there is no mean
        late = both.mean("energy", t=[0, 0.1, 0.2, 0.3])[1]
        assert np.array_equal(np.isnan(late.mean), [False, False, False, True]) and np.allclose(late.mean[:3], high.mean, rtol=1e-12)
        # all begin with the same energy; the more viscous ones have less from then on
        assert low.error[0] < 1e-15 and np.all(high.mean[1:] + 5 * high.error[1:] < low.mean[1:])
        try:
            triad.Ensemble(case, {"equations.viscosity": [1, -1]}, dir="bad").run()
            assert False
        except triad.CaseError as error:
            assert "run-002" in str(error), error
        """)


@pytest.mark.parametrize("key, values", [("equations.viscosity", [0.05, 0.1]), ("initial.kind", ["random", "taylor-green"]), ("grid.n", [[8, 8, 8], [8, 8, 10]])])
def test_runs_of_other_parameters_are_no_runs_of_an_ensemble(python, key, values):
    """Else they would be told as those of the value that is at their place now."""
    python(f"""
        case = {{"equations": {{"solver": "hd", "viscosity": 0.05}}, "grid": {{"n": [8, 8, 8]}}, "time": {{"end": 0.1, "dt": 0.05}},
                "initial": {{"kind": "random", "wavenumber": 1}}, "output": {{"report": False}}}}
        values = {values!r}
        one = triad.Ensemble(case, {{"{key}": values}}, dir="all").run()
        assert [row["{key}"] for row in one.table] == values and len(one.runs) == 2
        turned = triad.Ensemble(case, {{"{key}": values[::-1]}}, dir="all")
        for look in (lambda: turned.table, lambda: turned.runs, lambda: turned.mean("energy", over="{key}"), turned.run):
            try:
                look()
                assert False
            except triad.CaseError as error:
                assert "{key}" in str(error), error
        try:
            triad.Ensemble(case, {{"{key}": values[:1]}}, dir="all").table
            assert False
        except triad.CaseError as error:
            assert "has 2 runs" in str(error)
        """)


@pytest.mark.parametrize("path", sorted((ROOT / "docs/notebooks").glob("*.ipynb")), ids=lambda path: path.stem)
def test_notebooks_run_and_hold_no_output(python, path):
    """Their cells one after the other, by Python alone; what they claim they assert."""
    notebook = json.loads(path.read_text())
    assert notebook["nbformat"] == 4 and all(cell.get("outputs", []) == [] for cell in notebook["cells"])
    code = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert len(code) > 3
    if any("matplotlib" in text for text in code):
        pytest.importorskip("matplotlib")
    python("\n".join(["import matplotlib", "matplotlib.use('Agg')", *code]))
