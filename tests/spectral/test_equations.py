"""Whole runs of the fluid sets: ready cases at small size, exact waves, restarts, initial fields from elsewhere."""

import math

import h5py
import numpy as np
import pytest

from conftest import ROOT
from outputs import checkpoints, modes, series, sets, weights
from verification import record

FIELDS = {"hd": ["u", "v", "w", "scalar1"], "boussinesq": ["u", "v", "w", "theta"],
          "mhd": ["u", "v", "w", "bx", "by", "bz"]}
QUIET = sets(output__spectra_interval=0.0, parallel__reproducible=True)


def run(mpirun, triad, case, folder, *more, ranks=1, expect=0, timeout=100):
    path = case if str(case).endswith(".toml") else ROOT / f"runs/{case}/case.toml"
    return mpirun(ranks, triad, "run", path, "--dir", folder, *QUIET, *more, timeout=timeout, expect=expect)


def same_bits(a, b, fields):
    a, b = modes(a), modes(b)
    return all(np.array_equal(a[k], b[k]) for k in ("kx", "ky", "kz")) and all(
        a[f].tobytes() == b[f].tobytes() for f in fields)


def distance(a, b, fields):
    a, b = modes(a), modes(b)
    size = sum((weights(b) * abs(b[f])**2).sum() for f in fields)
    return math.sqrt(sum((weights(b) * abs(a[f] - b[f])**2).sum() for f in fields) / size)


FINE = sets(time__scheme="rk4", time__cfl=0.1, output__series_interval=0.0)  # so that steps and sums over rows are accurate


def closes(s, tolerance):
    """E(t) - E(0) = integral of injection - dissipation over the rows, by the trapezoidal rule."""
    rate = s["injection"] - s["dissipation"]
    gain = np.sum((rate[1:] + rate[:-1]) / 2 * np.diff(s["t"]))
    assert abs(s["energy"][-1] - s["energy"][0] - gain) <= tolerance * s["energy"][0]


# ---- exact waves, over ten periods ----

@pytest.mark.parametrize("case, more, fields", [
    ("internal-wave", [], FIELDS["boussinesq"]),
    ("alfven-wave", [], FIELDS["mhd"]),
])
def test_wave_comes_back_after_ten_periods_to_1e_8(triad, mpirun, rundir, case, more, fields):
    run(mpirun, triad, case, rundir / "start", *more, *sets(time__end=0.0))
    run(mpirun, triad, case, rundir / "end", *more)
    assert distance(rundir / "end", rundir / "start", fields) < 1e-8
    record({"internal-wave": "boussinesq-wave", "alfven-wave": "mhd-alfven"}[case], distance(rundir / "end", rundir / "start", fields))
    s = series(rundir / "end")
    assert np.ptp(s["energy"]) < 1e-8 * s["energy"][0]


def test_inertial_wave_and_whistler_come_back_to_1e_8(triad, mpirun, rundir):
    whistler = 1.4 * (0.2 * 6**0.5 + (4 + 0.04 * 6)**0.5) / 2
    for name, omega, fields, more in (
            ("alfven-wave", whistler, FIELDS["mhd"], sets(equations__hall=0.2)),
            ("rotating-decay", 2 / 3**0.5, FIELDS["hd"],
             sets(initial__kind="inertial-wave", initial__wave=[1, 1, 1], equations__viscosity=0.0, grid__n=[8, 8, 8],
                  equations__rotation=[0.0, 0.0, 1.0], initial__scalar_variance=0.0, initial__wavenumber=1,
                  time__scheme="rk4"))):
        period = 2 * math.pi / omega
        more = [*more, *sets(initial__amplitude=1e-3, time__dt=period / 600)]
        run(mpirun, triad, name, rundir / name / "start", *more, *sets(time__end=0.0))
        run(mpirun, triad, name, rundir / name / "end", *more, *sets(time__end=10 * period))
        error = distance(rundir / name / "end", rundir / name / "start", fields)
        assert error < 1e-8
        record({"alfven-wave": "mhd-whistler", "rotating-decay": "hd-inertial"}[name], error)


def test_gravity_wave_shares_its_energy_as_its_frequency_says(triad, mpirun, rundir):
    run(mpirun, triad, "internal-wave", rundir, *sets(time__end=2.0))
    s = series(rundir)
    # u = a e1 + e2, |a| = f_k/omega, |theta| = N_k/omega with omega^2 = f_k^2 + N_k^2; f_k^2 = 0.25/5, N_k^2 = 4/5
    omega2 = 0.05 + 0.8
    assert s["kinetic_energy"] == pytest.approx(0.0625 * (1 + 0.05 / omega2), rel=1e-9)
    assert s["potential_energy"] == pytest.approx(0.0625 * 0.8 / omega2, rel=1e-9)


