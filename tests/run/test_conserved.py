"""What the equations conserve is conserved, or a run says that it is not and ends: each set of equations, restarts, ranks."""

import math
import re

import numpy as np
import pytest

from conftest import ROOT
from outputs import rows, series, sets

WAVES = ROOT / "runs/gpe-waves/case.toml"
QUIET = sets(output__report=False, output__fields_interval=0.0, output__slices_interval=0.0, output__spectra_interval=0.0,
             output__series_interval=0.0)
CASE = """[equations]
solver = "{0}"
{1}
[grid]
n = [12, 12, 12]
[initial]
kind = "random"
[time]
end = 1000.0
max_steps = 40
"""
SCHEMES = {"hd": ("energy", "helicity"), "boussinesq": ("energy",), "mhd": ("energy", "cross_helicity", "magnetic_helicity")}


@pytest.fixture
def run(mpirun, triad):
    def start(case, folder, *arguments, ranks=1, expect=0):
        return mpirun(ranks, triad, "run", case, "--dir", folder, *QUIET, *arguments, timeout=60, expect=expect)
    return start


def gpe_bound():
    """alpha k^2 dt + 2 atan(mu dt) = pi: beyond it the product of the two halves of a step, linear about a uniform fluid, has an
    eigenvalue outside the unit circle. Its trace is 2 cos(theta) - 2 mu dt sin(theta), its determinant 1."""
    alpha, mu, k = 0.2 / math.sqrt(2), 1 / (0.2 * math.sqrt(2)), 21  # 64 points keep 21 wavenumbers, 8 points keep 2
    low, high = 0.0, 1.0
    while high - low > 1e-12:
        dt = (low + high) / 2
        theta = np.linspace(0, alpha * k * k * dt, 20001)[1:]
        stable = abs(np.cos(theta) - mu * dt * np.sin(theta)).max() <= 1 + 1e-12
        low, high = (dt, high) if stable else (low, dt)
    return low


def stable_step(text):
    return float(re.search(r"exceeds the stability limit of the scheme, here (\S+):", text)[1])


@pytest.mark.parametrize("scheme", ["split2", "rk2", "rk4"])
def test_fixed_step_in_resonance_with_waves_of_a_superfluid_is_a_warning(run, rundir, scheme):
    bound = gpe_bound()
    for factor, count in ((0.999, 0), (1.03, 1)):
        said = run(WAVES, rundir / str(factor), *sets(time__scheme=scheme, time__dt=factor * bound, time__max_steps=3))
        assert said.stderr.count("exceeds the stability limit of the scheme") == count
    assert abs(stable_step(said.stderr) / bound - 1) < 2e-3  # it is printed to three digits


def test_courant_number_makes_no_step_of_a_superfluid_longer_than_is_stable(run, rundir):
    set_ = ["--set", "time.dt=0", *sets(time__scheme="split2", time__cfl=20.0, time__max_steps=3)]
    said = run(WAVES, rundir, *set_)
    assert "longer than" not in said.stderr
    assert abs(series(rundir)["dt"][1] / gpe_bound() - 1) < 1e-4
    assert "dt is limited by resonance" in (rundir / "log.txt").read_text()


@pytest.mark.parametrize("ranks", [1, 3])
def test_splitting_with_a_long_step_ends_before_it_has_lost_its_energy(run, rundir, ranks):
    """The energy of a sound wave of amplitude 2e-4 is 4e-8 of the whole, so that a part of the whole would not show its loss."""
    said = run(WAVES, rundir, *sets(time__scheme="split2", time__dt=0.1, time__end=60.0), ranks=ranks, expect=80)
    assert said.stderr.count("warning: energy has drifted by") == 1 and "error: energy has drifted by" in said.stderr
    assert "time.dt" in said.stderr and "not finite" not in said.stderr
    s = series(rundir)
    excess = s["energy"] - 0.5 * s["mass"]**2   # alpha beta = c^2/2
    drift = abs(s["energy"] - s["energy"][0]) / np.maximum(excess, excess[0])
    assert drift[-1] > 0.1 > drift[:-1].max()
    assert not list((rundir / "checkpoints").glob("step-*")), "nothing is kept of a state that is lost"


def test_limit_of_zero_leaves_the_warning_alone(run, rundir):
    said = run(WAVES, rundir, *sets(time__scheme="split2", time__dt=0.1, time__end=9.0, time__drift_limit=0.0))
    assert said.stderr.count("energy has drifted by") == 1


