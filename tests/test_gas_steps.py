"""How long steps of a gas may be: all axes together, by the symbols of differences and schemes; and hybrid fluxes."""

import math

import pytest

from outputs import series, sets

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