# ---- restart, and any number of ranks ----

SMALL = {
    "hd": ("rotating-decay", sets(grid__n=[16, 12, 18], forcing__kind="random", equations__scalar_gradients=[0.0, 0.0, 1.0])),
    "boussinesq": ("rotating-stratified", sets(grid__n=[24, 24, 8], forcing__kind="random", forcing__field="theta",
                                               forcing__k_range=[1.0, 4.0])),
    "mhd": ("mhd-decay", sets(grid__n=[16, 12, 18], equations__hall=0.1, equations__mean_field=[0.0, 0.3, 1.0],
                              forcing__kind="random", forcing__field="magnetic")),
}


@pytest.mark.parametrize("solver", SMALL)
def test_restart_continues_bit_for_bit(triad, mpirun, rundir, solver):
    case, more = SMALL[solver]
    run(mpirun, triad, case, rundir / "whole", *more, *sets(time__max_steps=12))
    run(mpirun, triad, case, rundir / "parts", *more, *sets(time__max_steps=5))
    run(mpirun, triad, case, rundir / "parts", *more, *sets(time__max_steps=12), ranks=2)
    assert same_bits(rundir / "whole", rundir / "parts", FIELDS[solver])


MANY = 40
MANY_SCALARS = sets(grid__n=[16, 12, 18], equations__scalars=[0.01 + 0.001 * i for i in range(MANY)],
                    equations__scalar_gradients=[0.1 * (i % 7) for i in range(3 * MANY)], time__dt=0.01, time__end=0.08,
                    output__series_interval=0.0, output__spectra_interval=0.08, output__fields_interval=0.08)


def test_forty_scalars_are_in_every_file_and_restart_bit_for_bit(triad, mpirun, rundir):
    names = [f"scalar{i + 1}" for i in range(MANY)]
    run(mpirun, triad, "rotating-decay", rundir / "whole", *MANY_SCALARS)
    run(mpirun, triad, "rotating-decay", rundir / "parts", *MANY_SCALARS, *sets(time__max_steps=3), ranks=2)
    run(mpirun, triad, "rotating-decay", rundir / "parts", *MANY_SCALARS, ranks=3)
    assert same_bits(rundir / "whole", rundir / "parts", ["u", "v", "w", *names])
    assert (rundir / "whole/series.csv").read_bytes() == (rundir / "parts/series.csv").read_bytes()
    s, held = series(rundir / "whole"), modes(rundir / "whole")
    with h5py.File(rundir / "whole/spectra/spectra-00000008.h5") as spectra, \
         h5py.File(rundir / "whole/fields/fields-00000008.h5") as fields:
        for i, name in enumerate(names):
            variance = (weights(held) * abs(held[name])**2).sum() / 2
            # sums of some thousand terms, each rounded once
            assert s[f"{name}_variance"][-1] == pytest.approx(variance, rel=1e-13)
            assert spectra[f"S{i + 1}"][:].sum() == pytest.approx(variance, rel=1e-13)
            assert (fields[name][:]**2).mean() / 2 == pytest.approx(variance, rel=1e-12)
            for kind in ("perp", "par", "2d"):
                assert spectra[f"S{i + 1}_{kind}"][:].sum() == pytest.approx(variance, rel=1e-13)
            moved = abs(spectra[f"T_S{i + 1}"][:]).sum()
            assert moved > 0 and abs(spectra[f"Pi_S{i + 1}"][-1]) < 1e-12 * moved
        assert len({spectra[f"S{i + 1}"][3] for i in range(MANY)}) == MANY
    listed = (rundir / "whole/fields/fields.xmf").read_text()
    assert all(f'Name="{name}"' in listed for name in names)
    told = mpirun(1, triad, "info", rundir / "whole").stdout
    assert "scalar40_variance" in told


@pytest.mark.parametrize("solver", SMALL)
def test_answer_is_the_same_bit_for_bit_on_any_ranks(triad, mpirun, rundir, solver):
    case, more = SMALL[solver]
    for ranks in (1, 2, 3):
        run(mpirun, triad, case, rundir / f"{ranks}", *more, *sets(time__max_steps=6), ranks=ranks)
        assert same_bits(rundir / f"{ranks}", rundir / "1", FIELDS[solver])
        s, one = series(rundir / f"{ranks}"), series(rundir / "1")
        assert all(np.array_equal(s[c], one[c], equal_nan=True) for c in one)


# ---- ready cases, small ----

