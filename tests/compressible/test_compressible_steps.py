"""How long steps of a gas may be: all axes together, by the symbols of differences and schemes; and hybrid fluxes."""

import math

import h5py
import numpy as np
import pytest

from conftest import ROOT
from outputs import rows, series, sets

CASE = """[equations]
solver = "compressible"
weights = "linear"
[grid]
n = [%d, %d, %d]
[initial]
kind = "taylor-green"
mach = %g
[time]
end = 1.0
[output]
report = false
series_interval = 0
"""


def run(mpirun, triad, folder, n, mach, *more, ranks=1, expect=0):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "case.toml").write_text(CASE % (*n, mach))
    return mpirun(ranks, triad, "run", folder / "case.toml", "--dir", folder / "run", *more, expect=expect)


# 2.5127 15/(16 n): the wave that is shortest along all n axes, damped by the upwind differences of each
SHORTEST = 2.5127 * 15 / (16 * 3)


@pytest.mark.parametrize("weights", ["linear", "z"])
def test_the_shortest_wave_of_three_axes_sets_the_bound_at_low_mach_number(triad, mpirun, rundir, weights):
    """Beyond it by 4 % rounding grows by |P| = 1.19 a step: 1e-16 in some 250 steps. Within it nothing happens."""
    h = 2 * math.pi / 12
    for part, code in ((0.98, 0), (1.04, 80)):
        dt = part * SHORTEST * h * 0.01   # c = amplitude/mach = 100
        more = sets(time__dt=dt, time__end=600 * dt, equations__weights=weights, output__series_interval=100 * dt)
        done = run(mpirun, triad, rundir / f"{part}", (12, 12, 12), 0.01, *more, expect=code)
        assert ("exceeds the stability limit of the scheme" in done.stderr) == (code == 80)


def test_cfl_beyond_the_bound_of_all_axes_is_kept_within_it(triad, mpirun, rundir):
    run(mpirun, triad, rundir, (12, 12, 12), 0.01, *sets(time__cfl=0.95, time__max_steps=2), ranks=2)
    dt = series(rundir / "run")["dt"][1]
    # |u| is 1 at most, 1 % of c
    assert 0.97 * SHORTEST < dt * 100 / (2 * math.pi / 12) < SHORTEST


def test_one_axis_is_bound_by_its_own_symbol(triad, mpirun, rundir):
    """Of sound along x of a tube; and a cfl below it is what it was."""
    for cfl, expected in ((0.5, 0.5), (3.0, 0.98 * 1.434)):
        run(mpirun, triad, rundir / f"{cfl}", (64, 1, 1), 1, "--set", 'initial.kind="uniform"',
            "--set", "initial.state=[1, 0, 0, 0, 1]", *sets(time__cfl=cfl, time__max_steps=2, time__end=9.0))
        dt = series(rundir / f"{cfl}" / "run")["dt"][1]
        assert dt * math.sqrt(1.4) / (2 * math.pi / 64) == pytest.approx(expected, rel=1e-9)


# ---- hybrid fluxes ----

def test_hybrid_fluxes_of_eddies_at_low_mach_number_are_the_central_ones(triad, mpirun, rundir):
    """Nothing there counts as a shock, so the dissipation is that of `central`, within 1 % of hd's (test_compressible_flows.py)."""
    more = sets(time__max_steps=30, equations__viscosity=0.0025, time__cfl=0.8, equations__weights="z")
    run(mpirun, triad, rundir / "hybrid", (24, 24, 24), 0.1, *more, *sets(equations__flux="hybrid"), ranks=2)
    central = [word for word in more if "weights" not in word]
    central.pop()   # its --set
    (rundir / "central").mkdir()
    (rundir / "central/case.toml").write_text((CASE % (24, 24, 24, 0.1)).replace('weights = "linear"', 'flux = "central"'))
    mpirun(1, triad, "run", rundir / "central/case.toml", "--dir", rundir / "central/run", *central, expect=0)
    assert rows(rundir / "hybrid/run") == rows(rundir / "central/run")


