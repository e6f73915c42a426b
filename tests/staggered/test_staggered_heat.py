"""The temperature of the staggered solver: exact solutions, conservation, onset of convection, the heated cavity, a channel, solids."""

import math
import subprocess
import sys

import h5py
import numpy as np
import pytest

import outputs
from staggered import fields, run, state  # noqa: F401
from test_staggered import ready  # noqa: F401
from verification import record

def thermal(**more):
    """Keys of a run with temperature, by name."""
    keys = dict(equations__temperature=True)
    keys.update({("equations__" + key if "__" not in key else key): value for key, value in more.items()})
    return keys


def temperature(folder, number=-1):
    return outputs.points(folder, ("temperature",), number)[0]


def slopes(errors):
    return [math.log2(a / b) for a, b in zip(errors, errors[1:])]


def ends(axis, *words):
    return {f"boundaries__{axis}": list(words)}


def held(axis, lower, upper):
    values = [0] * 6
    values["xyz".index(axis) * 2] = lower
    values["xyz".index(axis) * 2 + 1] = upper
    return {f"boundaries__thermal_{axis}": ["isothermal", "isothermal"], "boundaries__wall_temperature": values}


# ---- exact solutions ----

@pytest.mark.parametrize("axis, n, ranks", [("x", (14, 1, 1), 1), ("y", (1, 14, 4), 2), ("z", (4, 1, 14), 3)])
@pytest.mark.parametrize("diffusion", ["explicit", "implicit"])
def test_conduction_between_walls_is_exact_on_a_stretched_mesh(run, axis, n, ranks, diffusion):
    """From a uniform start to the straight line, which the differences solve exactly: Nu = 1 at both walls."""
    a = "xyz".index(axis)
    stretch = [0, 0, 0]
    stretch[a] = 1.2
    folder = run("rest", n, 12, length=(1, 1, 1), time="dt = 0.01" if diffusion == "implicit" else "", ranks=ranks,
                 solver__diffusion=diffusion, solver__tolerance=1e-12, grid__stretch=stretch, output__series_interval=12,
                 **thermal(diffusivity=0.2), **ends(axis, "wall", "slip"), **held(axis, 3, 1))
    faces = (1 + np.tanh(1.2 * (2 * np.arange(15) / 14 - 1)) / math.tanh(1.2)) / 2
    centre = (faces[1:] + faces[:-1]) / 2
    found = np.moveaxis(temperature(folder), 2 - a, 0).reshape(14, -1)
    assert np.abs(found - (3 - 2 * centre)[:, None]).max() < 1e-9
    s = outputs.series(folder)
    for column in ("nusselt_lower", "nusselt_upper", "nusselt_volume"):
        assert s[column][-1] == pytest.approx(1, abs=1e-9)
    assert s["temperature_dissipation"][-1] == pytest.approx(0.2 * 4, rel=1e-9)
    assert abs(s["wall_heat_flux"][-1]) < 1e-9


WAVE = "cos(x)*sin(y)"


def stream(run, n, dt, t=1.0, kappa=0.05, stretch=0, diffusion="explicit"):
    """T = cos(x - t) sin(y) exp(-2 kappa t) in a uniform stream between slip walls held at 0 across y."""
    folder = run("uniform", (n, n, 1), t, length=("2pi", "pi", 1), viscosity=0, time=f"dt = {dt}", output__series_interval=t,
                 initial__velocity=[1, 0, 0], initial__temperature=WAVE, grid__stretch=[0, stretch, 0],
                 solver__diffusion=diffusion, solver__tolerance=1e-13,
                 **thermal(diffusivity=kappa), **ends("y", "slip", "slip"), **held("y", 0, 0))
    x = (np.arange(n) + 0.5) * 2 * math.pi / n
    part = np.arange(n + 1) / n
    if stretch:
        part = (1 + np.tanh(stretch * (2 * part - 1)) / math.tanh(stretch)) / 2
    y = math.pi * (part[1:] + part[:-1]) / 2
    return temperature(folder)[0], x, y