def test_rotating_decay_starts_as_told_and_closes_its_budgets(triad, mpirun, rundir):
    run(mpirun, triad, "rotating-decay", rundir,
        *sets(grid__n=[24, 24, 24], initial__wavenumber=2, equations__viscosity=0.02, time__end=0.5,
              equations__scalar_gradients=[0.0, 0.0, 2.0]), *FINE)
    s = series(rundir)
    assert s["energy"][0] == pytest.approx(0.5, rel=1e-12) and s["scalar1_variance"][0] == pytest.approx(0.5, rel=1e-12)
    closes(s, 1e-4)
    rate = s["scalar1_production"] - s["scalar1_dissipation"]
    gain = np.sum((rate[1:] + rate[:-1]) / 2 * np.diff(s["t"]))
    assert s["scalar1_variance"][-1] - s["scalar1_variance"][0] == pytest.approx(gain, abs=1e-4)


def test_stratified_taylor_green_starts_as_told_and_closes_its_budgets(triad, mpirun, rundir):
    run(mpirun, triad, "stratified-taylor-green", rundir,
        *sets(grid__n=[24, 24, 24], equations__viscosity=0.02, equations__diffusivity=0.02, time__end=1.5), *FINE)
    s = series(rundir)
    assert s["kinetic_energy"][0] == pytest.approx(0.125, rel=1e-12) and s["potential_energy"][0] == 0
    closes(s, 1e-4)
    rate = s["buoyancy_flux"] - s["diffusive_dissipation"]
    gain = np.sum((rate[1:] + rate[:-1]) / 2 * np.diff(s["t"]))
    assert s["potential_energy"][-1] == pytest.approx(gain, abs=1e-5) and gain > 1e-4


def test_rotating_stratified_runs_in_its_flat_box(triad, mpirun, rundir):
    run(mpirun, triad, "rotating-stratified", rundir,
        *sets(grid__n=[32, 32, 8], equations__viscosity=0.02, equations__diffusivity=0.02, time__end=0.5), *FINE, ranks=2)
    s = series(rundir)
    assert s["energy"][0] == pytest.approx(0.5, rel=1e-12)
    closes(s, 1e-4)


def growth(mpirun, triad, folder, *more):
    """Growth rates of the vertical velocity of a two-dimensional layer: at the end, and over three quarters of the run."""
    run(mpirun, triad, "kelvin-helmholtz", folder,
        *sets(grid__n=[16, 1, 96], initial__disturbance=1e-6, initial__noise=0.0, equations__viscosity=0.0,
              equations__diffusivity=0.0, time__end=20.0, time__dt=0.05, output__series_interval=0.5,
              output__checkpoint_interval=5.0, output__keep=10, time__scheme="rk4"), *more)
    folders = checkpoints(folder)
    size, t = [], []
    for c in folders:
        m = modes(c)
        size.append(math.sqrt(float((weights(m) * abs(m["w"])**2).sum())))
        t.append(int(c.name.split("-")[1]) * 0.05)
    return [math.log(size[-1] / size[i]) / (t[-1] - t[i]) for i in (-2, 0)]


def test_shear_layer_grows_at_its_known_rate_and_not_where_it_is_stable(triad, mpirun, rundir):
    # tanh profile: 0.1897 U/d at k d = 0.4446 (Michalke 1964, J. Fluid Mech. 19, 543); stable for N d/U above 1/2
    # (Miles 1961, Howard 1961), and here, for uniform N, above k d sqrt(1 - (k d)^2) = 0.398 (Drazin 1958)
    neutral, _ = growth(mpirun, triad, rundir / "neutral", *sets(equations__buoyancy_frequency=0.0))
    assert neutral == pytest.approx(0.1897 / 0.4446, rel=0.02)
    record("boussinesq-shear", abs(neutral / (0.1897 / 0.4446) - 1), neutral)
    _, stable = growth(mpirun, triad, rundir / "stable", *sets(equations__buoyancy_frequency=1.3))  # N d/U = 0.58
    assert stable < 0.1 * neutral


def test_orszag_tang_starts_as_told_and_closes_its_budget(triad, mpirun, rundir):
    run(mpirun, triad, "orszag-tang", rundir,
        *sets(grid__n=[24, 24, 24], equations__viscosity=0.1, equations__resistivity=0.1, time__end=0.3), *FINE)
    s = series(rundir)
    assert s["kinetic_energy"][0] == pytest.approx(2, rel=1e-12)
    assert s["magnetic_energy"][0] == pytest.approx(1.92, rel=1e-12)
    assert s["cross_helicity"][0] == pytest.approx(1.6, rel=1e-12)
    assert abs(s["magnetic_helicity"][0]) < 1e-12
    closes(s, 1e-4)
    assert s["divergence_b"].max() < 1e-13 * math.sqrt(2 * s["current_squared"].max())


