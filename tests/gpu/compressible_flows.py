"""Gases on GPUs: against the CPU, on several ranks against one, from one device to the other, and where a state goes bad."""

import sys
from functools import cache, partial
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "help"))
import outputs
from restarts import in_parts
from schedule import FIRST, LAST, MORE, RARE, SANITIZER, Row

# Each case names the scheme it tests, so that it stays the same when a default changes. Between them all weights, variables,
# solvers at faces, laws of viscosity, boundaries and schemes; sides that no rank grid divides evenly.


def weno(flux="weno", weights="z", reconstruction="characteristic", riemann="roe", scheme="ssprk3"):
    return [f'equations.flux="{flux}"', f'equations.weights="{weights}"', f'equations.reconstruction="{reconstruction}"',
            f'equations.riemann="{riemann}"', f'time.scheme="{scheme}"']


def central(scheme="ssprk3"):
    return ['equations.flux="central"', f'time.scheme="{scheme}"']


TURBULENCE = ["equations.viscosity=5e-3", 'equations.viscosity_law="power"', 'initial.kind="turbulence"',
              "initial.amplitude=0.3", "initial.wavenumber=3", 'grid.length=["2pi","2pi","2pi"]', "time.cfl=0.6"]
BLAST = ['initial.kind="blast"', "initial.pressure_ratio=5", "initial.radius=0.3", "time.cfl=0.4",
         'boundaries.x=["extrapolate","reflecting"]', 'boundaries.y=["isothermal","adiabatic"]',
         'boundaries.z=["reflecting","extrapolate"]']
GASES = {
    "js": [*TURBULENCE, "grid.n=[40,37,34]", 'equations.compatibility="weno5-js-component"', 'time.scheme="ssprk3"'],
    "walls": [*BLAST, *weno(riemann="llf"), "grid.n=[38,35,33]", "equations.viscosity=2e-3",
              'equations.viscosity_law="sutherland"', "equations.positivity=true"],
    "stream": ['initial.kind="uniform"', "initial.state=[1,2.5,0.1,0,1]", "boundaries.inflow=[1.1,2.6,0,0.1,1.05]",
               'boundaries.x=["inflow","outflow"]', *weno(), "grid.n=[33,34,36]", "equations.viscosity=1e-2",
               'equations.viscosity_law="constant"', "time.cfl=0.4"],
    "teno rk4": [*TURBULENCE, *weno(weights="teno", reconstruction="components", riemann="rusanov", scheme="rk4"),
                 "grid.n=[36,33,40]"],
    "central rk4": [*TURBULENCE, *central("rk4"), "grid.n=[36,41,34]"],
    "mapped": [*TURBULENCE, *weno(weights="m"), "grid.n=[33,36,35]"],
    "central": [*TURBULENCE, *central(), "grid.n=[34,37,33]"],
    "forced": [*TURBULENCE, *weno(), "grid.n=[36,34,40]", 'forcing.kind="ornstein-uhlenbeck"', "forcing.k_range=[1,3]",
               "forcing.amplitude=0.5", "forcing.solenoidal=0.6", 'forcing.cooling="none"', 'sponge.rate="0.5*max(0, x - 3)"',
               'sponge.p="1/1.4"'],
    "driven": [*TURBULENCE, *weno(), "grid.n=[33,40,37]", 'forcing.kind="linear"', "forcing.rate=0.3",
               'forcing.cooling="internal-energy"'],
    "hybrid": [*BLAST, *weno("hybrid"), "grid.n=[40,34,37]", "equations.viscosity=1e-3", 'equations.viscosity_law="constant"'],
    "hybrid waves": [*TURBULENCE, *weno("hybrid", "teno"), "grid.n=[37,34,36]", "equations.positivity=true"],
    "wide": [*TURBULENCE, *weno(), "grid.n=[200,66,68]"],  # blocks with an interior to work at while halos travel
    "linear 2-D": ['initial.kind="isentropic-vortex"', *weno(weights="linear"), "grid.n=[70,45,1]", 'grid.length=[10,10,1]',
                   "time.cfl=0.5"],
}