@pytest.mark.parametrize("stretch", [0, 1])
def test_a_wave_in_a_stream_between_held_walls_is_of_order_two_in_h(run, stretch):
    errors = []
    for n in (16, 32, 64):
        found, x, y = stream(run, n, 0.2 / n, t=0.5, stretch=stretch)
        exact = math.exp(-2 * 0.05 * 0.5) * np.sin(y)[:, None] * np.cos(x - 0.5)
        errors.append(np.abs(found - exact).max())
    assert all(1.85 < slope < 2.15 for slope in slopes(errors)), errors
    if stretch:
        record("staggered-heat-wave", errors[-1], order=slopes(errors)[-1])


@pytest.mark.parametrize("diffusion", ["explicit", "implicit"])
def test_a_wave_in_a_stream_is_of_order_two_in_the_step(run, diffusion):
    """Against the mesh's own solution: its wave is slower by sin(h)/h, and decays with the wavenumbers of differences."""
    n, kappa, errors = 16, 0.05, []
    hx, hy = 2 * math.pi / n, math.pi / n
    decay = kappa * (4 * math.sin(hx / 2)**2 / hx**2 + 4 * math.sin(hy / 2)**2 / hy**2)
    for dt in (0.1, 0.05, 0.025):
        found, x, y = stream(run, n, dt, diffusion=diffusion)
        exact = math.exp(-decay) * np.sin(y)[:, None] * np.cos(x - math.sin(hx) / hx)
        errors.append(np.abs(found - exact).max())
    assert all(1.9 < slope < 2.1 for slope in slopes(errors)), errors


def nusselt_of_channel(run, n):
    """Laminar flow between walls with a uniform heat flux: a mean gradient along the flow, walls held at 0."""
    folder = run("poiseuille", (1, n, 1), 10, length=(1, 2, 1), viscosity=1, time="dt = 0.02", initial__amplitude=1.5,
                 forcing__kind="pressure-gradient", forcing__amplitude=3, output__series_interval=10, solver__tolerance=1e-12,
                 solver__diffusion="implicit", **thermal(diffusivity=1, temperature_gradient=[1, 0, 0]),
                 **ends("y", "wall", "wall"), **held("y", 0, 0))
    s = outputs.series(folder)
    bulk = s["temperature_flux_x"][-1] / s["mean_u"][-1]
    assert s["heating"][-1] == pytest.approx(0, abs=1e-8)
    return s["wall_heat_flux"][-1] * 4 / (0 - bulk)  # hydraulic diameter 4, T_wall = 0


def test_a_laminar_channel_with_uniform_heat_flux_has_its_exact_nusselt_number(run):
    exact = 140 / 17
    errors = [abs(nusselt_of_channel(run, n) / exact - 1) for n in (16, 32, 64)]
    assert all(1.95 < slope < 2.05 for slope in slopes(errors)), errors
    assert errors[-1] < 5e-4
    record("staggered-heated-channel", errors[-1], order=slopes(errors)[-1])


# ---- what is conserved ----

BOX = dict(**ends("x", "wall", "wall"), **ends("y", "slip", "wall"), **ends("z", "wall", "slip"))


@pytest.mark.parametrize("diffusion, kappa", [("explicit", 0), ("explicit", 0.02), ("implicit", 0.02)])
@pytest.mark.parametrize("ranks", [1, 2])
def test_insulated_walls_and_solids_keep_the_mean_temperature_to_round_off(run, diffusion, kappa, ranks):
    folder = run("random", (10, 9, 8), 0.2, length=(1, 1.1, 0.9), viscosity=0.02, ranks=ranks, output__series_interval=0.01,
                 grid__stretch=[0.5, 1, 0.8], solver__diffusion=diffusion, solver__tolerance=1e-13,
                 solids__kind="boxes", solids__boxes=[2, 2, 2, 3, 2, 4], initial__temperature="2 + cos(7*x)*y - z^2",
                 **thermal(diffusivity=kappa), **BOX)
    mean = outputs.series(folder)["mean_temperature"]
    assert np.abs(mean / mean[0] - 1).max() < 2e-14


