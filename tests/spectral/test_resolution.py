"""Results that say when they are not good: resolution of every field, places that mean nothing, what the terminal tells."""

import h5py
import numpy as np
import pytest

from outputs import rows, series, sets

CASE = """[equations]
solver = "%s"
viscosity = 0.04
%s
[grid]
n = [24, 24, 24]
[initial]
kind = "random"
wavenumber = 2
[time]
end = 0.5
[output]
series_interval = 0.1
report = false
"""


def run(mpirun, triad, rundir, solver, keys="", *more, ranks=1, expect=0):
    rundir.mkdir(parents=True, exist_ok=True)
    (rundir / "case.toml").write_text(CASE % (solver, keys))
    return mpirun(ranks, triad, "run", rundir / "case.toml", "--dir", rundir / "run", *more, expect=expect)


SETS = {"hd": ("scalar1", "scalars = [0.005]", 0.005), "boussinesq": ("theta", "diffusivity = 0.16", 0.16),
        "mhd": ("scalar1", "resistivity = 0.04\nscalars = [0.01]", 0.01)}


@pytest.mark.parametrize("solver", SETS)
def test_k_max_eta_of_a_diffusivity_is_batchelor_s_scale(triad, mpirun, rundir, solver):
    """eta_B = eta (kappa/nu)^(1/2) (Batchelor 1959), and eta is in the series."""
    field, keys, kappa = SETS[solver]
    run(mpirun, triad, rundir, solver, keys)
    s = series(rundir / "run")
    assert s[f"{field}_kmax_eta"] == pytest.approx(s["kmax_eta"] * (kappa / 0.04) ** 0.5, rel=1e-13)


def test_k_max_eta_of_the_magnetic_field_takes_the_faster_of_stretching_and_decay(triad, mpirun, rundir):
    run(mpirun, triad, rundir, "mhd", "resistivity = 0.02")
    s = series(rundir / "run")
    joule = s["joule_dissipation"] / 0.02 / 2   # mean |curl b|^2/2
    eta = (0.02 ** 2 / (2 * np.maximum(joule, s["enstrophy"]))) ** 0.25
    assert s["b_kmax_eta"] == pytest.approx(7 * eta, rel=1e-13)   # k_max = floor(23/3) in a box of 2 pi
    assert (joule > s["enstrophy"]).any() and (joule < s["enstrophy"]).any(), "both are tried"


@pytest.mark.parametrize("truncation", ["sphere", "box"])
def test_the_tail_is_the_part_of_squared_gradients_in_the_outermost_fifth(triad, mpirun, rundir, truncation):
    more = sets(grid__truncation=truncation, grid__n=[24, 16, 20], grid__length=[6.0, 5.0, 4.0],
                initial__spectrum="power-law", initial__k_range=[1.0, 12.0], initial__slope=-1.0,
                output__fields_interval=0.5)
    run(mpirun, triad, rundir, "hd", "scalars = [0.002]", *more, ranks=2)
    s = series(rundir / "run")
    with h5py.File(sorted((rundir / "run/fields").glob("*.h5"))[-1]) as f:
        modes = {name: np.fft.fftn(f[name][:]) for name in ("u", "v", "w", "scalar1")}
    n, length, kept = (20, 16, 24), (4.0, 5.0, 6.0), (6, 5, 7)   # z, y, x
    index = np.meshgrid(*[np.fft.fftfreq(m, 1 / m) for m in n], indexing="ij")
    k2 = sum((2 * np.pi * i / side) ** 2 for i, side in zip(index, length))
    places = [i / (0.8 * most) for i, most in zip(index, kept)]
    outer = sum(p ** 2 for p in places) > 1 if truncation == "sphere" else np.max(np.abs(places), axis=0) > 1
    for names, column in ((("u", "v", "w"), "u_tail"), (("scalar1",), "scalar1_tail")):
        gradients = k2 * sum(abs(modes[name]) ** 2 for name in names)
        assert s[column][-1] == pytest.approx(gradients[outer].sum() / gradients.sum(), rel=1e-11)


def test_numbers_that_mean_nothing_are_empty_and_read_everywhere(triad, mpirun, rundir, tmp_path):
    inviscid = run(mpirun, triad, rundir, "hd", "", *sets(equations__viscosity=0.0, time__max_steps=3))
    names, *values = [row.split(",") for row in rows(rundir / "run")]
    for row in values:
        empty = {name for name, word in zip(names, row) if word == ""}
        assert empty == {"kolmogorov_scale", "re_lambda", "kmax_eta"}
    assert "kmax_eta" not in inviscid.stderr
    assert mpirun(1, triad, "info", rundir / "run", expect=0)
    mpirun(1, triad, "pack", "--series", rundir / "all.h5", rundir / "run", expect=0)
    with h5py.File(rundir / "all.h5") as f:
        assert np.isnan(f["re_lambda"][:]).all() and np.isfinite(f["energy"][:]).all()
    still = rundir / "still"
    run(mpirun, triad, still, "hd", "", *sets(initial__kind="rest", time__max_steps=2))
    s = series(still / "run")
    for name in ("integral_scale", "taylor_scale", "kolmogorov_scale", "re_lambda", "kmax_eta", "u_tail"):
        assert np.isnan(s[name]).all(), name
    assert not np.isinf(np.array(list(s.values()))).any()