def density(folder):
    with h5py.File(sorted((folder / "run/fields").glob("*.h5"))[-1]) as f:
        return f["rho"][0, 0]


def test_shu_osher_by_hybrid_fluxes_is_no_worse_than_by_weno(triad, mpirun, rundir):
    """L1 of the density against ten times as many points."""
    def tube(name, n, *more):
        (rundir / name).mkdir(parents=True)
        mpirun(1, triad, "run", ROOT / "runs/shu-osher/case.toml", "--dir", rundir / name / "run",
               *sets(grid__n=[n, 1, 1], time__dt=1.0 / n, output__report=False, output__slices_interval=0), *more, expect=0)
        return density(rundir / name)
    fine = tube("fine", 1400).reshape(200, 7)[:, 3]   # the middle one of seven cells lies where a cell of 200 does
    error = {flux: abs(tube(flux, 200, *sets(equations__flux=flux)) - fine).mean() for flux in ("weno", "hybrid")}
    assert error["hybrid"] <= error["weno"], error
    assert error["weno"] < 0.06   # 0.49 over a length of 10 (docs/methods/compressible.md), of a reference of 4000 points


def test_hybrid_fluxes_prefer_no_axis(triad, mpirun, rundir):
    """Eddies and waves near Mach 1, some of whose cells count as shocked; the same with x, y, z called y, z, x."""
    random, n = np.random.default_rng(7), 16
    x = np.arange(n) * 2 * np.pi / n
    wave = lambda: sum(random.normal() * np.cos(a * x[None, None, :] + b * x[None, :, None] + c * x[:, None, None] + random.uniform(0, 7))
                       for a, b, c in random.integers(-2, 3, (12, 3)))
    flow = {name: 0.2 * wave() for name in ("u", "v", "w")} | {"rho": 1 + 0.02 * wave(), "p": (1 + 0.02 * wave()) / 1.4}

    def end(name, fields, flux):
        folder = rundir / name
        folder.mkdir(parents=True)
        with h5py.File(folder / "start.h5", "w") as f:
            for field, values in fields.items():
                f[field] = values
        (folder / "case.toml").write_text((CASE % (n, n, n, 1)).replace('weights = "linear"', "" if flux == "central" else 'weights = "z"'))
        mpirun(1, triad, "run", folder / "case.toml", "--dir", folder / "run", "--set", 'initial.kind="file"',
               *sets(initial__file="start.h5", equations__flux=flux, time__dt=0.01, time__max_steps=6, output__fields_interval=1.0),
               expect=0)
        with h5py.File(sorted((folder / "run/fields").glob("*.h5"))[-1]) as f:
            return {field: f[field][:] for field in flow}

    def turned(fields):   # [z, y, x] with x' = y, y' = z, z' = x
        return {new: np.transpose(fields[old], (2, 0, 1)) for new, old in
                (("u", "v"), ("v", "w"), ("w", "u"), ("rho", "rho"), ("p", "p"))}

    plain, once = end("plain", flow, "hybrid"), end("once", turned(flow), "hybrid")
    twice = end("twice", turned(turned(flow)), "hybrid")
    for field in flow:
        for got, want in ((once, turned(plain)), (twice, turned(turned(plain)))):
            # sums over axes come in another order: rounding, and no more
            np.testing.assert_allclose(got[field], want[field], rtol=0, atol=1e-12)
    for flux in ("central", "weno"):
        assert abs(end(flux, flow, flux)["u"] - plain["u"]).max() > 1e-6, f"all faces are of {flux} fluxes"


def test_a_blast_by_hybrid_fluxes_keeps_mass_and_energy_on_any_ranks(triad, mpirun, rundir):
    states = []
    for ranks in (1, 2):
        run(mpirun, triad, rundir / f"{ranks}", (24, 20, 16), 1, "--set", 'initial.kind="blast"',
            *sets(initial__pressure_ratio=10.0, initial__radius=1.0, equations__flux="hybrid", equations__weights="z",
                  equations__reconstruction="characteristic",
                  time__max_steps=40, time__cfl=0.4, output__fields_interval=1.0), ranks=ranks)
        s = series(rundir / f"{ranks}" / "run")
        # 40 steps of three stages, each rounding a sum of a few thousand terms
        assert abs(s["mass_drift"]).max() < 1e-13 and abs(s["energy_drift"]).max() < 1e-13
        assert s["mach_max"][-1] > 0.3 and s["density_max"][-1] > 1.2, "there is a shock"
        with h5py.File(sorted((rundir / f"{ranks}" / "run/fields").glob("*.h5"))[-1]) as f:
            states.append([f[name][:].tobytes() for name in ("rho", "u", "p")])
    assert states[0] == states[1]


