"""`import triad`: runs of every solver have the same members, whose numbers are those of the files; the page's example runs for each."""

import csv
import json
import re
import subprocess
import sys
import textwrap

import h5py
import numpy as np
import pytest

import every_solver
from conftest import ROOT
from pages import blocks
from scripts import python  # noqa: F401

PAGE = ROOT / "docs/python-runs.md"
MEMBERS = ("series", "forces", "profiles", "spectra", "fields", "slices", "surfaces", "means", "particles", "probes", "checkpoints")


@pytest.fixture(scope="module")
def runs(package, launcher, tmp_path_factory):
    """of(solver): the folder of its run, made by Python."""
    made = {}

    def of(solver):
        if solver not in made:
            folder = tmp_path_factory.mktemp(solver)
            (folder / "make.py").write_text(f"import json, triad\ntriad.Flow(json.loads({json.dumps(json.dumps(every_solver.CASES[solver]))}),"
                                            " dir='my-run').advance().close()\n")
            execute(package, launcher, folder, "make.py")
            made[solver] = folder / "my-run"
        return made[solver]
    return of


def execute(package, launcher, folder, script, expect=0, **more):
    env = launcher.environment(1, {"PYTHONPATH": str(package), "TRIAD_WISDOM": str(folder / "wisdom"), "PYTHONWARNINGS": "ignore", **more})
    done = subprocess.run([sys.executable, script], cwd=folder, env=env, timeout=100, capture_output=True, text=True)
    assert done.returncode == expect, done.stdout + done.stderr
    return done


@pytest.fixture
def look(package, launcher, runs):
    """look(solver, text): what a script prints that has `run`, the run of the solver, and `folder`."""
    def go(solver, text, expect=0, **more):
        folder = runs(solver).parent
        (folder / "look.py").write_text("import glob\nimport h5py\nimport numpy as np\nimport triad\nrun = triad.open('my-run')\n" + textwrap.dedent(text))
        return execute(package, launcher, folder, "look.py", expect, **more)
    return go


@pytest.mark.parametrize("solver", every_solver.CASES)
def test_the_example_of_the_page_runs(look, solver):
    example = next(b.text for b in blocks(PAGE) if "run.surfaces[-1]" in b.text)
    # the page opens the run that it made above; here each solver's run stands in its place
    example = re.sub(r'triad\.open\("[\w-]+"\)', 'triad.open("my-run")', example)
    printed = look(solver, example).stdout
    assert printed.startswith(solver + " ")


@pytest.mark.parametrize("solver", every_solver.CASES)
def test_all_members_are_there_and_empty_ones_say_what_writes_them(look, runs, solver):
    look(solver, f"""
        for name in {MEMBERS!r}:
            part = getattr(run, name)
            assert len(repr(part)) > 10, name
            if not len(part):
                try:
                    part["energy"]
                    assert name == "forces", name
                except triad.InputError as error:
                    assert "my-run has no " in str(error) and "(" in str(error), error
                except triad.Error:
                    assert name == "forces"
        text = repr(run)
        assert text.startswith("<triad.Run my-run: ") and "cannot be read" not in text, text
        for folder in ("spectra", "fields", "slices", "surfaces", "means.h5", "particles"):
            for file in run.files(folder):
                assert len(file.keys()) > 0
        """)
    folders = {path.name for path in runs(solver).iterdir() if path.is_dir() and any(path.glob("*-*.h5"))}
    printed = look(solver, "print(run)").stdout
    assert all(f"  {name} " in printed for name in folders), (folders, printed)


@pytest.mark.parametrize("solver", every_solver.CASES)
def test_tables_are_frames_where_pandas_is_and_structured_arrays_where_not(look, solver):
    text = """
        frame = run.series.frame
        kind = type(frame).__module__.split(".")[0]
        assert np.array_equal(frame["energy"], run.series["energy"], equal_nan=True) and len(frame) == len(run.series)
        assert run.forces.frame is not None and (not len(run.means) or hasattr(run.means, "numbers") is False or len(run.means.numbers) >= 0)
        print(kind)
        """
    assert look(solver, "\n        import sys; sys.modules['pandas'] = None" + text).stdout.strip() == "numpy"
    pytest.importorskip("pandas")
    assert look(solver, text).stdout.strip() == "pandas"