def test_advection_keeps_the_variance_but_for_the_error_of_the_step(run):
    """|P(iy)|^2 = 1 - y^4/4 + ..: the drift of a run falls with the third power of the step."""
    drifts = []
    for dt in (0.02, 0.01, 0.005):
        folder = run("random", (10, 9, 8), 0.2, length=(1, 1.1, 0.9), viscosity=0, time=f"dt = {dt}", initial__amplitude=0.3,
                     grid__stretch=[0.5, 1, 0.8], output__series_interval=0.2, solver__tolerance=1e-13,
                     initial__temperature="2 + cos(7*x)*y - z^2", **thermal(reference_temperature=2), **BOX)
        s = outputs.series(folder)["temperature_variance"]
        drifts.append(abs(s[-1] / s[0] - 1))
    assert all(2.8 < slope < 3.3 for slope in slopes(drifts)), drifts
    assert drifts[-1] < 1e-5


def test_buoyancy_exchanges_potential_and_kinetic_energy(run):
    """Inviscid, insulated, on a stretched mesh: E - beta g . <x T> is kept but for the error of the step; work_done has it all."""
    drifts, gravity, beta = [], [0.3, 0, -2], 0.8
    for dt in (0.04, 0.02, 0.01):
        folder = run("rest", (12, 1, 10), 1, length=(1, 1, 0.9), viscosity=0, time=f"dt = {dt}", output__series_interval=0.04,
                     grid__stretch=[0.5, 0, 1], solver__tolerance=1e-13, output__fields_interval=1,
                     initial__temperature="1 + 0.5*cos(5*x) - z", **ends("x", "wall", "wall"), **ends("z", "wall", "slip"),
                     **thermal(thermal_expansion=beta, gravity=gravity))
        s = outputs.series(folder)
        both = []
        for number in (0, -1):
            path = sorted((folder / "fields").glob("*.h5"))[number]
            with h5py.File(path) as f:
                t, x, z = f["temperature"][:], f["x"][:], f["z"][:]
            widths = []
            for n, length, stretch in ((12, 1, 0.5), (10, 0.9, 1)):
                face = length * (1 + np.tanh(stretch * (2 * np.arange(n + 1) / n - 1)) / math.tanh(stretch)) / 2
                widths.append(np.diff(face) / length)
            weight = widths[1][:, None, None] * widths[0]
            potential = beta * (weight * t * (gravity[0] * x + gravity[2] * z[:, None, None])).sum()
            both.append(s["energy"][number] + potential)
        assert s["energy"][-1] > 1e-3
        drifts.append(abs(both[1] - both[0]) / s["energy"][-1])
        last = abs(s["work_done"][-1] / s["energy"][-1] - 1)
    assert all(slope > 2.7 for slope in slopes(drifts)), drifts
    assert last < 1e-3


def test_budgets_of_mean_variance_and_energy_close(run):
    """Rates of the series against differences of it, in a box with held walls and solids, a source and a stream."""
    folder = run("uniform", (16, 10, 8), 0.1, length=(2, 1, 1), viscosity=0.03, time="dt = 0.0005", ranks=2,
                 output__series_interval=0.0005, solver__tolerance=1e-12, solids__kind="boxes", solids__boxes=[5, 3, 0, 3, 4, 4],
                 solids__thermal="isothermal", solids__temperature=2.5, initial__temperature="1 + x*y",
                 boundaries__x=["inflow", "outflow"], boundaries__y=["wall", "slip"],
                 boundaries__thermal_y=["isothermal", "adiabatic"], boundaries__wall_temperature=[0.5, 0, 3, 0, 0, 0],
                 **thermal(diffusivity=0.04, heat_source=0.7, reference_temperature=0.25))
    s = outputs.series(folder)
    t, mean, variance = s["t"], s["mean_temperature"], s["temperature_variance"]
    k = np.arange(20, len(t) - 1)
    rate = (mean[k + 1] - mean[k - 1]) / (t[k + 1] - t[k - 1])
    assert np.abs(rate / s["heating"][k] - 1).max() < 2e-4
    rate = (variance[k + 1] - variance[k - 1]) / (t[k + 1] - t[k - 1])
    both = s["temperature_production"][k] - s["temperature_dissipation"][k]
    assert np.abs(rate - both).max() < 3e-4 * np.abs(both).max()
    assert s["solid_heat"][-1] > 0


# ---- convection ----