# ---- the wave that is shortest along all axes, by WENO's own weights ----

def damping(weights, a, eps=1e-6):
    """The factor v of a wave q_j = a (-1)^j whose upwind difference is 2 v q/h: the edge above a cell is v a. Parabolas of (-1)^j
    have edges 10/3, 2/3, -2/3 and the smoothness 100/3, 52/3, 100/3, for which tau = 0: z and teno are linear there."""
    c, edge, b = np.array([0.1, 0.6, 0.3]), np.array([10, 2, -2]) / 3, np.array([100, 52, 100]) / 3 * a**2
    w = c if weights in ("linear", "z", "teno") else c / (b + eps)**2
    w = w / w.sum()
    if weights == "m":
        w = w * (c + c**2 - 3 * c * w + w**2) / (c**2 + w * (1 - 2 * c))
        w = w / w.sum()
    return w @ edge


def steps_of(weights, a, z, n):
    """Amplitudes of sound of that wave on three axes in n steps of ssprk3, z = c dt/h; weights see the energy, p/(gamma - 1)."""
    def rate(a):
        return -3 * 2 * damping(weights, a / 0.4) * a
    out = []
    for _ in range(n):
        one = a + z * rate(a)
        two = 3 / 4 * a + 1 / 4 * (one + z * rate(one))
        a = a / 3 + 2 / 3 * (two + z * rate(two))
        out.append(a)
    return out


@pytest.mark.parametrize("weights, amplitude, cfl, grows", [
    ("z", 1e-3, 0.77, False), ("z", 1e-3, 0.80, True), ("teno", 1e-3, 0.77, False), ("js", 1e-7, 0.77, False),
    ("js", 1e-3, 0.77, True), ("js", 1e-3, 0.66, False), ("m", 1e-3, 0.77, True), ("m", 1e-3, 0.70, False)])
def test_the_shortest_wave_grows_and_decays_as_its_weights_say(triad, mpirun, rundir, weights, amplitude, cfl, grows):
    """Bounds of c dt/h, 2.5127/(6 v): 0.785 where weights are linear, as those of z and teno are for this wave of any height; 0.680 of js,
    0.719 of m, once it stands out of eps = 1e-6: noise grows then that is steeper than the flow."""
    n, sign = 8, (-1.0)**np.indices((8, 8, 8)).sum(0)
    p, rundir = (1 + 1.4 * amplitude * sign) / 1.4, rundir / "run"
    rundir.parent.mkdir(parents=True)
    with h5py.File(rundir.parent / "wave.h5", "w") as f:
        for name, value in (("rho", (1.4 * p)**(1 / 1.4)), ("u", 0 * p), ("v", 0 * p), ("w", 0 * p), ("p", p)):
            f[name] = value
    (rundir.parent / "case.toml").write_text((CASE % (n, n, n, 1)).replace('kind = "taylor-green"\nmach = 1',
                                                                         'kind = "file"\nfile = "%s"' % (rundir.parent / "wave.h5")))
    mpirun(1, triad, "run", rundir.parent / "case.toml", "--dir", rundir, "--set", "grid.length=[8,8,8]",
           *sets(time__dt=cfl, time__end=4 * cfl * (1 - 1e-9), equations__weights=weights, equations__reconstruction="components", output__fields_interval=cfl / 2), expect=0)
    seen = []
    for path in sorted((rundir / "fields").glob("*.h5"))[1:5]:
        with h5py.File(path) as f:
            seen.append((f["p"][:] * sign).mean())
    expected = steps_of(weights, amplitude, cfl, 4)
    # of second order in the amplitude, relative to it: the wave is not isentropic sound at first order alone
    np.testing.assert_allclose(seen, expected, rtol=20 * amplitude + 1e-7)
    assert (abs(seen[3]) > abs(seen[2]) > abs(seen[1])) == grows