@pytest.mark.parametrize("solver", ["hd", "compressible", "staggered"])
def test_probes_are_the_columns_of_their_table(look, runs, solver):
    with open(runs(solver) / "probes.csv") as file:
        lines = [line for line in file if not line.startswith("#")]
    rows = list(csv.DictReader(lines))
    look(solver, f"""
        p = run.probes["points"]
        assert p.position.tolist() == [[1, 2, 3], [2, 0.5, 1]] and p["u"].dims == ("t", "point") and p["u"].unit == "U"
        assert p["u"][:, 1].tolist() == {[float(row["u_2"]) for row in rows]} and p.t.tolist() == {[float(row["t"]) for row in rows]}
        table = p.array
        assert table.shape == (2 * len(p.t),) and table["v"][3] == {float(rows[1]["v_2"])} and table["x"][3] == 2
        """)


def test_probes_of_a_mesh_are_all_rows_of_all_files(look, runs):
    look("fct", """
        files = [h5py.File(path) for path in sorted(glob.glob("my-run/probes/axis-*.h5"))]
        p = run.probes["axis"]
        assert len(files) > 1 and np.array_equal(p["p"].values, np.concatenate([f["p"][:] for f in files]))
        assert np.array_equal(p.t, np.concatenate([f["t"][:] for f in files])) and np.all(np.diff(p.t) > 0)
        assert np.array_equal(p.position, files[0]["x"][:]) and p.shape == (4, 1)
        """)


@pytest.mark.parametrize("solver", every_solver.CASES)
def test_the_figure_of_probes_opens_those_of_every_solver(runs, solver, tmp_path):
    """The first probe and a named field; multiblock, which has none, says so."""
    pytest.importorskip("matplotlib", reason="python3-matplotlib is not installed")
    from looks import plot_here
    if solver == "multiblock":
        assert "solver multiblock has no probes" in plot_here("probe", runs(solver)).stderr
        return
    for words in ((), ("--field", {"gpe": "psi_re", "fct": "axis:rho"}.get(solver, "v"))):
        done = plot_here("probe", runs(solver), *words, "-o", tmp_path / "probe.png")
        assert done.returncode == 0 and (tmp_path / "probe.png").stat().st_size > 10000, done.stderr


@pytest.mark.parametrize("solver", [*every_solver.SPECTRAL, "compressible"])
def test_particles_are_rows_with_times(look, runs, solver):
    look(solver, """
        f = h5py.File("my-run/particles/tracers.h5")
        group = run.particles["tracers"]
        assert group.count == 8 and np.array_equal(group.t, f["t"][:]) and np.array_equal(group.step, f["step"][:])
        assert group["position"].dims == ("t", "id", "component") and group["position"].unit == "L"
        assert np.array_equal(group["velocity"][2], f["velocity"][2]) and group.at(0.21) == 2
        assert np.array_equal(run.files("particles")[0]["position"], group["position"])
        """)


@pytest.mark.parametrize("solver", [*every_solver.SPECTRAL, "staggered"])
def test_means_have_the_errors_of_their_file(look, solver):
    look(solver, """
        f = h5py.File("my-run/means.h5")
        m = run.means
        assert m.samples == 6 and m.times == (0, run.series.t[-1]) and not any(name.endswith(("_error", "_trend")) for name in m)
        e = m["energy"]
        assert e.shape == () and float(e) == f["energy"][0] and e.error == f["energy_error"][0] and e.trend == f["energy_trend"][0]
        assert e.stationary == (abs(f["energy_trend"][0]) <= 2 * f["energy_trend_error"][0])
        assert np.isclose(float(e), np.mean(run.series["energy"]), rtol=1e-12)
        name = "E"
        assert np.array_equal(m[name].values, f[name][:]) and np.array_equal(m[name].error, f[name + "_error"][:])
        assert np.array_equal(m[name].coords["k"], f["k"][:])
        table = m.numbers
        assert list(table["name"])[0] in m and float(table["mean"][list(table["name"]).index("energy")]) == float(e)
        """)


