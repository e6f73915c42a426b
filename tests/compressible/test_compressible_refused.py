"""What the compressible solver refuses: states that are no gas, files that do not fit, keys that it has no use for."""

import re

import h5py
import numpy as np

import outputs
from compressible import case, gas_file, run  # noqa: F401
from outputs import sets


# ---- bad states and files ----

def test_a_start_that_is_no_gas_ends_with_65_and_says_where(run, case, tmp_path):
    n = (18, 13, 16)
    p = np.ones(n)
    p[7, 2, 5] = -0.25
    source = gas_file(tmp_path / "bad.h5", n, p=p)
    for ranks in (1, 4):
        result = run(ranks, case(kind="file"), tmp_path / f"run{ranks}", 3, *sets(initial__file=str(source)), expect=65)
        assert "(5, 2, 7)" in result.stderr and "-0.25" in result.stderr, result.stderr
        assert result.stderr.count("invalid state at point") == 1, "one message, whatever the ranks"
    for kind, number in ("taylor-green", {"initial.mach": 2.0}), ("entropy-wave", {"initial.amplitude": 1.5}), \
            ("isentropic-vortex", {"initial.amplitude": 12.0, "grid.length": [10.0, 10.0, 10.0]}):
        result = run(1, case(kind=kind), tmp_path / kind, 3, *sets(**number), expect=65)
        assert "no flow can start from it" in result.stderr and "cfl" not in result.stderr, result.stderr


def test_a_blow_up_keeps_the_last_good_checkpoint(run, case, tmp_path):
    """Steps far beyond stability: the run ends with 80, names step and point, and the checkpoint before stays good."""
    path, folder = case(), tmp_path / "run"
    run(2, path, folder, 2)
    good = outputs.checkpoints(folder)[-1]
    result = run(2, path, folder, 50, *sets(time__dt=0.5), expect=80)
    assert "last valid checkpoint is of step 2" in result.stderr + result.stdout
    assert re.search(r"step \d+: invalid state at point \(\d+, \d+, \d+\)", result.stderr), result.stderr
    assert outputs.checkpoints(folder) == [good]
    run(3, path, folder, 4)


def test_files_that_do_not_fit_are_refused(run, case, tmp_path):
    n = (18, 13, 16)
    for changes, word in (({"p": np.ones((18, 13, 15))}, "p"), ({"v": np.full(n, np.nan)}, "nan")):
        source = gas_file(tmp_path / "bad.h5", n, **changes)
        result = run(2, case(kind="file"), tmp_path / "run", 1, *sets(initial__file=str(source)), expect=65)
        assert word in result.stderr
    with h5py.File(tmp_path / "bad.h5", "a") as f:
        del f["rho"]
    assert "rho" in run(2, case(kind="file"), tmp_path / "run", 1, *sets(initial__file=str(source)), expect=65).stderr


def test_slices_outside_the_box_are_refused(run, case, tmp_path):
    more = 'slices_interval = 1\nslices = ["x=1.5"]\n[boundaries]\nx = ["extrapolate", "extrapolate"]\n'
    result = run(1, case(n="40, 1, 1", length="[1, 1, 1]", kind="sod", more=more), tmp_path / "run", 1, expect=65)
    assert "x = 1.5 is outside the box" in result.stderr


# ---- keys ----

def test_keys_of_other_solvers_are_refused(run, case, tmp_path):
    path = case()
    for key, value in (("grid.truncation", "box"), ("forcing.kind", "abc"), ("equations.scalars", "[0.1]"),
                       ("output.transfer", "false"), ("time.scheme", "rk3"), ("initial.kind", "abc")):
        result = run(1, path, tmp_path / "run", 1, "--set", f"{key}={value}", expect=65)
        assert key in result.stderr and "compressible" in result.stderr
    result = run(1, path, tmp_path / "run", 1, "--set", "equations.solver=hd", "--set", "equations.gamma=1.2", expect=65)
    assert "equations.gamma" in result.stderr


def test_central_fluxes_take_no_upwind_keys(run, case, tmp_path):
    path = case(n="8, 8, 8")
    for key, value in (("weights", "js"), ("reconstruction", "components"), ("riemann", "llf"), ("entropy_fix", "0.1"),
                       ("positivity", "true"), ("compatibility", "weno5-js-component")):
        result = run(1, path, tmp_path / "run", 1, *sets(equations__flux="central"), "--set", f"equations.{key}={value}", expect=65)
        assert f"equations.{key}" in result.stderr and "central" in result.stderr
    hybrid = *sets(equations__flux="hybrid", equations__compatibility="weno5-js-component"),
    assert 'flux = "hybrid" contradicts equations.compatibility' in run(1, path, tmp_path / "run", 1, *hybrid, expect=65).stderr
    run(1, path, tmp_path / "run", 1, *sets(equations__flux="central"))
    assert "conserves kinetic energy" in (tmp_path / "run/log.txt").read_text()


def test_positivity_wants_a_scheme_of_euler_steps(run, case, tmp_path):
    """Streams that part at Mach 27, which rk4 cannot bear though each of its stages is limited."""
    parting = sets(initial__kind="formula", initial__u="20*tanh(1000*(x - 0.5))", initial__p="0.4", equations__viscosity=0, equations__positivity=True,
                   boundaries__x=["extrapolate", "extrapolate"], time__dt=0)
    path = case(n="64, 1, 1", length=[1, 1, 1])
    for scheme in "rk4", "rk2-imaginary":
        told = run(1, path, tmp_path / "run", 1, *parting, *sets(time__scheme=scheme), expect=65).stderr
        assert f'time.scheme = "{scheme}"' in told and "ssprk3" in told, told
    run(1, path, tmp_path / "run", 100, *parting)
    assert outputs.series(tmp_path / "run")["density_min"].min() > 0
