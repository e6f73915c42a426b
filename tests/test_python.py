"""`import triad`: flows that Python drives (docs/python.md). Scripts run in processes of their own, under mpirun where
ranks matter, with the package as `make python` leaves it."""

import csv
import json
import re
import subprocess
import sys
import textwrap

import pytest

import following
import outputs
from conftest import ROOT

CASE = """
[equations]
solver = "hd"
viscosity = 0.05
[grid]
n = [12, 10, 8]
[initial]
kind = "random"
wavenumber = 2
energy = 0.5
[time]
end = 0.4
[output]
series_interval = 0.1
spectra_interval = 0.2
report = false
"""


@pytest.fixture
def python(package, mpirun, tmp_path):
    """Run a script on n ranks, in a folder with case.toml; what it prints."""
    (tmp_path / "case.toml").write_text(CASE)

    def run(text, n=0, expect=0, **options):
        (tmp_path / "script.py").write_text("import os\nimport numpy as np\nimport triad\n" + textwrap.dedent(text))
        env = {"PYTHONPATH": str(package), "TRIAD_WISDOM": str(tmp_path / "wisdom"), "PYTHONWARNINGS": "ignore"}
        if n:
            return mpirun(n, sys.executable, "script.py", cwd=tmp_path, env=env, expect=expect, **options)
        done = subprocess.run([sys.executable, "script.py"], cwd=tmp_path, env=mpirun.environment(1, env), timeout=60,
                              capture_output=True, text=True)
        assert done.returncode == expect, done.stdout + done.stderr
        return done
    run.folder = tmp_path
    return run


def rows(folder):
    with open(folder / "series.csv") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


# ---- the same run ----

def test_steps_and_files_are_those_of_triad_run(python, triad, mpirun):
    mpirun(1, triad, "run", "case.toml", "--dir", "program", cwd=python.folder, expect=0)
    python("triad.Flow('case.toml', dir='driven').advance()")
    assert rows(python.folder / "program") == rows(python.folder / "driven")
    names = {str(p.relative_to(python.folder / "program")) for p in (python.folder / "program").rglob("*")}
    assert names == {str(p.relative_to(python.folder / "driven")) for p in (python.folder / "driven").rglob("*")}
    fields = [next((python.folder / run / "checkpoints").glob("*/manifest.txt")).read_text() for run in ("program", "driven")]
    sums = [re.findall(r"^sums .*$", text, re.M) for text in fields]
    assert sums[0] and sums[0] == sums[1]


def test_a_flow_that_is_closed_goes_on_as_if_it_had_not_been(python, triad, mpirun):
    python("""
        triad.Flow("case.toml", dir="whole").advance()
        with triad.Flow("case.toml", dir="parts") as flow:
            flow.step(2)
            steps = flow.steps
        with triad.Flow("case.toml", dir="parts") as flow:
            assert flow.steps == steps == 2 and not flow.finished, flow
            flow.step()
        """)
    mpirun(1, triad, "run", "case.toml", "--dir", "parts", cwd=python.folder, expect=0)
    assert rows(python.folder / "whole") == rows(python.folder / "parts")
    python("""
        flow = triad.Flow("case.toml", dir="parts")
        assert flow.finished and flow.t == 0.4 and flow.numbers()["energy"] > 0
        flow.advance()
        """)


def test_ranks_change_no_bit_of_the_series(python):
    for n in (1, 2, 3):
        python(f"triad.Flow('case.toml', dir='run-{n}').advance()", n)
    assert rows(python.folder / "run-1") == rows(python.folder / "run-2") == rows(python.folder / "run-3")


# ---- what it sees ----

