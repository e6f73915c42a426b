"""Values that can hardly be meant: a warning each, and with --strict an error."""

import h5py
import numpy as np
import pytest

from conftest import ROOT
from outputs import series, sets

pytestmark = pytest.mark.quick

CASE = """[equations]
solver = "hd"
viscosity = 0.2
[grid]
n = [16, 16, 16]
[initial]
kind = "taylor-green"
[time]
end = 0.1
[output]
report = false
"""
PLANE = ["--set", 'output.slices=["z=100"]', "--set", "output.slices_interval=0.1"]
DOUBTS = {
    "cfl": (sets(time__cfl=50.0, time__max_steps=1), "time.cfl = 50 exceeds 0.83"),
    "cfl of rk4": (sets(time__cfl=1.4, time__scheme="rk4", time__max_steps=1), "exceeds 1.35"),
    "peak": (sets(initial__kind="random", initial__wavenumber=100), "initial.wavenumber = 100: the peak"),
    "band": (sets(initial__kind="random", initial__spectrum="power-law", initial__k_range=[1.0, 40.0]),
             "initial.k_range = [1, 40]: the grid has wavenumbers up to 5 only"),
    "force": (sets(forcing__kind="random", forcing__k_range=[1.0, 200.0]),
              "forcing.k_range = [1, 200]: the grid has wavenumbers up to 5 only"),
    "rest": (sets(initial__kind="rest"), "the fluid will not move"),
    "no energy": (sets(initial__kind="random", initial__energy=0.0), "the fluid will not move"),
    "plane": (PLANE, "output.slices: z = 100 is outside the box"),
    "drag": (sets(time__dt=0.05) + ["--set", 'particles=[{name="a", count=5, kind="inertial", stokes_time=0.02}]'],
             "time.dt = 0.05 is 2.5 times particles[1].stokes_time"),
    "steps": (sets(time__dt=1e-12, time__max_steps=0), "makes 1e+11 steps"),
}


def run(mpirun, triad, rundir, *more, expect=0, ranks=1):
    rundir.mkdir(parents=True, exist_ok=True)
    (rundir / "case.toml").write_text(CASE)
    return mpirun(ranks, triad, "run", rundir / "case.toml", "--dir", rundir / "run", *more, expect=expect)


@pytest.mark.parametrize("name", DOUBTS)
def test_a_doubtful_value_is_a_warning_and_with_strict_an_error(triad, mpirun, rundir, name):
    more, words = DOUBTS[name]
    told = mpirun(1, triad, "case", "--check", rundir_case(rundir), *more, expect=0)
    assert words in told.stderr
    if name != "steps":   # which would take days
        done = run(mpirun, triad, rundir, *more, ranks=2)
        assert done.stderr.count(words) == 1 and words in (rundir / "run/log.txt").read_text()
    strict = run(mpirun, triad, rundir / "strict", *more, "--strict", expect=65)
    assert words in strict.stderr and "--strict" in strict.stderr
    assert not (rundir / "strict/run/series.csv").exists(), "nothing has been written"


def rundir_case(rundir):
    rundir.mkdir(parents=True, exist_ok=True)
    (rundir / "case.toml").write_text(CASE)
    return rundir / "case.toml"


def test_a_case_that_is_meant_warns_of_nothing(triad, mpirun, rundir):
    more = sets(time__cfl=0.82, output__slices_interval=0.1, parallel__reproducible=True)
    more += ["--set", 'output.slices=["z=3pi/2", "x=-1"]']
    assert run(mpirun, triad, rundir, *more, "--strict").stderr == ""


@pytest.mark.parametrize("name", ["oblique-shock", "sod-tets"])
def test_the_same_bits_on_any_ranks_are_not_promised_where_sums_follow_ranks(triad, mpirun, rundir, name):
    case, words = ROOT / f"runs/{name}/case.toml", "parallel.reproducible: the order of sums"
    asked = sets(parallel__reproducible=True)
    assert words not in mpirun(1, triad, "case", "--check", case, expect=0).stderr
    assert mpirun(1, triad, "case", "--check", case, *asked, expect=0).stderr.count(words) == 1
    assert words in mpirun(2, triad, "run", case, "--dir", rundir, *asked, "--strict", expect=65).stderr


def test_a_fixed_step_beyond_the_bound_is_told_once(triad, mpirun, rundir):
    """Taylor-Green has max sum |u_i| = 1; rk3 is stable up to dt (2 pi/3)/dx = sqrt(3), dx = 2 pi/16: dt = 0.3248."""
    near = run(mpirun, triad, rundir / "near", *sets(time__dt=0.3, time__end=0.9))
    assert "exceeds the stability limit" not in near.stderr
    far = run(mpirun, triad, rundir / "far", *sets(time__dt=0.4, time__end=1.2))
    assert far.stderr.count("exceeds the stability limit of the scheme") == 1 and "time.dt" in far.stderr
    run(mpirun, triad, rundir / "strict", *sets(time__dt=0.4, time__end=1.2), "--strict", expect=65)