# ---- noise: what weights of rough fields bear ----

def edges_of(weights, q, axis, side, eps=1e-6):
    """Values at the upper (side = 1) or lower edges of cells, docs/methods/compressible.md eq. 29 to 33."""
    a, b, c, d, e = (np.roll(q, -k * side, axis) for k in (-2, -1, 0, 1, 2))
    parabola = ((2 * a - 7 * b + 11 * c) / 6, (-b + 5 * c + 2 * d) / 6, (2 * c + 5 * d - e) / 6)
    rough = np.array([13 / 12 * (a - 2 * b + c)**2 + (a - 4 * b + 3 * c)**2 / 4, 13 / 12 * (b - 2 * c + d)**2 + (b - d)**2 / 4,
                      13 / 12 * (c - 2 * d + e)**2 + (3 * c - 4 * d + e)**2 / 4])
    ideal, tau = np.array([0.1, 0.6, 0.3]).reshape(3, 1, 1, 1), abs(rough[0] - rough[2])
    if weights == "teno":
        g = (1 + tau / (rough + 1e-20))**6
        w = ideal * (g >= 1e-5 * g.sum(0))
    else:
        w = ideal * (1 + (tau / (rough + eps))**2) if weights == "z" else ideal / (rough + eps)**2
    return (w / w.sum(0) * parabola).sum(0)


def noise_after(weights, z, steps):
    """The largest value of noise of height 1 on three axes that upwind differences of each damp, z = c dt/h, by ssprk3."""
    def rate(q):
        total = 0
        for axis in range(3):
            upper = (edges_of(weights, q, axis, 1) - np.roll(edges_of(weights, q, axis, -1), -1, axis)) / 2
            total = total + np.roll(upper, 1, axis) - upper
        return total
    q = np.random.default_rng(0).uniform(-1, 1, (10, 10, 10))
    for _ in range(steps):
        one = q + z * rate(q)
        two = 3 / 4 * q + 1 / 4 * (one + z * rate(one))
        q = q / 3 + 2 / 3 * (two + z * rate(two))
        if not abs(q).max() < 1e3:
            break
    return abs(q).max()


@pytest.mark.parametrize("weights, bears, not_more", [("z", 0.62, 0.71), ("js", 0.56, 0.62), ("teno", 0.77, 0.81)])
def test_noise_grows_beyond_the_bound_of_its_weights(triad, mpirun, rundir, weights, bears, not_more):
    """By the differences alone (numpy), and the program, of sound of a hundredth: from 0.65 on with z, 0.58 with js; with teno from
    0.785, as linear ones. This is what blew up Taylor-Green's vortex at Mach 0.1, cfl 0.8, once it was rough."""
    assert noise_after(weights, bears, 150) < 1 and noise_after(weights, not_more, 150) > 30
    sound = 1 + 0.01 * np.random.default_rng(0).uniform(-1, 1, (10, 10, 10))
    rundir.mkdir(parents=True, exist_ok=True)
    with h5py.File(rundir / "noise.h5", "w") as f:
        for name, value in (("rho", sound), ("u", 0 * sound), ("v", 0 * sound), ("w", 0 * sound), ("p", sound**1.4 / 1.4)):
            f[name] = value
    case = (CASE % (10, 10, 10, 1)).replace('kind = "taylor-green"\nmach = 1', 'kind = "file"\nfile = "%s"' % (rundir / "noise.h5"))
    (rundir / "case.toml").write_text(case)
    for z, code in ((bears, 0), (not_more, 80)):
        mpirun(1, triad, "run", rundir / "case.toml", "--dir", rundir / f"run{code}", "--set", "grid.length=[10,10,10]",
               *sets(time__dt=z, time__end=300 * z, equations__weights=weights, output__series_interval=10), expect=code)