def test_modes_are_the_flows_own_memory(python):
    python("""
        flow = triad.Flow("case.toml", dir="run")
        u, before = flow.modes["u"], flow.modes["u"].copy()
        assert np.shares_memory(u, flow.modes["u"]) and not u.flags.owndata and not u.flags.writeable
        m = flow.modes
        def energy():
            return sum(np.sum(m.weight * abs(m[c])**2) for c in "uvw") / 2
        # the same terms, summed in another order: n rounding errors of the whole at most
        assert abs(energy() - flow.numbers()["energy"]) < 1e-16 * u.size
        flow.step()
        assert np.any(u != before), "a view shows the flow as it is now"
        divergence = sum(1j * k * m[c] for k, c in zip((m.kx, m.ky, m.kz), "uvw"))
        assert np.abs(divergence).max() < 1e-15
        assert not np.any(u[~m.kept]) and np.all(m.column[m.weight > 0] >= 0)
        flow.close()
        assert np.isfinite(u).all(), "memory that is looked at outlives the flow"
        """)




def test_dlpack_shows_the_same_memory_and_gives_it_back(python):
    python("""
        import gc
        from triad import dlpack
        flow = triad.Flow("case.toml", dir="run")
        u = np.from_dlpack(flow.state.memory("u"))
        assert u.dtype == complex and np.array_equal(u.transpose(0, 2, 1), flow.modes["u"])
        assert np.shares_memory(u, flow.modes["u"]) and len(dlpack._shown) == 1
        flow.state.memory("v").__dlpack__()  # which nobody takes
        gc.collect()
        assert len(dlpack._shown) == 1
        del u
        gc.collect()
        assert not dlpack._shown
        try:
            flow.state.on_gpu("u")
            assert False
        except triad.FeatureError as error:
            assert "not on a GPU" in str(error)
        """)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_points_are_those_of_the_formula_and_know_their_place(python, n):
    python("""
        flow = triad.Flow("case.toml", dir="run", initial=dict(kind="taylor-green", wavenumber=1), grid=dict(n=[16, 12, 8]))
        u = flow.points("u")
        assert u.whole == (8, 12, 16) and u.begin[1:] == (0, 0) and u.unit == "U"
        z, y, x = np.meshgrid(u.z, u.y, u.x, indexing="ij")
        assert u.shape == x.shape and flow.sum(u.size) == 8 * 12 * 16
        assert flow.max(abs(u - np.sin(x) * np.cos(y) * np.cos(z))) < 1e-14
        # vorticity on z = 0: (0, 0, 2 sin x sin y), and on a line
        w = flow.points("vorticity_z", z=0)
        Y, X = np.meshgrid(flow.grid[1], flow.grid[0], indexing="ij")
        assert w.size in (0, X.size) and flow.sum(w.size) == X.size and w.z == 0 and w.whole == (12, 16)
        assert w.size == 0 or np.abs(w - 2 * np.sin(X) * np.sin(Y)).max() < 1e-14
        line = flow.points("vorticity", z=0, y=flow.grid[1][3])
        assert line.size == 0 or np.allclose(line, 2 * abs(np.sin(flow.grid[0])), atol=1e-14)
        assert abs(flow.mean(flow.points("speed")**2) - 0.25) < 1e-15
        """, n)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_fields_set_from_arrays_are_those_of_the_start_by_name(python, n):
    python("""
        tg = triad.Flow("case.toml", dir="named", initial=dict(kind="taylor-green", wavenumber=1))
        flow = triad.Flow("case.toml", dir="set", initial=dict(kind="rest"))
        assert flow.numbers()["energy"] == 0
        p = flow.points("u")
        z, y, x = np.meshgrid(p.z, p.y, p.x, indexing="ij")
        flow.set("u", np.sin(x) * np.cos(y) * np.cos(z))          # one after the other: projected when all are there
        flow.set(v=-np.cos(x) * np.sin(y) * np.cos(z), w=0)
        assert all(np.abs(flow.modes[c] - tg.modes[c]).max() < 1e-16 for c in "uvw")
        # a gradient is no velocity: all of it goes, and whole arrays of the grid are taken too
        Z, Y, X = np.meshgrid(*flow.grid[::-1], indexing="ij")
        flow.set(u=np.cos(X), v=np.sin(Y), w=np.sin(Z))
        assert flow.max(abs(flow.points("speed"))) < 1e-15
        # modes: real fields' ones, of those that are kept
        m, random = flow.modes, np.random.default_rng(1)
        m["u"] = random.normal(size=m.kept.shape) + 1j * random.normal(size=m.kept.shape)
        own = (m.mx == 0) & (m.my == 0) & (m.weight > 0)
        assert np.array_equal(m["u"][own[..., 0]], np.conj(m["u"][own[..., 0]][:, -np.arange(m.mz.size)]))
        flow.advance(to=0.1)
        assert flow.t == 0.1
        """, n)