# js runs on every number of ranks, wide on a third of them, others on one; those that are large not 200 steps on a CPU.
WHOLE, LARGE = ("js", "wide"), ("wide",)

# ranks, their grid ([0,0,0]: chosen), what carries their messages
RANKS = [(2, (0, 0, 0), "ipc"), (2, (2, 1, 1), "staged"), (3, (1, 3, 1), "ipc"), (3, (0, 0, 0), "staged"),
         (4, (2, 2, 1), "ipc"), (4, (1, 1, 4), "staged"), (4, (1, 2, 2), "auto"), (8, (2, 2, 2), "ipc"),
         (8, (0, 0, 0), "staged")]

# To be reached, after a step and after two hundred. In single precision the same in its own units of rounding, 2^29 times as
# large.
STEP, STEPS_200, SINGLE = 1e-13, 1e-11, 2.0**29

# A flow may amplify rounding beyond that. Z weights have tau = |b_2 - b_0| = 0 where the outer parabolas differ alike from the
# middle one, which is nearly straight: at the density's least value in the middle of "walls" a weight changes by some
# (difference of tau)/epsilon, and rounding grows tenfold a step for four steps, on a CPU too. So where a row goes beyond its
# limit, CPU runs whose gamma is the next number above and below, which rounds each stage otherwise, say how far rounding leads
# there, and devices may lie TWINS times as far apart. Six such CPU runs of "walls" (gamma, viscosity, pressure, Courant number)
# lay 3.6e-10 to 1.2e-9 apart, pair by pair, after 200 steps: 3.3 times between the nearest and the farthest pair.
TWINS, GAMMAS = 3.3, ("1.3999999999999997", "1.4000000000000001")

# TENO takes a parabola whole or leaves it out, by chi >= 1e-5 (weights_points.h), so that rounding near the cut makes a jump
# as high as the parabolas are apart: points that may do so, a share of all, are left out of its comparison in single
# precision. A smoothness of second differences of about 1/30 of the values, squared and to the sixth power, rounds
# relatively by 12 * 30 * 6e-8 = 2e-5; chi is spread over some ten powers of e about the cut, so each of the 90 decisions a
# cell and stage (axes, fields, sides, parabolas) falls otherwise with a probability of 2e-6; four stages and the five cells
# that a jump reaches make that 90 * 2e-6 * 4 * 5 = 0.004 of the cells. In double precision it is 1e-11: none. Over two hundred
# steps that is 0.8 of a jump a cell, each some 5e-4 high (as seen after one): 4e-4 if they add up as
# random numbers do, far below the limit of 5e-3 at all but a few cells, where jumps beget jumps.
#
# Hybrid fluxes jump where a cell's sensor is near its cut: rounding of 6e-8 in second differences of some hundredths of the
# values is 1e-5 of the sensor, which is spread over some powers of e: of the 3 decisions a cell and stage, each of which
# reaches 6 faces, 3e-5 fall otherwise; three stages and the four cells that a jump reaches make that 0.002.
JUMPS = {"teno rk4": 0.01, "hybrid": 0.01, "hybrid waves": 0.02}


def begin(check, keys, name, steps, device, *, ranks=1, precision="double", seconds=150, before=(), checkpoints=0.0):
    """One run of a gas; the Future of its folder or None, and its text."""
    keys = ['equations.solver="compressible"', *keys, f"time.max_steps={steps}", f'parallel.device="{device}"',
            f'precision="{precision}"', "time.end=1000", "parallel.threads=1", "output.series_interval=0",
            "output.spectra_interval=0", "output.fields_interval=0", f"output.checkpoint_interval={checkpoints}"]
    return check.begin(keys, name.replace(" ", "-"), ranks=ranks, before=before, seconds=seconds)


def points(folder):
    """The newest state of a run: {name: array}."""
    with h5py.File(outputs.checkpoints(folder)[-1] / "points.h5") as f:
        return {name: f[name][...].astype(float) for name in ("rho", "rho_u", "rho_v", "rho_w", "e")}