def test_a_fixed_step_beyond_the_bound_of_a_staggered_mesh_is_told(triad, mpirun, rundir):
    """Vortices of max(|u|/h + |v|/h) = 1/h, h = 2 pi/16, without viscosity: stable up to dt/h = 2, dt = 0.7854. The larger of a cell's two
    faces may have 1.2 times that, 0.65."""
    case = ROOT / "runs/staggered-vortices/case.toml"
    more = sets(grid__n=[16, 16, 1], equations__viscosity=0.0, time__max_steps=2, time__drift_limit=0.0, output__report=False)
    for dt, count in ((0.6, 0), (0.85, 1)):
        done = mpirun(1, triad, "run", case, "--dir", rundir / str(dt), *more, "--set", f"time.dt={dt}", expect=0)
        assert done.stderr.count("exceeds the stability limit of the scheme") == count


@pytest.mark.parametrize("number", ["1e-320", "-1e-320", "1e-400", '"1e-320"', "0.0000_1e-310"])
def test_a_number_too_small_for_a_double_is_refused_where_it_is(triad, mpirun, rundir, number):
    rundir.mkdir(parents=True, exist_ok=True)
    (rundir / "case.toml").write_text(CASE.replace("end = 0.1", f"end = 0.1\ndt = {number}"))
    said = mpirun(1, triad, "case", "--check", rundir / "case.toml", expect=65).stderr
    assert "case.toml:10:" in said and "small" in said
    (rundir / "case.toml").write_text(CASE.replace("end = 0.1", "end = 0.1\ndt = 0e-400"))
    mpirun(1, triad, "case", "--check", rundir / "case.toml", expect=0)


def test_steps_that_no_machine_takes_are_refused_with_their_number(triad, mpirun, rundir):
    case = rundir_case(rundir)
    said = mpirun(1, triad, "case", "--check", case, *sets(time__dt=1e-18, time__end=10.0), expect=65).stderr
    assert "makes 1e+19 steps" in said
    mpirun(1, triad, "case", "--check", case, *sets(time__dt=1e-18, time__end=10.0, time__max_steps=5), expect=0)


def write(path, scale=1.0, length=None):
    x = np.arange(16) * 2 * np.pi / 16
    z, y, x = np.meshgrid(x, x, x, indexing="ij")
    with h5py.File(path, "w") as f:
        f["u"], f["v"], f["w"] = scale * np.sin(x) * np.cos(y) * np.cos(z), -scale * np.cos(x) * np.sin(y) * np.cos(z), 0 * x
        if length is not None:
            f.attrs["length"] = np.array(length)


def test_a_file_of_another_box_is_told(triad, mpirun, rundir, tmp_path):
    write(tmp_path / "same.h5", length=[2 * np.pi] * 3)
    write(tmp_path / "other.h5", length=[4 * np.pi] * 3)
    write(tmp_path / "none.h5")
    for name, count in (("same", 0), ("other", 1), ("none", 0)):
        done = run(mpirun, triad, rundir / name, *sets(initial__kind="file", initial__file=str(tmp_path / f"{name}.h5")))
        assert done.stderr.count("stretched") == count, name
    run(mpirun, triad, rundir / "strict", *sets(initial__kind="file", initial__file=str(tmp_path / "other.h5")), "--strict",
        expect=65)


def test_fields_that_overflow_are_refused_with_a_reason(triad, mpirun, rundir, tmp_path):
    write(tmp_path / "huge.h5", scale=1e200)
    done = run(mpirun, triad, rundir, *sets(initial__kind="file", initial__file=str(tmp_path / "huge.h5")), expect=65)
    assert "overflows" in done.stderr and "cfl" not in done.stderr


def test_messages_name_what_is_wrong(triad, mpirun, rundir, tmp_path):
    (tmp_path / "modes.h5").write_bytes(b"")
    done = run(mpirun, triad, rundir, *sets(initial__kind="checkpoint", initial__file=str(tmp_path / "modes.h5")), expect=65)
    assert "requires a folder" in done.stderr
    done = run(mpirun, triad, rundir, "--set", "time.end=inf", expect=65)
    assert "the number inf is out of range, must be finite" in done.stderr and "1 error in --set" in done.stderr
    (rundir / "case.toml").write_text(CASE.replace("0.2", "-1"))
    both = mpirun(1, triad, "run", rundir / "case.toml", "--dir", rundir / "run", "--set", "time.end=inf", expect=65)
    assert f"2 errors in {rundir / 'case.toml'} and --set" in both.stderr