def test_a_gas_is_seen_and_set_at_points(python):
    python("""
        case = {"equations": {"solver": "compressible"}, "grid": {"n": [16, 1, 1]}, "time": {"end": 0.05},
                "initial": {"kind": "sod"}, "output": {"report": False}}
        flow = triad.Flow(case, dir="gas")
        rho, p = flow.points("rho"), flow.points("p")
        assert rho.shape == (1, 1, 16) and np.array_equal(flow.state["rho"], rho) and flow.state.names[-1] == "e"
        assert {0.125, 1.0} == set(rho.flat) and np.allclose(flow.state["e"], p / 0.4)
        flow.set(rho=1.0, rho_u=0.0, rho_v=0.0, rho_w=0.0, e=2.5)
        flow.advance()
        assert np.abs(flow.points("rho") - 1).max() < 1e-15 and np.abs(flow.points("u")).max() < 1e-15
        """)


@pytest.mark.parametrize("case, quantities", [
    (dict(equations=dict(solver="compressible"), grid=dict(n=[12, 10, 8]), initial=dict(kind="taylor-green")),
     ("vorticity", "mach", "rho", "w")),
    (dict(equations=dict(solver="staggered", viscosity=0.01), grid=dict(n=[12, 10, 1], length=[1, 1, 0.1]), initial=dict(kind="rest"),
          boundaries=dict(x=["wall", "wall"], y=["wall", "wall"], wall_velocity=[0] * 9 + [1] + [0] * 8)),
     ("vorticity_z", "speed", "u")),
    (dict(equations=dict(solver="mhd", viscosity=0.1, resistivity=0.1), grid=dict(n=[12, 10, 8]), initial=dict(kind="random", wavenumber=1)),
     ("current", "magnetic", "bx")),
])
def test_quantities_of_each_family_are_those_of_its_slices(python, case, quantities):
    """By another way: planes of the run's own files, which its ranks have put together."""
    python(f"""
        output = dict(report=False, slices_interval=0.1, slices=["z=0: {', '.join(quantities)}"])
        flow = triad.Flow({case!r} | dict(time=dict(end=0.1), output=output), dir="run")
        flow.advance()
        found = {{name: flow.points(name, z=0) for name in {quantities!r}}}
        flow.close()
        file = triad.open("run").slices[1][-1]
        for name, part in found.items():
            whole = file[name].values
            assert whole.shape == part.whole and whole.any(), (name, whole.shape, part.whole)
            if part.size:
                mine = whole[tuple(slice(b, b + n) for b, n in zip(part.begin, part.shape))]
                # a file of slices is of doubles, of the same sums
                assert np.abs(mine - part).max() <= 1e-13 * np.abs(whole).max(), name
        """, 2)


# ---- what it adds ----

def test_diagnostics_are_columns_and_what_is_kept_comes_back(python):
    script = """
        flow = triad.Flow("case.toml", dir="run")
        print(flow.keep)
        @flow.diagnostic(unit="U^2")
        def half(flow):
            "mean square velocity, halved"
            return sum(flow.sum(flow.modes.weight * abs(flow.modes[c])**2) for c in "uvw") / 2
        flow.keep["count"] = flow.keep.get("count", 0) + 1
        flow.advance(to=flow.t + 0.2)
        flow.close()
        """
    first, second = python(script, 2), python(script, 1)
    assert first.stdout.count("{}") == 2 and "{'count': 1}" in second.stdout
    table = rows(python.folder / "run")
    assert len(table) == 5 and all(abs(float(r["half"]) / float(r["energy"]) - 1) < 1e-13 for r in table)
    assert "# half [U^2]: mean square velocity, halved" in (python.folder / "run/series.csv").read_text()
    failed = python(script.replace("@flow.diagnostic", "#").replace("to=flow.t + 0.2", "to=0.5")
                    .replace('dir="run"', 'dir="run", time=dict(end=0.5)'), expect=65)
    assert "CaseError" in failed.stderr and "is not a series of" in failed.stderr


