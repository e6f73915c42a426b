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
        assert ("longer than the scheme is stable for" in done.stderr) == (code == 80)


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
    """Nothing there counts as a shock, so the dissipation is that of `central`, within 1 % of hd's (test_compressible.py)."""
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
    assert error["weno"] < 0.06   # 0.49 over a length of 10 (docs/numerics.md), of a reference of 4000 points


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