# ---- branches ----

def test_a_branch_that_keeps_its_time_joins_the_run_it_left(triad, mpirun, rundir, tmp_path):
    run(mpirun, triad, rundir / "trunk", *sets(time__dt=0.01, time__end=0.2, output__series_interval=0, output__checkpoint_interval=0.1))
    left = sorted((rundir / "trunk/run/checkpoints").glob("step-*"))[0]
    branch = sets(time__dt=0.01, time__end=0.2, output__series_interval=0, initial__kind="checkpoint", initial__file=str(left))
    run(mpirun, triad, rundir / "kept", *branch, "--set", "initial.keep_time=true", ranks=2)
    run(mpirun, triad, rundir / "anew", *branch)
    s, t = series(rundir / "trunk/run"), series(rundir / "kept/run")
    assert t["step"][0] == 10 and t["t"][0] == pytest.approx(0.1) and t["step"][-1] == 20
    assert t["energy"] == pytest.approx(s["energy"][10:], rel=1e-13)   # ten steps, and modes summed in another order
    joined = tmp_path / "all.h5"
    told = mpirun(1, triad, "pack", "--series", joined, rundir / "trunk/run", rundir / "kept/run", expect=0)
    assert "11 rows of the pieces before" in told.stderr and "21 rows of" in told.stdout
    told = mpirun(1, triad, "pack", "--series", tmp_path / "b.h5", rundir / "trunk/run", rundir / "anew/run", expect=0)
    assert "21 rows of the pieces before" in told.stderr and "initial.keep_time" in told.stderr
    assert "HDF5" in mpirun(1, triad, "pack", "--series", tmp_path / "all.csv", rundir / "trunk/run", expect=64).stderr


def test_a_branch_that_begins_behind_its_end_is_told(triad, mpirun, rundir):
    """It takes no step, which would else look like a run that is done; that of `triad run` on a finished one is another matter."""
    run(mpirun, triad, rundir / "trunk", *sets(time__dt=0.01, time__end=0.2))
    left = sets(time__dt=0.01, initial__kind="checkpoint", initial__file=str(rundir / "trunk/run"), initial__keep_time=True)
    assert "starts at t = 0.2, but time.end is 0.1" in run(mpirun, triad, rundir / "end", *left, *sets(time__end=0.1)).stderr
    told = run(mpirun, triad, rundir / "steps", *left, *sets(time__end=9.0, time__max_steps=20))
    assert "starts at step 20, but time.max_steps is 20" in told.stderr
    for again in (sets(time__end=0.1), sets(time__end=0.2), sets(time__end=9.0, time__max_steps=20)):
        assert "no step" not in run(mpirun, triad, rundir / "trunk", *sets(time__dt=0.01), *again).stderr
    run(mpirun, triad, rundir / "strict", *left, *sets(time__end=0.1), "--strict", expect=65)


# ---- limits of dt add up ----

def test_waves_that_the_flow_carries_shorten_the_step_by_the_sum_of_both_rates(triad, mpirun, rundir):
    """dt = C/(max sum |u_i|/dx_i + 2 |Omega|): the Doppler-shifted frequency k.u + omega."""
    run(mpirun, triad, rundir, *sets(equations__rotation=[0.0, 0.0, 5.0], time__max_steps=1, time__cfl=0.5, time__end=9.0))
    # the largest |u| + |v| of sin x cos y cos z, -cos x sin y cos z is 1 (sin x cos y + cos x sin y = sin(x + y))
    assert series(rundir / "run")["dt"][-1] == pytest.approx(0.5 / (16 / (2 * np.pi) + 10), rel=1e-12)


@pytest.mark.parametrize("low, cfl, bound", [("hllc", 0.51, 0.5), ("hllc", 0.5, None), ("rusanov", 1.5, 1), ("rusanov", 1.0, None)])
def test_a_cfl_beyond_what_keeps_a_gas_positive_is_doubted(triad, mpirun, low, cfl, bound):
    """Rusanov's flux keeps density and pressure positive up to 1, HLLC with Davis's speeds up to 1/2 (tests/unit/unstructured/test_unstructured_points.c)."""
    case = ROOT / "runs/sod-tets/case.toml"
    told = mpirun(1, triad, "case", "--check", case, *sets(time__cfl=cfl, equations__low_order=low), expect=0).stderr
    assert (f"time.cfl = {cfl:g} exceeds {bound}, " in told) == (bound is not None)
    assert bound is not None or "time.cfl" not in told
    free = mpirun(1, triad, "case", "--check", case, *sets(time__cfl=cfl, equations__low_order=low, equations__transport="high"), expect=0)
    assert "time.cfl" not in free.stderr