def test_call_backs_come_at_their_times_and_steps(python):
    out = python("""
        flow = triad.Flow("case.toml", dir="run")
        timed, stepped, once = [], [], []
        flow.every(0.15)(lambda flow: timed.append(flow.t))
        flow.every(steps=2)(lambda flow: stepped.append(flow.steps))
        flow.at(0.05, 0.3)(lambda flow: once.append(flow.t))
        flow.advance(to=0.1).advance()
        assert timed == [0.15, 0.3] and once == [0.05, 0.3], (timed, once)
        assert stepped == list(range(2, flow.steps + 1, 2)) and flow.t == 0.4 and flow.finished
        fixed = triad.Flow("case.toml", dir="fixed", time=dict(dt=0.04))
        late = []
        fixed.every(0.15)(lambda flow: late.append(round(flow.t, 12)))
        fixed.advance()
        assert late == [0.16, 0.32], "with a fixed step the first one past"
        """)
    assert out.stderr == ""


# ---- what goes wrong ----

@pytest.mark.parametrize("script, code, words", [
    ("triad.Flow('case.toml', equations=dict(viscositty=1))", 65, "did you mean \"equations.viscosity\""),
    ("triad.Flow('nothing.toml')", 66, "nothing.toml"),
    ("triad.Flow('case.toml', dir='.')", 65, "not a run's directory"),
    ("triad.Flow('case.toml', dir='d').points('vortisity')", 65, "did you mean \"vorticity\""),
    ("triad.Flow('case.toml', dir='d').state['rho']", 64, "there are u, v, w"),
    ("triad.Flow('case.toml', dir='d').advance(to=3)", 64, "time=dict(end=3)"),
    ("triad.Flow('case.toml', dir='d').set(u=np.zeros(3))", 64, "[z, y, x] are wanted"),
    ("triad.Flow('case.toml', dir='d', time=dict(dt=50, end=1e5), initial=dict(energy=1e6)).advance()", 80, "not finite"),
    ("f = triad.Flow('case.toml', dir='d'); f.diagnostic('energy')(len)", 64, "has one of that name"),
    ("f = triad.Flow('case.toml', dir='d'); f.close(); f.step()", 64, "closed"),
    ("a = triad.Flow('case.toml', dir='d'); b = triad.Flow('case.toml', dir='d'); a.step()", 64, "closed"),
])
def test_what_goes_wrong_is_an_exception_with_the_exit_code(python, script, code, words):
    done = python(script, expect=code)
    last = done.stderr.strip()
    assert words in last and "Traceback" in last and "triad.errors." in last, last


@pytest.mark.parametrize("where", ["call-back", "diagnostic"])
def test_what_one_rank_raises_ends_all(python, where):
    made = "every(steps=1)" if where == "call-back" else "diagnostic('x')"
    done = python(f"""
        flow = triad.Flow("case.toml", dir="run")
        @flow.{made}
        def bad(flow):
            if flow.rank == 1:
                raise ZeroDivisionError("one of us")
            return 0
        try:
            flow.step()
        except ZeroDivisionError as error:
            os.write(1, f"raised {{flow.rank}} {{error}}\\n".encode())  # in one piece, as ranks write at once
        except triad.CallbackError as error:
            os.write(1, f"told {{flow.rank}} {{error}}\\n".encode())
        """, 3)
    said = sorted(done.stdout.splitlines())
    assert said[0] == "raised 1 one of us" and [line.split()[:2] for line in said[1:]] == [["told", "0"], ["told", "2"]]
    assert "rank 1" in said[1] and "ZeroDivisionError: one of us" in said[1]