def test_means_of_spectra_are_those_of_numpy_and_their_errors_grow_with_correlation(look, package, monkeypatch):
    look("hd", """
        files = [h5py.File(path) for path in sorted(glob.glob("my-run/spectra/*.h5"))][2:]
        mean = run.spectra(mean=(0.2, 0.5))
        E = np.array([f["E"][:] for f in files])
        assert mean.samples == len(E) == 4 and np.allclose(mean["E"].values, E.mean(axis=0), rtol=1e-14, atol=0)
        assert np.all(mean["E"].error >= E.std(axis=0, ddof=1) / 2 * (1 - 1e-12)) and mean["E"].unit == "U^2"
        assert np.isclose(mean["E"].values.sum(), np.mean([run.series.at("energy", t) for t in (0.2, 0.3, 0.4, 0.5)]), rtol=1e-12)
        assert np.isnan(run.spectra(mean=(0.4, 0.4))["E"].error).all()
        try:
            run.spectra(mean=(7, 8))
            assert False
        except triad.InputError as error:
            assert "t = 7 to 8" in str(error) and "0.5" in str(error)
        # a first-order process of known correlation time: the error of the mean is sigma sqrt((1 + a)/(1 - a)/n)
        from triad.means import error_of
        rng, a, n = np.random.default_rng(1), 0.9, 4096
        x = np.zeros((n, 200))
        for i in range(1, n):
            x[i] = a * x[i - 1] + np.sqrt(1 - a * a) * rng.standard_normal(200)
        true = np.sqrt((1 + a) / (1 - a) / n)
        assert 0.9 * true < np.median(error_of(x)) < 2 * true and np.median(error_of(rng.standard_normal((n, 200)))) < 2 / np.sqrt(n)
        """)


def test_forces_are_columns_of_the_series(look):
    look("multiblock", """
        assert {"cl", "cd", "cm", "force_x"} <= set(run.forces) and "energy" not in run.forces
        assert np.array_equal(run.forces["cl"], run.series["cl"]) and run.forces.units["cl"] == "1"
        """)
    look("fct", "assert list(run.forces) == ['step', 't', 'thrust']")
    look("hd", "assert list(run.forces) == ['step', 't'] and 'no columns' in repr(run.forces)")


def test_pressure_on_walls_is_the_force_of_the_series(look):
    """Of an inviscid flow: the sum of p times the area vectors out of the flow."""
    look("multiblock", """
        wall = run.surfaces[-1]["aerofoil"]
        force = (wall["p"].values[:, None] * wall.area).sum(axis=0)
        assert np.allclose(force, [run.forces[f"force_{a}"][-1] for a in "xyz"], rtol=1e-9, atol=1e-9 * abs(force).max())
        assert wall.frame["cp"][0] == wall["cp"][0] and wall.position.shape == (32, 3)
        """)


def test_cells_of_a_mesh_have_the_volume_and_the_mass_of_the_series(look):
    look("fct", """
        mesh = run.fields[-1]
        assert np.isclose(mesh.volumes.sum(), 1.5, rtol=1e-13) and mesh.n == sum(len(numbers) for numbers, _ in mesh.shapes.values())
        assert set(mesh.shapes) >= {10, 12} and mesh.centres.min() > 0 and mesh.centres[:, 0].max() < 1.5
        for name, column in (("rho", "mass"),):
            assert np.isclose(mesh.integral(name), run.series[column][-1], rtol=1e-12)
        assert np.isclose((mesh["rho"].values * mesh["u"].values * mesh.volumes).sum(), run.series["momentum_x"][-1], rtol=1e-12)
        assert np.array_equal(mesh["p"][3:5], h5py.File(mesh.path)["VTKHDF/CellData/p"][3:5]) and mesh["p"].unit == "M/(L T^2)"
        """)