def warnings(done):
    return [line for line in done.stderr.splitlines() if "not resolved" in line]


def test_a_field_that_is_not_resolved_is_told_once_and_at_the_end(triad, mpirun, rundir):
    done = run(mpirun, triad, rundir, "hd", "scalars = [0.2, 1e-6]\nscalar_gradients = [0, 0, 1, 0, 0, 1]",
               *sets(time__end=1.5), ranks=2)
    told = warnings(done)
    assert len([line for line in told if "at t = " in line and "rows" not in line and "scalar2_kmax_eta" in line]) == 1
    assert len([line for line in told if "in 16 of 16 rows: scalar2_kmax_eta" in line]) == 1
    assert any("scalar2_tail" in line for line in told), "the variance piles up at the cut-off"
    assert not any("scalar1" in line for line in told)
    assert "scalar2_tail" in (rundir / "run/log.txt").read_text()


def test_a_resolved_flow_warns_of_nothing(triad, mpirun, rundir):
    assert not warnings(run(mpirun, triad, rundir, "hd", "scalars = [0.1]", *sets(equations__viscosity=0.1)))


# ---- scalars of every set ----

def test_a_scalar_of_boussinesq_without_buoyancy_is_one_of_hd(triad, mpirun, rundir):
    """With N = 0 theta is a passive scalar: hd with two scalars of the same seeds is the same flow."""
    same = sets(time__dt=0.02, initial__scalar_variance=0.3)
    a, b = rundir / "a", rundir / "b"
    run(mpirun, triad, a, "hd", "scalars = [0.02, 0.05]\nscalar_gradients = [0, 0, 0, 0.5, 0, 1]", *same)
    run(mpirun, triad, b, "boussinesq", "diffusivity = 0.02\nbuoyancy_frequency = 0\nscalars = [0.05]\n"
        "scalar_gradients = [0.5, 0, 1]", *same, *sets(initial__potential_energy=0.3), ranks=2)
    s, t = series(a / "run"), series(b / "run")
    for mine, other in (("scalar1_variance", "potential_energy"), ("scalar2_variance", "scalar1_variance"),
                        ("scalar2_dissipation", "scalar1_dissipation"), ("scalar2_production", "scalar1_production"),
                        ("scalar2_tail", "scalar1_tail"), ("u_max", "u_max")):
        # 25 steps of three stages, each rounding sums of a few thousand terms
        assert t[other] == pytest.approx(s[mine], rel=1e-11), other


@pytest.mark.parametrize("hall", [0.0, 0.2])
def test_a_scalar_of_mhd_without_a_field_is_one_of_hd(triad, mpirun, rundir, hall):
    same = sets(time__dt=0.02, initial__kind="taylor-green", initial__scalar_variance=0.3)
    keys = "scalars = [0.05, 0.02]\nscalar_gradients = [0.5, 0, 1, 0, 1, 0]"
    a, b = rundir / "a", rundir / "b"
    run(mpirun, triad, a, "hd", keys, *same)
    run(mpirun, triad, b, "mhd", keys, *same, *sets(initial__magnetic_amplitude=0.0, equations__hall=hall), ranks=2)
    s, t = series(a / "run"), series(b / "run")
    for name in [n for n in s if n.startswith("scalar")]:
        assert t[name] == pytest.approx(s[name], rel=1e-11), name


@pytest.mark.parametrize("solver", ["hd", "boussinesq", "mhd"])
def test_the_variance_of_a_scalar_is_what_came_in_less_what_was_dissipated(triad, mpirun, rundir, solver):
    keys = "scalars = [0.05]\nscalar_gradients = [0.5, 0, 1]" + ("\nresistivity = 0.04\nhall = 0.1" if solver == "mhd" else "")
    run(mpirun, triad, rundir, solver, keys, *sets(time__scheme="rk4", time__dt=0.005, time__end=0.3,
                                                   output__series_interval=0.0, output__spectra_interval=0.3))
    s = series(rundir / "run")
    rate = s["scalar1_production"] - s["scalar1_dissipation"]
    gain = np.sum((rate[1:] + rate[:-1]) / 2 * np.diff(s["t"]))
    # the trapezoidal rule of 60 intervals is good to h^2/12 of the rate's curvature, some 1e-5 of the gain
    assert s["scalar1_variance"][-1] - s["scalar1_variance"][0] == pytest.approx(gain, rel=1e-4)
    with h5py.File(sorted((rundir / "run/spectra").glob("*.h5"))[-1]) as f:
        assert f["S1"][:].sum() == pytest.approx(s["scalar1_variance"][-1], rel=1e-13)
        moved = abs(f["T_S1"][:]).sum()
        assert moved > 0 and abs(f["Pi_S1"][-1]) < 1e-12 * moved


def test_scalar_gradients_of_another_number_are_an_error_at_their_place(triad, mpirun, rundir):
    done = run(mpirun, triad, rundir, "boussinesq", "scalars = [0.05]\nscalar_gradients = [0.5, 0]", expect=65)
    assert "case.toml:5:" in done.stderr and "has 2 values, but 1 scalars require 3" in done.stderr