def test_limit_holds_over_restarts(run, rundir):
    """Each start loses less than the limit; all of them together lose more, at the step where an unbroken run ends."""
    hd = rundir / "hd.toml"
    rundir.mkdir(parents=True, exist_ok=True)
    hd.write_text(CASE.format("hd", ""))
    long = sets(time__dt=0.12, time__scheme="rk3", time__max_steps=0, initial__seed=3, time__drift_limit=0.05)
    run(hd, rundir / "whole", *long, expect=80)
    whole = series(rundir / "whole")
    last = int(whole["step"][-1])
    assert last > 8
    for stop in range(last // 4, last, last // 4):
        run(hd, rundir / "parts", *long, *sets(time__max_steps=stop))
    run(hd, rundir / "parts", *long, expect=80)
    assert rows(rundir / "parts") == rows(rundir / "whole")


def test_other_equations_are_compared_with_their_own_first_row(run, rundir):
    """The energy of the same psi is another one with another speed of sound."""
    short = sets(time__end=0.1)
    run(WAVES, rundir, *short)
    said = run(WAVES, rundir, *sets(time__end=0.2, equations__sound_speed=1.5))
    assert "drifted" not in said.stderr
    energy = series(rundir)["energy"]
    assert abs(energy[-1] / energy[0] - 1) > 0.5


@pytest.mark.parametrize("solver,column", [(s, c) for s, columns in SCHEMES.items() for c in columns])
def test_every_ideal_set_is_compared(run, rundir, solver, column):
    """With a limit near rounding the errors of rk2 end the run; each of the columns has its turn, by the size of its error."""
    rundir.mkdir(parents=True, exist_ok=True)
    case = rundir / "case.toml"
    case.write_text(CASE.format(solver, "buoyancy_frequency = 1.0" if solver == "boussinesq" else ""))
    more = sets(initial__helicity=0.5, time__scheme="rk2")
    said = run(case, rundir / "good", *more)
    s = series(rundir / "good")
    assert "drifted" not in said.stderr
    assert abs(s[column][-1] - s[column][0]) > 1e-12
    said = run(case, rundir / "limit", *more, *sets(time__drift_limit=1e-13), expect=80)
    assert re.search(r"error: \w+ has drifted", said.stderr)


@pytest.mark.parametrize("more", [sets(equations__viscosity=1e-2), sets(forcing__kind="random"), sets(equations__drag=0.1)])
def test_what_takes_or_gives_energy_is_no_drift(run, rundir, more):
    rundir.mkdir(parents=True, exist_ok=True)
    (rundir / "case.toml").write_text(CASE.format("hd", ""))
    assert "drifted" not in run(rundir / "case.toml", rundir / "run", *more, *sets(time__drift_limit=1e-12)).stderr


BLOCKS = [*sets(grid__n=[16, 8, 1], time__end=1.0, equations__model="laminar", equations__viscosity_law="constant",
                equations__viscosity=0.02, equations__gas_constant=1.0), "--set", "time.steady=false", "--set", "time.dt=0",
          "--set", 'time.scheme="rk3"', "--set", "time.cfl=0.4", "--set", "time.residual=0"]
BOXES = {
    "gas": ("isentropic-vortex", sets(grid__n=[24, 24, 1])),
    "gas between walls": ("isentropic-vortex", sets(grid__n=[24, 24, 1], initial__kind="uniform")
                          + ["--set", 'boundaries.x=["reflecting","reflecting"]', "--set", 'boundaries.y=["adiabatic","adiabatic"]',
                             "--set", 'boundaries.z=["periodic","periodic"]', "--set", "initial.kind=formula",
                             "--set", 'initial.rho="1+0.2*cos(x)"', "--set", 'initial.p="1+0.3*sin(y)"']),
    "mesh": ("sedov-tets", sets(grid__n=[6, 6, 6])),
    "mesh between walls": ("sedov-tets", [*sets(grid__n=[6, 6, 6], equations__viscosity=0.02, initial__kind="sod"), "--set",
                           'boundaries.patches=["xmin: noslip", "xmax: noslip, temperature=2", "ymin: noslip", "ymax: slip"]']),
    "blocks": ("supersonic-vortex", BLOCKS + ["--set", 'boundaries.patches=["*: wall", "inner: slip"]']),
    "blocks between walls that heat and move": (
        "supersonic-vortex", BLOCKS + ["--set", 'boundaries.patches=["*: wall, temperature=2", "inner: wall, w=0.1", "outflow: symmetry"]']),
    "staggered": ("staggered-vortices", sets(equations__viscosity=0.0, grid__n=[16, 16, 1])),
}


@pytest.mark.parametrize("name", BOXES)
@pytest.mark.parametrize("precision", ["double", "single"])
def test_closed_box_keeps_what_it_has_to_rounding(run, rundir, name, precision):
    """Fluxes leave one cell and enter another: a limit of 1e-6 (of 1e-3 for the steps of the staggered mesh) is never met."""
    case, more = BOXES[name]
    limit = 1e-3 if name == "staggered" else 1e-6
    said = run(ROOT / f"runs/{case}/case.toml", rundir, *more, *sets(precision=precision, time__max_steps=60, time__drift_limit=limit))
    assert "drifted" not in said.stderr