def test_a_rank_that_raises_while_others_wait_in_the_flow_ends_all(python):
    done = python("""
        flow = triad.Flow("case.toml", dir="run", patience=0.5)
        @flow.every(steps=1)
        def bad(flow):
            if flow.rank == 1:
                raise ZeroDivisionError("one of us")
            flow.points("u")
        flow.step()
        """, 2, expect=70)
    assert "one of us" in done.stderr and "other ranks wait" in done.stderr and done.seconds < 30


@pytest.mark.parametrize("n", [1, 2])
def test_ctrl_c_leaves_a_checkpoint_and_a_flow_that_goes_on(python, n):
    done = python("""
        import signal
        flow = triad.Flow("case.toml", dir="run")
        @flow.at(0.1)
        def interrupt(flow):
            os.kill(os.getpid(), signal.SIGINT)
        try:
            flow.advance()
        except triad.Interrupted as error:
            os.write(1, f"interrupted {flow.steps} {error}\\n".encode())
        stopped = flow.steps
        assert flow.t < 0.4
        flow.advance()
        assert flow.finished and flow.steps > stopped
        """, n)
    steps = {int(line.split()[1]) for line in done.stdout.splitlines()}
    assert len(done.stdout.splitlines()) == n and len(steps) == 1
    step = steps.pop()
    assert f"stopped as asked at step {step}" in done.stdout
    assert (python.folder / f"run/checkpoints/step-{step:08d}").exists()


def test_every_way_to_stop_leaves_a_checkpoint(python, triad):
    python(f"""
        import signal
        import subprocess
        def stopped(flow):
            try:
                flow.advance()
            except triad.Stopped as error:
                return str(error)
        flow = triad.Flow("case.toml", dir="file", time=dict(end=1e6, dt=1e-3))
        flow.step()
        subprocess.run(["{triad}", "stop", "file"], check=True)
        assert "a checkpoint stands" in stopped(flow) and flow.steps > 1
        flow.at(flow.t + 0.01)(lambda flow: os.kill(os.getpid(), signal.SIGTERM))
        assert "a checkpoint stands" in stopped(flow)
        flow = triad.Flow("case.toml", dir="limit", walltime=0.01, time=dict(end=1e6, dt=1e-3))
        assert "a checkpoint stands" in stopped(flow)
        """)
    for run in ("file", "limit"):
        assert list((python.folder / run / "checkpoints").glob("step-*"))
    python("""
        flow = triad.Flow("case.toml", dir="run", time=dict(end=1e6, dt=1e-3))
        @flow.every(steps=5)
        def ask(flow):
            if flow.keep.get("asked"):
                return
            flow.keep["asked"] = True
            flow.stop()
        try:
            flow.advance()
            assert False
        except triad.Stopped:
            assert flow.steps == 6
        """)


def test_flows_leave_no_memory_behind(python):
    """20 flows of 16^3 take 60 kB of modes each and more of plans: kept, they would be 10 MB; what grows is the heap's
    own fragments."""
    done = python("""
        import gc, resource, weakref
        def one(i):
            flow = triad.Flow("case.toml", dir="run", from_start=True, grid=dict(n=[32, 32, 32]))
            column = flow.diagnostic("x")(lambda flow: 1.0)
            flow.step()
            u = flow.modes["u"].sum()
            gone = weakref.ref(flow)
            flow.close()
            return gone
        def resident():
            return int(open("/proc/self/statm").read().split()[1]) * resource.getpagesize() / 1e6
        for i in range(4):
            one(i)
        before = resident()
        gone = [one(i) for i in range(12)]
        gc.collect()
        assert all(ref() is None for ref in gone)
        print(resident() - before)
        """)
    assert float(done.stdout) < 4.0, done.stdout


def test_communicators_of_mpi4py_divide_the_ranks(python):
    pytest.importorskip("mpi4py")
    done = python("""
        from mpi4py import MPI
        half = MPI.COMM_WORLD.Split(MPI.COMM_WORLD.rank // 2)
        flow = triad.Flow("case.toml", dir=f"run-{MPI.COMM_WORLD.rank // 2}", comm=half)
        flow.step()
        os.write(1, f"{flow.size} {flow.numbers()['energy']}\\n".encode())
        """, 3)
    said = done.stdout.split("\n")[:3]
    assert sorted(line.split()[0] for line in said) == ["1", "2", "2"] and len({line.split()[1] for line in said}) == 1