def difference(a, b, left_out=0.0):
    """The largest |a - b| of a field over its largest value, of momenta over the largest of all three; but for a share of
    the points, those where it is largest."""
    a, b = points(a), points(b)
    momentum = max(abs(b[name]).max() for name in ("rho_u", "rho_v", "rho_w"))
    worst = np.max([abs(a[n] - b[n]) / (momentum if n.startswith("rho_") else abs(b[n]).max()) for n in b], axis=0)
    return float(np.sort(worst, axis=None)[-1 - int(left_out * worst.size)])


def series_difference(a, b):
    """The largest difference of a column over the largest value of it, or of the energy where the column may vanish; of the
    square of density_rms, a difference of nearly equal sums, over that of the density."""
    a, b = outputs.series(a), outputs.series(b)
    scale = {n: max(abs(b[n]).max(), 1e-3 * abs(b["energy"]).max()) for n in b}
    for run in (a, b):
        run["density_rms"] = run["density_rms"]**2
    scale["density_rms"] = b["density_max"].max()**2
    return max(((n, float(abs(a[n] - b[n]).max() / scale[n])) for n in b), key=lambda w: w[1])


def compare(check, what, a, b, limit, left_out=0.0):
    if a[0] is None or b[0] is None:
        check.row(what, "no result: " + (a if a[0] is None else b)[1].strip()[-200:], "runs", False)
        return
    value, share = difference(a[0], b[0], left_out), ""
    if left_out:
        share = f" at {100 * (1 - left_out):g} % of the points (at all {difference(a[0], b[0]):.1e})"
    check.row(what, f"{value:.1e}{share}", f"<= {limit:.1g}", value <= limit)


def rounded_otherwise(check, name, steps):
    """CPU runs of a case in double precision whose gamma differs by a rounding: their folders."""
    jobs = [begin(check, [*GASES[name], f"equations.gamma={gamma}"], f"{name}-gamma-{gamma}-{steps}", steps, "cpu") for gamma in GAMMAS]
    return [folder for folder, _ in (job.result() for job in jobs) if folder is not None]


def row_beside_twins(check, what, reached, told, limit, spread):
    """A row that holds within its limit, or as near as rounding leads CPU runs: spread() is how far apart those are, asked for only
    where the limit does not hold."""
    if reached <= limit:
        check.row(what, told, f"<= {limit:.1g}", True)
        return
    apart = spread()
    check.row(what, f"{told}, CPU runs with another rounding {apart:.1e}", f"<= {limit:.1g}, or {TWINS:g} times as far as CPU runs",
              reached <= TWINS * apart)


def agree(check, what, name, precision, steps):
    a, b = (job.result() for job in [begin(check, GASES[name], f"{name}-{precision}-{steps}-{device}", steps, device, precision=precision)
                                     for device in ("gpu", "cpu")])
    if steps == 200 and precision == "double" and a[0] and b[0]:
        twins = cache(lambda: rounded_otherwise(check, name, steps))
        value = difference(a[0], b[0])
        row_beside_twins(check, what, value, f"{value:.1e}", STEPS_200, lambda: max((difference(t, b[0]) for t in twins()), default=0.0))
        column, worst = series_difference(a[0], b[0])
        row_beside_twins(check, f"{name} {precision}: series", worst, f"{worst:.1e} ({column})", STEPS_200,
                         lambda: max((series_difference(t, b[0])[1] for t in twins()), default=0.0))
        return
    limit, left_out = STEP if steps == 1 else STEPS_200, 0.0
    if precision == "single":
        limit, left_out = limit * SINGLE, JUMPS.get(name, 0.0)
    compare(check, what, a, b, limit, left_out)


def on_ranks(check, what, name, n, grid, transport):
    keys = [*GASES[name], f"parallel.blocks=[{grid[0]},{grid[1]},{grid[2]}]", f'parallel.transport="{transport}"']
    alone, several = begin(check, GASES[name], f"{name}-alone", 20, "gpu"), begin(check, keys, what.replace(":", ""), 20, "gpu", ranks=n)
    compare(check, what + ", against one", several.result(), alone.result(), STEP)