def growth(run, rayleigh, n, prandtl=1.0, slip=False, wavelength=2.0162):
    """Growth rate of the first roll of a layer, in units of kappa/d^2."""
    side = "slip" if slip else "wall"
    folder = run("rest", (n, 1, n), 1.5, length=(wavelength, 1, 1), viscosity=prandtl, time="dt = 0.005", solver__tolerance=1e-11,
                 initial__temperature=f"1 - z + 1e-5*sin(pi*z)*cos(2*pi*x/{wavelength})", output__series_interval=0.25,
                 solver__diffusion="implicit", **thermal(diffusivity=1, thermal_expansion=1, gravity=[0, 0, -rayleigh * prandtl]),
                 **ends("z", side, side), **held("z", 1, 0))
    s = outputs.series(folder)
    return math.log(s["energy"][-1] / s["energy"][-3]) / (s["t"][-1] - s["t"][-3]) / 2


def critical(run, low, high, n, **more):
    """The Rayleigh number at which the rates on both sides go through 0."""
    a, b = growth(run, low, n, **more), growth(run, high, n, **more)
    assert a < 0 < b
    return low - a * (high - low) / (b - a)


def test_convection_sets_in_at_the_critical_rayleigh_number(run):
    """Rigid walls: 1707.762 at wavenumber 3.1163. The mesh's own value nears it with order two."""
    found = [critical(run, 1640, 1760, n) for n in (16, 32)]
    errors = [value / 1707.762 - 1 for value in found]
    assert abs(errors[1]) < 0.005, errors
    assert 1.8 < math.log2(errors[0] / errors[1]) < 2.2, errors
    limit = (4 * found[1] - found[0]) / 3
    assert limit == pytest.approx(1707.762, rel=5e-4)
    record("staggered-onset-rigid", abs(limit / 1707.762 - 1), limit)


def test_between_slip_walls_convection_sets_in_at_657(run):
    """Free walls: 27 pi^4/4 at wavenumber pi/sqrt 2."""
    found = [critical(run, 630, 680, n, slip=True, wavelength=2 * math.sqrt(2)) for n in (16, 32)]
    limit = (4 * found[1] - found[0]) / 3
    assert limit == pytest.approx(27 * math.pi**4 / 4, rel=5e-4)
    record("staggered-onset-free", abs(limit / (27 * math.pi**4 / 4) - 1), limit)
    assert found[1] == pytest.approx(27 * math.pi**4 / 4, rel=0.005)


def peak(x, a):
    i = int(np.argmax(a))
    c = np.polyfit(x[i - 1:i + 2] - x[i], a[i - 1:i + 2], 2)
    return c[2] - c[1]**2 / (4 * c[0])