# ---- runs that stand ----

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
        try:
            import xarray
            assert run.fields[-1].to_xarray().u.sel(z=0).shape == (10, 12)
        except ImportError:
            pass
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
        for values in (run.at(x, "velocity,gradient"), run.checkpoints[-1].at(x, "u,gradient")):
            assert values.t == 0.2 and values["u"].shape == (4, 5)
            assert np.abs(values["u"] - u).max() < 1e-14 and np.abs(values["du_dy"] - slope).max() < 1e-13
        """, 2)


@pytest.mark.parametrize("script, code, words", [
    ("triad.open('nowhere')", 66, "no such file"),
    ("triad.open('.')", 65, "not a run directory"),
    ("triad.Flow('case.toml', dir='d').close(); triad.open('d').series", 66, "series.csv"),
    ("f = triad.Flow('case.toml', dir='d'); f.step(); f.close(); triad.open('d').at([[0, 0]])", 64, "[.., 3]"),
    ("f = triad.Flow('case.toml', dir='d'); f.step(); f.close(); triad.open('d').at([0, 0, 0], 'psi')", 65, "no field psi"),
    ("f = triad.Flow('case.toml', dir='d'); f.step(); f.close(); triad.open('d').spectra[0]['F']", 66, "has no F: it has"),
])
def test_what_cannot_be_read_is_an_exception_too(python, script, code, words):
    assert words in python(script, expect=code).stderr


# ---- ensembles ----

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
        # all begin with the same energy; the more viscous ones have less from then on
        assert low.error[0] < 1e-15 and np.all(high.mean[1:] + 5 * high.error[1:] < low.mean[1:])
        try:
            triad.Ensemble(case, {"equations.viscosity": [1, -1]}, dir="bad").run()
            assert False
        except triad.CaseError as error:
            assert "run-002" in str(error), error
        """)


# ---- notebooks ----

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


# ---- a grid that follows the flow ----

@pytest.mark.parametrize("ranks", [1, 2])
def test_a_grid_that_follows_the_flow_does_so_as_in_triad_run(python, triad, mpirun, ranks):
    (python.folder / "follow.toml").write_text(following.CASE)
    python("""
        with triad.Flow("follow.toml", dir="driven", time=dict(max_steps=30)) as flow:
            flow.step(13)  # and again from where it is closed: the grid is that of the checkpoint
            n = flow.modes.n
        with triad.Flow("follow.toml", dir="driven", time=dict(max_steps=30)) as flow:
            assert flow.modes.n == n != (40, 40, 40) and flow.case["grid.n"] == list(n)
            flow.advance()
            assert flow.steps == 30 and flow.finished
        """, ranks)
    mpirun(1, triad, "run", "-q", "follow.toml", "--dir", "program", "--set", "time.max_steps=30", cwd=python.folder, expect=0)
    program, driven = python.folder / "program", python.folder / "driven"
    assert len(following.changes(program)) > 2 and following.changes(program) == following.changes(driven)
    assert outputs.same_bits(program, driven) and rows(program) == rows(driven)