def restart(check, name):
    whole, gpu = begin(check, GASES[name], f"{name}-whole", 30, "cpu"), begin(check, GASES[name], f"{name}-gpu", 30, "gpu")
    mixed = in_parts(begin, check, GASES[name], f"{name}-mixed", 10, (("cpu", 1), ("gpu", 3), ("cpu", 2)))
    compare(check, f"{name}: cpu, gpu on 3 ranks, cpu on 2", mixed, whole.result(), STEPS_200)
    again = in_parts(begin, check, GASES[name], f"{name}-again", 10, (("gpu", 1), ("gpu", 2), ("gpu", 1)))
    compare(check, f"{name}: gpu in three parts", again, gpu.result(), STEP)


def bad_state(check, n):
    """Turbulence that a step far beyond the stable one makes bad, after a good one."""
    keys = [*(key for key in TURBULENCE if not key.startswith("time.cfl")), *weno(), "grid.n=[32,32,32]", "time.dt=0.3", *(["parallel.blocks=[1,1,4]"] if n > 1 else [])]
    _, text = begin(check, keys, f"bad-{n}", 100, "gpu", ranks=n, checkpoints=0.3).result()
    code, told = check.code_of[f"bad-{n}"], [line for line in text.splitlines() if "invalid state at point" in line]
    check.row(f"bad state, {n} ranks", f"exit code {code}, printed {len(told)} times", "80, once, a good checkpoint",
              code == 80 and len(told) == 1 and bool(outputs.checkpoints(check.folder / f"bad-{n}")))


SANITIZED = {"gas": ([*TURBULENCE, *weno(), "grid.n=[32,32,32]"], 1),
             "gas walls": ([*BLAST, *weno(), "grid.n=[32,32,32]", "equations.viscosity=2e-3"], 1),
             "gas central": ([*TURBULENCE, *central(), "grid.n=[32,32,32]"], 1),
             "gas hybrid": ([*TURBULENCE, *weno("hybrid"), "grid.n=[32,32,32]"], 1),
             "gas on 2 ranks": ([*TURBULENCE, *weno(), "grid.n=[32,32,32]", 'parallel.transport="staged"'], 2)}


def sanitized(check, tool, which, name):
    keys, ranks = SANITIZED[name]
    folder, text = begin(check, keys, f"{name}-{which}", 2, "gpu", ranks=ranks, before=(tool, "--tool", which, "--error-exitcode", "9"), seconds=200).result()
    summary = [line.strip("= ") for line in text.splitlines() if "SUMMARY" in line]
    check.row(f"{name} {which}", "; ".join(sorted(set(summary))) or "no summary", "no report",
              folder is not None and bool(summary) and all(" 0 errors" in s or "0 hazards" in s for s in summary))


def sanitizer(check, tool, tools):
    for i, which in enumerate(tools):
        for name in (name for name in SANITIZED if i < 2 or name in ("gas", "gas walls")):
            yield Row("gas", f"{name} {which}", partial(sanitized, check, tool, which, name), SANITIZER if name == "gas" and i < 2 else LAST, "sanitizer")


def rows(check, names):
    for precision in ("double", "single"):
        for name in (name for name in names if name not in LARGE):
            for steps in (1, 200) if precision == "double" else (200,):
                what = f"{name} {precision}: GPU against CPU, {steps} steps"
                tier = RARE if precision == "single" else FIRST if name == "js" else MORE
                yield Row("gas", what, partial(agree, check, what, name, precision, steps), tier, "gases")
    for i, name in enumerate(names):
        for n, grid, transport in RANKS if name == "js" else RANKS[::3] if name in WHOLE else [RANKS[i % len(RANKS)]]:
            grid = (0, 0, 0) if name.endswith("2-D") else grid
            what = f"{name}: {n} ranks {'x'.join(map(str, grid))} {transport}"
            tier = FIRST if (name, n, grid) == ("js", 2, (0, 0, 0)) else MORE if name in WHOLE and n < 4 else RARE
            yield Row("gas", what, partial(on_ranks, check, what, name, n, grid, transport), tier, "gases")
    for name in names[:1]:
        yield Row("gas", f"{name}: restart", partial(restart, check, name), RARE, "gases")
        for n in (1, 4):
            yield Row("gas", f"bad state, {n} ranks", partial(bad_state, check, n), RARE, "gases")