def test_mhd_decay_starts_as_told_and_keeps_its_helicity_longest(triad, mpirun, rundir):
    run(mpirun, triad, "mhd-decay", rundir,
        *sets(grid__n=[24, 24, 24], initial__wavenumber=2, equations__viscosity=0.02, equations__resistivity=0.02,
              time__end=1.0), *FINE)
    s = series(rundir)
    assert s["kinetic_energy"][0] == pytest.approx(0.5, rel=1e-12)
    assert s["magnetic_energy"][0] == pytest.approx(0.5, rel=1e-12)
    assert abs(s["cross_helicity"][0]) < 1e-12
    closes(s, 1e-4)
    assert s["magnetic_helicity"][-1] / s["magnetic_helicity"][0] > s["energy"][-1] / s["energy"][0]


# ---- fields from elsewhere ----

BOX = """[equations]
solver = "{solver}"
[grid]
n = [12, 12, 12]
[initial]
kind = "{kind}"
file = "{file}"
[time]
end = 0.0
"""


def case_from(folder, solver, kind, file):
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{solver}.toml"
    path.write_text(BOX.format(solver=solver, kind=kind, file=file))
    return path


def grid(n=12):
    x = 2 * np.pi * np.arange(n) / n
    return np.meshgrid(x, x, x, indexing="ij")  # z, y, x


def test_file_fills_what_it_holds_and_says_so(triad, mpirun, rundir):
    z, y, x = grid()
    rundir.mkdir(parents=True)
    with h5py.File(rundir / "theta.h5", "w") as f:
        f["theta"] = 0.3 + np.cos(x + 2 * z)
    result = run(mpirun, triad, case_from(rundir, "boussinesq", "file", rundir / "theta.h5"), rundir / "theta")
    assert "found theta" in result.stdout + result.stderr and "u, v, w" in result.stdout + result.stderr
    s = series(rundir / "theta")
    assert s["kinetic_energy"][0] == 0 and s["potential_energy"][0] == pytest.approx(0.25 + 0.045, rel=1e-12)


def test_magnetic_field_of_a_file_is_made_solenoidal(triad, mpirun, rundir):
    z, y, x = grid()
    rundir.mkdir(parents=True)
    with h5py.File(rundir / "b.h5", "w") as f:
        f["bx"] = 0.5 + np.sin(y) + np.sin(x)
        f["by"] = 0 * x
        f["bz"] = np.cos(x)
    result = run(mpirun, triad, case_from(rundir, "mhd", "file", rundir / "b.h5"), rundir / "b", ranks=2)
    text = result.stdout + result.stderr
    assert "magnetic field is not divergence-free" in text and "mean_field" in text
    s = series(rundir / "b")
    assert s["magnetic_energy"][0] == pytest.approx(0.5, rel=1e-12) and s["divergence_b"][0] < 1e-14


def test_file_without_any_field_of_the_equations_is_refused(triad, mpirun, rundir):
    rundir.mkdir(parents=True)
    with h5py.File(rundir / "other.h5", "w") as f:
        f["pressure"] = np.zeros((12, 12, 12))
    result = run(mpirun, triad, case_from(rundir, "mhd", "file", rundir / "other.h5"), rundir / "x", expect=65)
    assert "pressure" in result.stdout + result.stderr


def test_checkpoint_of_another_solver_seeds_only_when_asked(triad, mpirun, rundir):
    run(mpirun, triad, "mhd-decay", rundir / "mhd", *sets(grid__n=[12, 12, 12], time__max_steps=2, initial__wavenumber=2))
    case = case_from(rundir, "boussinesq", "checkpoint", rundir / "mhd")
    result = run(mpirun, triad, case, rundir / "refused", expect=65)
    assert "any_solver" in result.stdout + result.stderr
    result = run(mpirun, triad, case, rundir / "seeded", *sets(initial__any_solver=True), ranks=2)
    assert "found u, v, w" in result.stdout + result.stderr
    assert series(rundir / "seeded")["kinetic_energy"][0] == pytest.approx(series(rundir / "mhd")["kinetic_energy"][-1], rel=1e-12)
    assert series(rundir / "seeded")["potential_energy"][0] == 0
    assert distance(rundir / "seeded", rundir / "mhd", ["u", "v", "w"]) < 1e-14


@pytest.mark.parametrize("solver, kind, field", [
    ("hd", "orszag-tang", None), ("boussinesq", "alfven-wave", None), ("mhd", "internal-wave", None),
    ("hd", "rest", "magnetic"), ("mhd", "rest", "theta")])
def test_kinds_and_forces_of_other_solvers_are_refused(triad, mpirun, rundir, solver, kind, field):
    more = sets(forcing__kind="random", forcing__field=field) if field else []
    result = run(mpirun, triad, case_from(rundir, solver, kind, ""), rundir / "x", *more, expect=65)
    assert "only" in result.stdout + result.stderr