@pytest.mark.parametrize("ranks", [1, 2])
def test_arrays_of_the_grid_before_stay_what_they_are(python, ranks):
    (python.folder / "follow.toml").write_text(following.CASE)
    done = python("""
        import warnings
        warnings.simplefilter("always")
        flow = triad.Flow("follow.toml", dir="run", time=dict(max_steps=30))
        sizes, rows = [], []
        @flow.diagnostic()
        def held(flow):
            m = flow.modes
            assert m["u"].shape == m.kept.shape == (*m.kx.shape[:2], m.kz.size)
            rows.append(m.n)
            return sum(flow.sum(m.weight * abs(m[c])**2) for c in "uvw") / 2
        @flow.every(steps=1)
        def look(flow):
            sizes.append(flow.modes.n)
            assert flow.points("u").whole == flow.modes.n[::-1] == tuple(len(x) for x in flow.grid)[::-1]
        flow.step()  # where it begins the grid is looked at too
        m, said = flow.modes, []
        u = m["u"]
        if flow.rank < flow.size - 1:
            u = None  # one rank looks, all keep
        while flow.modes.n == m.n:
            before = None if u is None else u.copy()
            with warnings.catch_warnings(record=True) as said:
                flow.step()
        assert flow.rank > 0 or any("arrays of the one before" in str(w.message) for w in said), said
        # it shows the flow at the step that was the last of its grid: closer to the step before than that is to 0
        big = [np.random.default_rng(0).normal(size=1000000) for i in range(8)]  # memory that was free is written over
        assert u is None or u.shape == m.kept.shape and 0 < np.abs(u - before).max() < 0.1 * np.abs(before).max()
        for stale in (lambda: m["u"], lambda: m.__setitem__("u", 0)):
            try:
                stale()
                assert False, "fields of another grid"
            except triad.UsageError as error:
                assert "flow.modes anew" in str(error)
        shown = flow.modes.n
        flow.step(4)
        flow.modes["u"] = flow.modes["u"] * 1.0
        flow.advance()
        assert len(sizes) == 30 and len(set(sizes)) > 2 and sizes[0] != rows[0] == (40, 40, 40), sizes
        flow.close()
        assert u is None or np.isfinite(u).all()
        """, ranks)
    table = rows(python.folder / "run")
    assert len(table) == 31 and all(abs(float(r["held"]) / float(r["energy"]) - 1) < 1e-13 for r in table)
    assert (done.stdout + done.stderr).count("arrays of the one before") == 0


def test_what_is_set_at_the_step_of_a_checkpoint_is_in_it(python):
    python("""
        import glob
        with triad.Flow("case.toml", dir="run") as flow:
            flow.step()
            flow.save()
            flow.modes["u"] = 2 * flow.modes["u"]
            flow.modes["v"] = 2 * flow.modes["v"]
            flow.modes["w"] = 2 * flow.modes["w"]
            flow.keep["mark"] = 3
            energy = flow.numbers()["energy"]
            flow.save()
        with triad.Flow("case.toml", dir="run") as flow:
            assert flow.steps == 1 and flow.numbers()["energy"] == energy and flow.keep == {"mark": 3}
        """)
    # likewise where the step after it begins with a look at the grid, which goes through a checkpoint
    (python.folder / "follow.toml").write_text(following.CASE)
    python("""
        options = dict(dir="follow", target=dict(n_most=40, n_least=40))
        with triad.Flow("follow.toml", **options) as flow:
            flow.step(5)
        options["target"]["n_least"] = 24
        with triad.Flow("follow.toml", **options) as flow:
            for c in "uvw":
                flow.modes[c] = 2 * flow.modes[c]
            energy = flow.numbers()["energy"]
            flow.step()
            assert flow.modes.n[0] < 40 and abs(flow.numbers()["energy"] / energy - 1) < 0.01
        """)


@pytest.mark.parametrize("ranks", [1, 2])
def test_a_grid_beyond_the_memory_leaves_the_checkpoint_and_no_flow(python, ranks):
    (python.folder / "follow.toml").write_text(following.CASE)
    python("""
        flow = triad.Flow("follow.toml", dir="run", initial=dict(kind="random", wavenumber=9), grid=dict(n=[24, 24, 24]),
                          target=dict(n_least=4096))
        u = flow.modes["u"]
        try:
            flow.step()
            assert False
        except triad.OutOfMemory as error:
            assert "What would fit here" in str(error), error
        assert flow.steps == 0 and flow.t == 0 and not flow.finished and u.any()
        for ask in (lambda: flow.modes, lambda: flow.points("u"), lambda: flow.numbers(), lambda: flow.state["u"]):
            try:
                ask()
                assert False
            except triad.Error as error:
                assert error.code in (64, 69), (error.code, error)
        try:
            flow.step()
            assert False
        except triad.OutOfMemory as error:
            assert "has failed" in str(error)
        flow.close()
        """, ranks)
    assert [path.name for path in (python.folder / "run/checkpoints").glob("step*")] == ["step-00000000"]