def test_cells_of_blocks_have_the_mass_of_the_series(look):
    look("multiblock", """
        blocks = run.fields[-1]
        assert np.isclose(blocks.integral("rho"), run.series["mass"][-1], rtol=1e-9)
        one = blocks.blocks[0]
        assert one["rho"].shape == (1, 12, 32) and one["x"].shape == (2, 13, 33)
        assert np.array_equal(one["p"][0], h5py.File(blocks.path)["p.1"][0]) and blocks.n == 12 * 32
        corner = np.array([one[a][0, 0, 0] for a in "xyz"])
        assert np.abs(blocks.points - corner).sum(axis=1).min() == 0
        """)


@pytest.mark.parametrize("solver", ["hd", "staggered", "fct", "multiblock"])
def test_vtk_has_the_same_values_vectors_and_volumes(look, solver):
    pytest.importorskip("vtkmodules")
    look(solver, """
        from vtkmodules.util.numpy_support import vtk_to_numpy
        from vtkmodules.vtkFiltersVerdict import vtkCellSizeFilter
        file = run.fields[-1]
        data = file.to_vtk()
        if run.solver == "multiblock":
            assert data.GetNumberOfBlocks() == 1
            data = data.GetBlock(0)
        where = data.GetPointData() if run.solver in ("hd", "staggered") else data.GetCellData()
        assert np.array_equal(vtk_to_numpy(where.GetArray("u")), file["u"].values.ravel())
        v = vtk_to_numpy(where.GetArray("velocity"))
        assert v.shape[1] == 3 and np.array_equal(v[:, 2], file["w"].values.ravel())
        assert data.GetFieldData().GetArray("TimeValue").GetValue(0) == file.t
        if run.solver in ("fct", "multiblock"):
            sizes = vtkCellSizeFilter()
            sizes.SetInputData(data)
            sizes.Update()
            assert np.allclose(vtk_to_numpy(sizes.GetOutput().GetCellData().GetArray("Volume")), file.volumes, rtol=1e-6)
        """)


MISSING = [("h5py", "triad.open('my-run')", "h5py"), ("xarray", "run.fields[-1].to_xarray()", "xarray"),
           ("vtkmodules", "run.fields[-1].to_vtk()", "vtk"), ("pyvista", "run.fields[-1].to_pyvista()", "pyvista")]


@pytest.mark.parametrize("module, call, package_name", MISSING)
def test_a_package_that_is_missing_is_named(look, package, launcher, runs, module, call, package_name):
    text = "import sys\n" + "\n".join(f"sys.modules[{m!r}] = None" for m in (module, *(["vtkmodules.util.numpy_support", "vtkmodules.vtkCommonDataModel"]
                                                                                      if module == "vtkmodules" else [])))
    if module == "h5py":
        folder = runs("hd").parent
        (folder / "bare.py").write_text(text + "\nimport triad\ntriad.open('my-run')\n")
        done = execute(package, launcher, folder, "bare.py", 69)
    else:
        done = look("hd", text + f"\n{call}", 69)
    assert f"pip install {package_name}" in done.stderr, done.stderr


DAMAGE = {"fields": ("fields", "fields-*.h5", "run.fields[-1]['u'].values"), "means": (".", "means.h5", "run.means"),
          "particles": ("particles", "tracers.h5", "run.particles['tracers']"), "mesh": ("fields", "fields-*.vtkhdf", "run.fields[-1]"),
          "blocks": ("fields", "blocks-*.h5", "run.fields[-1]['p'].values"), "surface": ("surfaces", "surface-*.h5", "run.surfaces[-1]"),
          "grid": ("fields", "grid.h5", "run.fields[-1]"), "probes": (".", "probes.csv", "run.probes['points']")}