@pytest.mark.limit(300)
@pytest.mark.parametrize("rayleigh, end, nusselt, u_max, v_max", [(1e3, 40, 1.1178, 3.649, 3.697), (1e4, 100, 2.2448, 16.184, 19.63)])
def test_the_heated_cavity_has_the_heat_flux_and_velocities_of_de_vahl_davis(ready, rayleigh, end, nusselt, u_max, v_max):
    """The ready case with fewer cells: Nu 1.118, 2.245, and the largest velocities on the lines through the middle. Ra 1e5, 1e6:
    tests/long."""
    n, kappa = 40, 1 / math.sqrt(0.71 * rayleigh)
    folder = ready("heated-cavity", grid__n=[n, n, 1], equations__viscosity=0.71 * kappa, equations__diffusivity=kappa, time__end=end,
                   output__fields_interval=end, output__slices=[])
    s, f = outputs.series(folder), fields(folder)
    u, v = (f["u"][0][:, n // 2 - 1] + f["u"][0][:, n // 2]) / 2, (f["v"][0][n // 2 - 1] + f["v"][0][n // 2]) / 2
    assert s["nusselt_lower"][-1] == pytest.approx(s["nusselt_lower"][-6], rel=1e-4), "not steady"
    for column in ("nusselt_lower", "nusselt_upper", "nusselt_volume"):
        assert s[column][-1] == pytest.approx(nusselt, rel=0.005), column
    record(f"staggered-heated-cavity-{rayleigh:g}", abs(s["nusselt_volume"][-1] / nusselt - 1), s["nusselt_volume"][-1])
    assert peak(f["y"], u) == pytest.approx(u_max * kappa, rel=0.01)
    assert peak(f["x"], v) == pytest.approx(v_max * kappa, rel=0.01)
    # eps_T = Nu kappa, exact for the steady state
    assert s["temperature_dissipation"][-1] / kappa == pytest.approx(s["nusselt_volume"][-1], rel=2e-3)


@pytest.mark.limit(300)
def test_rolls_carry_the_heat_of_clever_and_busse(run):
    """Two-dimensional rolls of wavenumber 3.117, Pr = 0.71: Nu 2.116 at Ra 5000 (1974, J. Fluid Mech. 65, 625)."""
    kappa = 1 / math.sqrt(0.71 * 5000)
    folder = run("rest", (48, 1, 40), 60, length=(2.0158, 1, 1), viscosity=0.71 * kappa, time="dt_max = 0.05",
                 initial__temperature="1 - z + 0.1*sin(pi*z)*cos(2*pi*x/2.0158)", output__series_interval=5,
                 **thermal(diffusivity=kappa, thermal_expansion=1, reference_temperature=0.5), **ends("z", "wall", "wall"), **held("z", 1, 0))
    s = outputs.series(folder)
    for column in ("nusselt_lower", "nusselt_upper", "nusselt_volume"):
        assert s[column][-1] == pytest.approx(2.116, rel=0.005), column
        assert s[column][-1] == pytest.approx(s[column][-2], rel=1e-5)
    record("staggered-rolls", abs(s["nusselt_volume"][-1] / 2.116 - 1), s["nusselt_volume"][-1])


@pytest.mark.limit(300)
def test_the_layer_of_the_ready_case_convects(ready):
    """On a quarter of its cells and for a short time: the fluxes' identities hold to what the mean of some 30 times of free fall allows."""
    s = outputs.series(ready("rayleigh-benard", grid__n=[32, 32, 16], time__end=80, output__slices=[], output__fields_interval=80, ranks=2))
    late, kappa = s["t"] > 40, 0.00377964473
    numbers = [s[column][late].mean() for column in ("nusselt_lower", "nusselt_upper", "nusselt_volume")]
    numbers += [s["temperature_dissipation"][late].mean() / kappa, 1 + s["dissipation"][late].mean() / kappa]
    assert np.ptp(numbers) < 0.05 * np.mean(numbers), numbers
    assert np.mean(numbers) == pytest.approx(4.3, rel=0.1)
    # the energy of the flow is what buoyancy gave, less what viscosity took
    took = np.trapezoid(s["dissipation"], s["t"]) if hasattr(np, "trapezoid") else np.trapz(s["dissipation"], s["t"])
    assert s["energy"][0] + s["work_done"][-1] - took == pytest.approx(s["energy"][-1], rel=0.02)


# ---- solids ----

def test_heat_flows_from_held_solids_to_walls_along_a_straight_line(run):
    """A slab of 3 cells at 2 between walls at 0 and 1 across y; the gaps conduct on their own."""
    folder = run("rest", (4, 12, 3), 6, length=(1, 1.2, 1), time="dt = 0.01", solids__kind="boxes", solids__boxes=[0, 4, 0, 4, 3, 3],
                 solids__thermal="isothermal", solids__temperature=2, output__series_interval=6, solver__tolerance=1e-12,
                 **thermal(diffusivity=0.5), **ends("y", "wall", "wall"), **held("y", 0, 1))
    y = (np.arange(12) + 0.5) / 10
    exact = np.where(y < 0.4, 5 * y, np.where(y < 0.7, 2, 2 - 2 * (y - 0.7)))
    assert np.abs(temperature(folder) - exact[:, None]).max() < 1e-9
    s = outputs.series(folder)
    assert s["solid_heat"][-1] == pytest.approx(0.5 * (5 + 2), rel=1e-9)
    assert s["wall_heat_flux"][-1] == pytest.approx(-0.5 * (5 + 2) / 2, rel=1e-9)


def test_released_solids_are_fluid_of_their_temperature(run):
    folder = run("rest", (6, 6, 6), 0.02, time="dt = 0.01", solids__kind="boxes", solids__boxes=[1, 1, 1, 2, 2, 2],
                 solids__release=0.01, solids__temperature=5, viscosity=0, output__series_interval=0.01, **thermal())
    mean = outputs.series(folder)["mean_temperature"]
    assert mean[0] == 0 and mean[-1] == pytest.approx(5 * 8 / 216, rel=1e-12)


# ---- runs ----

LAYER = dict(length=(2, 1, 1), viscosity=0.02, initial__temperature="1 - z + 0.1*sin(3*x)*cos(2*pi*y)*z*(1 - z)",
             solver__tolerance=1e-12, output__series_interval=0.05,
             **thermal(diffusivity=0.03, thermal_expansion=1, gravity=[0, 0, -4]), **ends("z", "wall", "wall"), **held("z", 1, 0))


@pytest.mark.parametrize("diffusion", ["explicit", "implicit"])
def test_no_number_of_ranks_or_threads_changes_the_answer(run, diffusion):
    one = run("random", (12, 10, 8), 0.1, solver__diffusion=diffusion, **LAYER)
    for ranks, threads in ((3, 1), (2, 2)):
        other = run("random", (12, 10, 8), 0.1, solver__diffusion=diffusion, ranks=ranks, threads=threads, **LAYER)
        assert np.abs(temperature(one) - temperature(other)).max() < 1e-10
        assert np.abs(state(one) - state(other)).max() < 1e-9 * np.abs(state(one)).max()


def test_single_precision_is_near_double(run):
    both = [temperature(run("random", (12, 10, 8), 0.1, precision=precision,
                            **{**LAYER, "solver__tolerance": 1e-5, "solver__diffusion": "implicit"})) for precision in ("double", "single")]
    assert 0 < np.abs(both[0] - both[1]).max() < 1e-4


@pytest.mark.parametrize("diffusion", ["explicit", "implicit"])
def test_restart_on_other_ranks_continues_bit_for_bit(run, diffusion):
    keys = dict(solver__diffusion=diffusion, parallel__reproducible=True, time="dt = 0.005", **LAYER)
    whole = run("random", (12, 10, 8), 0.1, **keys)
    half = run("random", (12, 10, 8), 0.1, time__max_steps=9, ranks=2, **keys)
    run("random", (12, 10, 8), 0.1, folder=half, ranks=3, time__max_steps=0, **keys)
    assert temperature(whole).tobytes() == temperature(half).tobytes()
    assert state(whole).tobytes() == state(half).tobytes()
    assert outputs.rows(whole)[-1] == outputs.rows(half)[-1]


def test_probes_fields_and_slices_show_the_temperature(run):
    places = ["[0.3, 0.2, 0]", "[0.3, 0.2, 0.37]", "[1.9, 0.7, 1]"]
    keys = {**LAYER, "initial__temperature": "1 - z"}
    folder = run("rest", (12, 10, 8), 0.05, output__probes=places, output__probes_interval=0.05, output__fields_interval=0.05,
                 output__slices_interval=0.05, output__slices=["y=0.5: temperature"], **keys)
    with h5py.File(sorted((folder / "fields").glob("*.h5"))[-1]) as f:
        t, z = f["temperature"][:], f["z"][:]
    assert np.abs(t - (1 - z)[:, None, None]).max() < 1e-12
    lines = [line for line in (folder / "probes.csv").read_text().splitlines() if not line.startswith("#")]
    header, last = lines[0].split(","), lines[-1].split(",")
    found = [float(last[i]) for i, name in enumerate(header) if "temperature" in name]
    assert np.allclose(found, [1, 0.63, 0], atol=1e-12)
    assert any((folder / "slices").iterdir())


@pytest.mark.parametrize("ranks", [1, 2])
def test_profiles_and_means_have_the_temperature_and_its_fluxes(run, ranks):
    """Of one step: plane means of the fields themselves, by numpy."""
    folder = run("random", (12, 10, 8), 0.01, ranks=ranks, time="dt = 0.01", profiles__every=1, output__spectra_interval=0.01,
                 output__fields_interval=0.01, output__faces=True, output__means=["profiles z", "moments", "pdfs"],
                 output__means_interval=0.01, output__means_from=0.005, **LAYER)
    with h5py.File(sorted((folder / "fields").glob("*.h5"))[-1]) as f:
        t, w = f["temperature"][:], f["w_face"][:]
        centre = {name: f[name][:] for name in "uvw"}
    rows = [line for line in (folder / "profiles.csv").read_text().splitlines() if not line.startswith("#")]
    table = dict(zip(rows[0].split(","), np.array([[float(x) for x in row.split(",")] for row in rows[1:]]).T))
    mean = t.mean(axis=(1, 2))
    assert np.allclose(table["T"], mean, atol=1e-13)
    assert np.allclose(table["TT"], (t**2).mean(axis=(1, 2)) - mean**2, atol=1e-13)
    # through the upper face of a plane goes what goes through the lower one of the next; nothing through the walls
    through = np.zeros((9, 10, 12))
    through[1:8] = w[1:] * (t[1:] + t[:-1]) / 2
    flux = ((through[1:] + through[:-1]) / 2).mean(axis=(1, 2)) - centre["w"].mean(axis=(1, 2)) * mean
    assert np.allclose(table["wT"], flux, atol=1e-12)
    with h5py.File(folder / "means.h5") as f:
        names = []
        f.visit(names.append)
        assert any("mean_temperature_z" in name for name in names) and any("cov_w_temperature_z" in name for name in names)
        assert any("temperature_moments" in name for name in names) and any("temperature_pdf" in name for name in names)


def test_a_field_of_a_file_starts_with_its_temperature(run, tmp_path):
    first = run("rest", (12, 10, 8), 0.05, output__fields_interval=0.05, **LAYER)
    path = sorted((first / "fields").glob("*.h5"))[0]
    keys = {key: value for key, value in LAYER.items() if key != "initial__temperature"}
    second = run("file", (12, 10, 8), 0.01, initial__file=str(path), output__fields_interval=0.01, **keys)
    with h5py.File(path) as a, h5py.File(sorted((second / "fields").glob("*.h5"))[0]) as b:
        assert np.array_equal(a["temperature"][:], b["temperature"][:])


def test_python_drives_a_heated_flow(package, launcher, tmp_path):
    script = tmp_path / "drive.py"
    case = dict(equations=dict(solver="staggered", viscosity=0.02, temperature=True, diffusivity=0.02, thermal_expansion=1),
                grid=dict(n=[8, 1, 8], length=[2, 1, 1]), initial=dict(kind="rest", temperature="1 - z"), time=dict(end=0.1, dt=0.02),
                boundaries=dict(z=["wall", "wall"], thermal_z=["isothermal", "isothermal"], wall_temperature=[0, 0, 0, 0, 1, 0]),
                output=dict(report=False))
    script.write_text(f"import triad\nflow = triad.Flow({case!r}, dir='my-run')\nflow.advance()\n"
                      "print(flow.numbers()['nusselt_lower'], flow.state['temperature'].mean())\nflow.close()\n")
    done = subprocess.run([sys.executable, script], cwd=tmp_path, env=launcher.environment(1, {"PYTHONPATH": str(package)}), timeout=100,
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert np.allclose([float(word) for word in done.stdout.split()[-2:]], [1, 0.5], atol=1e-10), done.stdout


def test_without_temperature_there_is_no_trace_of_it(run):
    folder = run("rest", (6, 6, 6), 0.02)
    assert not [name for name in outputs.series(folder) if "temperature" in name or "nusselt" in name or "heat" in name]
    with h5py.File(outputs.checkpoints(folder)[-1] / "points.h5") as f:
        assert "temperature" not in f


def test_a_slice_of_a_temperature_that_there_is_not_is_refused(run):
    result = run("rest", (6, 6, 6), 0.02, expect=65, output__slices=["z=0: u", "y=1: temperature"])
    assert "value 2 of 2 shows the temperature, which requires equations.temperature = true" in result.stderr


@pytest.mark.parametrize("keys, words", [
    (dict(strain__rates=[1, -1, 0], strain__end=1), "equations.temperature is not available with strain.rates"),
    (dict(boundaries__z=["wall", "wall"], equations__temperature_gradient=[0, 0, 1]),
     "equations.temperature_gradient has a component along z, where the box is not periodic")])
def test_cases_that_cannot_be_are_refused(run, keys, words):
    result = run("rest", (6, 6, 6), 0.02, expect=65, **thermal(), **keys)
    assert words in result.stderr


def test_a_temperature_that_is_not_finite_ends_the_run(run):
    result = run("rest", (6, 6, 6), 4, expect=80, time="dt = 2", viscosity=0, **thermal(heat_source=1.7e308))
    assert "the temperature is no longer finite" in result.stderr