@pytest.mark.parametrize("what, solver", [("fields", "hd"), ("means", "hd"), ("particles", "hd"), ("probes", "hd"), ("mesh", "fct"),
                                          ("blocks", "multiblock"), ("surface", "multiblock"), ("grid", "multiblock")])
def test_a_truncated_file_is_an_exception_that_names_it(package, launcher, runs, tmp_path, what, solver):
    import shutil
    shutil.copytree(runs(solver), tmp_path / "my-run")
    folder, pattern, call = DAMAGE[what]
    path = sorted((tmp_path / "my-run" / folder).glob(pattern))[-1]
    data = path.read_bytes()
    for size in (0, 100, len(data) // 2):
        path.write_bytes(data[:size])
        (tmp_path / "look.py").write_text(f"import triad\nrun = triad.open('my-run')\ntry:\n    {call}\nexcept triad.Error as error:\n"
                                          "    print(error)\nassert 'triad.Run' in repr(run)\n")
        printed = execute(package, launcher, tmp_path, "look.py").stdout
        if what == "probes" and size > 100:
            continue   # a table that is being written ends in half a line
        assert path.name in printed, (size, printed)


def test_numbers_have_the_diagnostics_of_all_ranks(python):  # noqa: F811
    python("""
        flow = triad.Flow("case.toml", dir="run")
        @flow.diagnostic(unit="U^2", about="twice the energy")
        def twice(flow):
            numbers = flow.numbers()
            assert "twice" not in numbers and "thrice" not in numbers     # else it would call itself
            return 2 * numbers["energy"] if flow.rank == 0 else None
        @flow.diagnostic()
        def thrice(flow):
            return 3 * flow.numbers()["energy"]
        flow.advance(to=0.2)
        numbers = flow.numbers()
        assert list(numbers) == list(flow.columns)
        assert numbers["twice"] == 2 * numbers["energy"] and numbers["thrice"] == 3 * numbers["energy"], numbers
        flow.close()
        if flow.rank == 0:
            series = triad.open("run").series
            assert series["twice"][-1] == numbers["twice"] and series.units["twice"] == "U^2"
        """, 2)


def test_errors_of_a_dictionary_name_keys_and_no_file(python):  # noqa: F811
    python("""
        try:
            triad.Flow({"equations": {"solver": "hd", "viscosity": -1}, "grid": {"n": [8, 8, 8]}}, dir="run")
            assert False
        except triad.CaseError as error:
            assert "case.toml" not in str(error) and str(error).startswith("equations.viscosity: "), error
            assert 'required key "time.end"' in str(error)
        """)


def test_paths_of_points_are_those_of_triad_query(look):
    text = """
        checkpoints = [c.t for c in run.checkpoints]
        case = dict(run.case)
        """
    look("hd", text + """
        try:
            run.query([0, 0, 0], advect=0.5)
            assert False
        except triad.UsageError as error:
            assert "time" in str(error)
        """)


def test_advected_points_move_with_the_velocity(python):  # noqa: F811
    python("""
        case = {"equations": {"solver": "hd", "viscosity": 0.0}, "grid": {"n": [8, 8, 8]}, "initial": {"kind": "abc", "abc": [1.0, 0.0, 0.0]},
                "time": {"end": 0.4, "dt": 0.1}, "output": {"checkpoint_interval": 0.1, "keep": 9, "report": False}}
        triad.Flow(case, dir="abc").advance().close()
        # A = 1 alone: u = sin z, v = cos z, w = 0, steady without viscosity: paths are straight lines
        run = triad.open("abc")
        start = np.array([[0.3, 0.2, 0.7], [1.0, 2.0, 3.0]])
        path = run.query(start, time=0.1, advect=0.4, steps=6)
        moved = np.stack([np.sin(start[:, 2]), np.cos(start[:, 2]), 0 * start[:, 2]], axis=1)
        assert path["t"].shape == (7,) and path["position"].shape == (7, 2, 3)
        assert np.allclose(path["position"][-1], start + 0.3 * moved, atol=1e-9) and np.allclose(path["velocity"][3], moved, atol=1e-9)
        """)
