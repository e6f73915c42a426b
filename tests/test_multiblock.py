"""The multi-block solver through the program: exact and manufactured flows, joins of any orientation, the same answer however
blocks are dealt to ranks, restart, grids from files, what is refused.

Fluxes, limiters, boundaries and joins have their own tests (tests/unit/test_multiblock_points.c, test_zones.c)."""

import itertools
import math
import subprocess

import h5py
import numpy as np
import pytest

import outputs
from conftest import ROOT
from outputs import sets

CASE = """[equations]
solver = "multiblock"
{equations}
[grid]
{grid}
[boundaries]
patches = [{patches}]
[solution]
{solution}
[initial]
kind = "{initial}"
[time]
{time}
[output]
series_interval = 0
report = false
{output}
"""
STATE = ("rho", "rho_u", "rho_v", "rho_w", "e")
STEADY = "steady = true\nmax_steps = 20000\ncfl = 0.8\nresidual = 1e-9"
TURNED = "blocks = [2, 2, 2]\nturned = true"


@pytest.fixture
def run(mpirun, triad, tmp_path):
    """run(grid=.., ..): the folder of a run, or what the program said where it is expected to end otherwise."""
    def start(*arguments, grid="", patches="", solution="", initial="solution", time=STEADY, equations="", output="", ranks=1,
              threads=1, expect=0, folder=None, **values):
        folder = folder or tmp_path / f"run-{len(list(tmp_path.iterdir()))}"
        case = tmp_path / f"{folder.name}.toml"
        case.write_text(CASE.format(grid=grid, patches=patches, solution=solution, initial=initial, time=time,
                                    equations=equations, output=output))
        result = mpirun(ranks, triad, "run", "-q", case, "--dir", folder, *arguments, *sets(**values), expect=expect,
                        threads=threads, timeout=300)
        return folder if expect == 0 else result
    return start


def state(folder):
    with h5py.File(outputs.checkpoints(folder)[-1] / "points.h5") as f:
        return np.array([f[name][:].ravel() for name in STATE])


def differs(a, b):
    """The largest difference of two states, relative to the largest number of each field."""
    return max(np.abs(x - y).max() / max(np.abs(x).max(), 1e-300) for x, y in zip(a, b))


def orders(errors):
    """Of errors on grids each twice as fine as the one before."""
    errors = np.array(errors)
    return np.log2(errors[:-1] / errors[1:])


def norms(folder, field="rho"):
    series = outputs.series(folder)
    return [series[f"error_{norm}_{field}"][-1] for norm in ("l1", "l2", "largest")]


# ---- a uniform stream ----

STREAM = "mach={mach}, pressure=1e5, temperature=300, alpha=20"
UNIFORM = 'kind = "uniform"\nmach = {mach}\nangle = 20'


@pytest.mark.parametrize("riemann", ["roe", "van-leer", "steger-warming", "ausm+"])
@pytest.mark.parametrize("boundary, mach", [("farfield", 0.5), ("supersonic-inflow", 2), ("exact", 2), ("subsonic-inflow", 0.5)])
def test_a_stream_stays_on_eight_blocks_turned_every_way(run, riemann, boundary, mach):
    """Area vectors of a cell close, so that a uniform flux leaves nothing: rounding of 20 steps."""
    patches = f'"*: {boundary}{", " + STREAM.format(mach=mach) if boundary != "exact" else ""}"'
    folder = run(grid=f"n = [12, 10, 8]\nsmooth = 0.05\nrandom = 0.2\n{TURNED}", patches=patches, solution=UNIFORM.format(mach=mach),
                 equations=f'riemann = "{riemann}"', time="steady = true\nmax_steps = 20\ncfl = 0.5\nresidual = 0",
                 reference__up="y")
    series = outputs.series(folder)
    for field, size in (("rho", 1), ("u", 300), ("v", 300), ("w", 300), ("p", 1e5)):
        assert series[f"error_largest_{field}"][-1] < 20e-13 * size


def test_a_viscous_stream_stays_too(run):
    folder = run(grid=f"n = [10, 8, 6]\nsmooth = 0.05\n{TURNED}", patches=f'"*: farfield, {STREAM.format(mach=0.5)}"',
                 solution=UNIFORM.format(mach=0.5), equations='model = "laminar"\nviscosity = 10', reference__up="y",
                 time="steady = true\nmax_steps = 20\ncfl = 0.5\nresidual = 0")
    assert outputs.series(folder)["error_largest_u"][-1] < 300 * 20e-13


# ---- flows that are known ----

ANNULUS = 'kind = "annulus"\nn = [{n2}, {n}, 1]\nblocks = [2, 2, 1]\nturned = true'


def test_supersonic_vortex_is_of_order_two(run):
    """Between circles of radii 2 and 3, Mach 2 inside; walls that the flow slips along."""
    errors = [norms(run(grid=ANNULUS.format(n=n, n2=2 * n), equations='limiter = "van-albada"',
                        patches='"inner + outer: slip", "inflow: exact", "outflow: supersonic-outflow"',
                        solution='kind = "supersonic-vortex"\nmach = 2\nradius = 2')) for n in (8, 16, 32)]
    assert (orders(errors)[-1][:2] > 1.9).all()
    assert errors[-1][0] < 3e-4


def test_exact_values_of_the_supersonic_vortex(run):
    """rho = (1 + (1 - (2/r)^2) 0.8)^2.5, of the facts 1.882737 and 2.507564 at radii 2.5 and 3; the start is exact."""
    folder = run(grid=ANNULUS.format(n=64, n2=4), patches='"*: exact"', output="fields_interval = 1",
                 solution='kind = "supersonic-vortex"\nmach = 2\nradius = 2',
                 time="steady = true\nmax_steps = 1\nresidual = 0\ncfl = 1e-6", grid__blocks=[1, 1, 1], grid__turned=False)
    with h5py.File(sorted((folder / "fields").glob("blocks-*.h5"))[0]) as f:
        rho = f["rho.1"][0]
    with h5py.File(folder / "fields/grid.h5") as f:
        x, y = (f[f"{a}.1"][0] for a in "xy")
    middle = [sum(a[i:i - 1 or None, j:j - 1 or None] for i in (0, 1) for j in (0, 1)) / 4 for a in (x, y)]
    r = np.hypot(*middle)
    assert np.abs(rho - (1 + 0.8 * (1 - (2 / r)**2))**2.5).max() < 1e-5
    assert (1 + 0.8 * (1 - (2 / 2.5)**2))**2.5 == pytest.approx(1.882737, abs=1e-6)


@pytest.mark.parametrize("limiter", ["van-leer", "van-albada"])
def test_oblique_shock_has_the_pressure_and_mach_number_behind_it(run, limiter):
    """M 2 turned by 10 degrees: p2/p1 1.706579, M2 1.640522; beyond the corner's cell and the shock itself no over- or
    undershoot: half a percent."""
    folder = run(grid='kind = "wedge"\nn = [104, 48, 1]\nlength = [1, 1.1, 1]\nupstream = 0.3\nangle = 10',
                 patches='"inflow + top: supersonic-inflow, mach=2, pressure=1e5, temperature=300", "wall + plate: slip", '
                         '"outflow: supersonic-outflow"', initial="stream", equations=f'limiter = "{limiter}"',
                 solution='kind = "oblique-shock"\nmach = 2\nangle = 10', output="fields_interval = 1000",
                 time="steady = true\nmax_steps = 1000\ncfl = 0.8\nresidual = 1e-6")
    with h5py.File(sorted((folder / "fields").glob("blocks-*.h5"))[-1]) as f:
        p, mach = f["p.1"][0] / 1e5, f["mach.1"][0]
    assert p[4:10, -12].mean() == pytest.approx(1.706579, rel=2e-3)
    assert mach[4:10, -12].mean() == pytest.approx(1.640522, rel=4e-3)
    assert p[2:].min() > 0.995 and p[4:, 60:].max() < 1.005 * 1.706579
    # the shock's angle, 39.3139 degrees: where half of the jump is passed, in columns on both sides of the ramp
    with h5py.File(folder / "fields/grid.h5") as f:
        x, y = (f[f"{a}.1"][0] for a in "xy")
    middle = [(a[:-1, :-1] + a[1:, :-1] + a[:-1, 1:] + a[1:, 1:]) / 4 for a in (x, y)]
    points = []
    for i in range(60, 100):
        column = p[:, i]
        j = np.nonzero(column > 1.3533)[0].max()
        part = (column[j] - 1.3533) / (column[j] - column[j + 1])
        points.append([middle[a][j, i] + part * (middle[a][j + 1, i] - middle[a][j, i]) for a in (0, 1)])
    slope = np.polyfit(*np.array(points).T, 1)[0]
    assert math.degrees(math.atan(slope)) == pytest.approx(39.3139, abs=0.15)


def test_fan_turns_the_flow_as_prandtl_and_meyer_say(run):
    """M 1.2 over a corner of 12 degrees: M2 1.623601, p2/p1 0.550876."""
    folder = run(grid='kind = "wedge"\nn = [64, 48, 1]\nlength = [1, 1.5, 1]\nupstream = 0.4\nangle = -12',
                 patches='"inflow: exact", "top + outflow: supersonic-outflow", "wall + plate: slip"',
                 solution='kind = "fan"\nmach = 1.2\nangle = 12', output="fields_interval = 1200",
                 time="steady = true\nmax_steps = 1200\ncfl = 0.8\nresidual = 1e-6")
    with h5py.File(sorted((folder / "fields").glob("blocks-*.h5"))[-1]) as f:
        p, mach = f["p.1"][0] / 1e5, f["mach.1"][0]
    assert p[3:6, -3:].mean() == pytest.approx(0.550876, rel=5e-3)
    assert mach[3:6, -3:].mean() == pytest.approx(1.623601, rel=5e-3)


def test_inside_the_fan_errors_are_of_order_two(run):
    """Away from its edges, which are kinks, and from the corner, whose cells shift its origin by a part of themselves, a fan is
    smooth: a box between its lines of 56 and 26 degrees, with exact values around it."""
    errors = [norms(run(grid=f"n = [{3 * n // 2}, {n}, 1]\norigin = [0.8, 0.7, 0]\nlength = [0.3, 0.2, 1]", patches='"*: exact"',
                        solution='kind = "fan"\nmach = 1.2\nangle = 12', equations='limiter = "none"'), "p") for n in (8, 16, 32)]
    assert (orders(errors)[-1] > (1.9, 1.9, 1.8)).all()
    assert errors[-1][0] < 1e-5 * 1e5


def test_shock_of_mach_4_turned_by_30_degrees(run):
    """beta 45.2241, p2/p1 9.239669. The angle of a front that is known to a tenth of a cell over 20 cells' height: 0.3 degrees; the state
    lies between a layer of a few cells at the wall, which begins at the corner, and the front: 1 %."""
    folder = run(grid='kind = "wedge"\nn = [104, 32, 1]\nlength = [1, 1.3, 1]\nupstream = 0.3\nangle = 30', initial="stream",
                 patches='"inflow + top: supersonic-inflow, mach=4, pressure=1e5, temperature=300", "wall + plate: slip", '
                         '"outflow: supersonic-outflow"', equations='limiter = "van-leer"', output="fields_interval = 1500",
                 time="steady = true\nmax_steps = 1500\ncfl = 0.8\nresidual = 0\nfirst_order = 0.1\nlimiter_freeze = 0.003")
    with h5py.File(sorted((folder / "fields").glob("blocks-*.h5"))[-1]) as f:
        p = f["p.1"][0] / 1e5
    with h5py.File(folder / "fields/grid.h5") as f:
        x, y = (f[f"{a}.1"][0] for a in "xy")
    x, y = ((a[:-1, :-1] + a[1:, :-1] + a[:-1, 1:] + a[1:, 1:]) / 4 for a in (x, y))
    points = []
    for i in range(62, 99):
        j = np.nonzero(p[:, i] > 5.1198)[0].max()
        part = (p[j, i] - 5.1198) / (p[j, i] - p[j + 1, i])
        points.append([a[j, i] + part * (a[j + 1, i] - a[j, i]) for a in (x, y)])
    assert math.degrees(math.atan(np.polyfit(*np.array(points).T, 1)[0])) == pytest.approx(45.2241, abs=0.3)
    ray = np.degrees(np.arctan2(y, x))
    between = (x > 0.5) & (x < 0.95) & (ray > 34.5) & (ray < 40.7)
    assert p[between].mean() == pytest.approx(9.239669, rel=0.01)


def test_vortex_is_carried_through_joins_turned_every_way(run):
    """Periodic: order 2 and more, and no difference but rounding from one block; energy is kept."""
    base = "n = [{n}, {n}, 1]\nlength = [10, 10, 1]\norigin = [-5, -5, 0]\nperiod = [10, 10, 0]\n"
    solution = 'kind = "isentropic-vortex"\nmach = 0.5\nangle = 45'
    time = 'end = 2\nscheme = "ssprk3"\ncfl = 0.5'
    errors = []
    for n in (16, 32, 64):
        folder = run(grid=base.format(n=n) + "blocks = [2, 2, 1]\nturned = true", solution=solution, time=time,
                     equations='limiter = "none"')
        errors.append(norms(folder))
    one = run(grid=base.format(n=64), solution=solution, time=time, equations='limiter = "none"')
    series, alone = outputs.series(folder), outputs.series(one)
    assert (orders(errors)[-1] > 2).all()
    assert abs(series["energy"] / series["energy"][0] - 1).max() < 1e-12
    for field in ("rho", "u", "v", "p"):
        assert series[f"error_l2_{field}"][-1] == pytest.approx(alone[f"error_l2_{field}"][-1], rel=1e-10)


# ---- manufactured solutions ----

LAMINAR = 'model = "laminar"\nviscosity_law = "constant"\nviscosity = 10\nprandtl = 1.0\nlimiter = "none"'


@pytest.mark.parametrize("grid", ["", "smooth = 0.04\nblocks = [2, 2, 1]\nturned = true"])
def test_manufactured_euler_is_of_order_two(run, grid):
    """Without limiter and with kappa = 1/3 errors fall a little faster than h^2 on these grids: terms of order 3 still count."""
    errors = [norms(run(grid=f"n = [{n}, {n}, 1]\n{grid}", patches='"*: exact"', solution='kind = "manufactured-euler"',
                        equations='limiter = "none"')) for n in (16, 32, 64)]
    assert (orders(errors)[-1] > 1.9).all() and errors[-1][0] < 4e-5


def test_manufactured_euler_is_of_order_two_in_every_norm(run):
    """kappa = 0: with 1/3 what is linear is of order 3, and only what is left over has order 2, so that errors fall faster on these
    grids, 2.35 from 32 to 64 cells."""
    errors = [norms(run(grid=f"n = [{n}, {n}, 1]", patches='"*: exact"', solution='kind = "manufactured-euler"',
                        equations='limiter = "none"\nkappa = 0'), field) for n in (16, 32) for field in ("rho", "p")]
    for order in (orders(errors[::2])[0], orders(errors[1::2])[0]):
        assert (abs(order[:2] - 2) < 0.13).all() and order[2] > 1.8


def test_manufactured_euler_is_of_order_one_without_slopes(run):
    """A wave of number k that has gone a way x has lost 1 - exp(-k^2 h x/2) of its height, so that errors come to their slope from
    below, where k^2 h x is small: 2 pi is the largest k, and on an eighth of the unit square cells are small enough."""
    errors = [norms(run(grid=f"n = [{n}, {n}, 1]\nlength = [0.125, 0.125, 1]", patches='"*: exact"', equations="order = 1",
                        solution='kind = "manufactured-euler"', time=STEADY.replace("1e-9", "1e-5")), field)[:2] for n in (32, 64) for field in ("rho", "p")]
    for order in (orders(errors[::2])[0], orders(errors[1::2])[0]):
        assert (abs(order - 1) < 0.1).all()


@pytest.mark.parametrize("field", ["u", "p"])
def test_manufactured_laminar_is_of_order_two(run, field):
    errors = [norms(run(grid=f"n = [{n}, {n}, 1]\nsmooth = 0.04\nblocks = [2, 2, 1]\nturned = true", patches='"*: exact"',
                        solution='kind = "manufactured-laminar"', equations=LAMINAR), field) for n in (8, 16, 32)]
    assert (orders(errors)[-1][:2] > 1.9).all() and orders(errors)[-1][2] > 1.75


def test_manufactured_flow_in_three_dimensions_is_of_order_two(run):
    errors = [norms(run(grid=f"n = [{n}, {n}, {n}]\nsmooth = 0.03\nblocks = [2, 1, 2]\nturned = true", patches='"*: exact"',
                        solution='kind = "manufactured-3d"', equations='limiter = "none"', threads=2,
                        time=STEADY.replace("1e-9", "1e-6"))) for n in (6, 12, 24)]
    assert (orders(errors)[-1][:2] > 1.9).all()


def manufactured(name, x, y, z):
    """The three solutions, written down anew (Roy and others 2004; the third is this project's)."""
    import sympy as s
    sin, cos, pi = s.sin, s.cos, s.pi
    r = s.Rational
    if name == "manufactured-euler":
        return (1 + r(15, 100) * sin(pi * x) - r(1, 10) * cos(pi * y / 2),
                800 + 50 * sin(r(3, 2) * pi * x) - 30 * cos(r(3, 5) * pi * y),
                800 - 75 * cos(pi * x / 2) + 40 * sin(r(2, 3) * pi * y), s.Integer(0),
                100000 + 20000 * cos(2 * pi * x) + 50000 * sin(pi * y))
    if name == "manufactured-laminar":
        return (1 + r(1, 10) * sin(r(3, 4) * pi * x) + r(15, 100) * cos(pi * y) + r(8, 100) * cos(r(5, 4) * pi * x * y),
                70 + 4 * sin(r(5, 3) * pi * x) - 12 * cos(r(3, 2) * pi * y) + 7 * cos(r(3, 5) * pi * x * y),
                90 - 20 * cos(r(3, 2) * pi * x) + 4 * sin(pi * y) - 11 * cos(r(9, 10) * pi * x * y), s.Integer(0),
                100000 - 30000 * cos(pi * x) + 20000 * sin(r(5, 4) * pi * y) - 25000 * sin(r(3, 4) * pi * x * y))
    return (1 + r(15, 100) * sin(pi * x) - r(1, 10) * cos(pi * y / 2) + r(12, 100) * sin(r(4, 5) * pi * z),
            800 + 50 * sin(r(3, 2) * pi * x) - 30 * cos(r(3, 5) * pi * y) + 20 * cos(r(7, 10) * pi * z),
            800 - 75 * cos(pi * x / 2) + 40 * sin(r(2, 3) * pi * y) - 35 * sin(r(11, 10) * pi * z),
            800 + 30 * sin(r(9, 10) * pi * x) - 45 * cos(r(7, 10) * pi * y) + 25 * cos(r(6, 5) * pi * z),
            100000 + 20000 * cos(2 * pi * x) + 50000 * sin(pi * y) - 15000 * cos(r(9, 10) * pi * z))


@pytest.mark.parametrize("name", ["manufactured-euler", "manufactured-laminar", "manufactured-3d"])
def test_sources_are_those_that_algebra_finds(run, name):
    """In a periodic box what leaves one cell enters another, whatever the flow, so one explicit step changes the mean of all
    cells by dt times the mean source: rounding of the state over dt is what is left."""
    sympy = pytest.importorskip("sympy")
    viscous = int(name != "manufactured-euler")
    flat = name != "manufactured-3d"
    x, y, z = xs = sympy.symbols("x y z")
    rho, *u, p = manufactured(name, x, y, z)
    g, big_r, mu, pr = sympy.Rational(7, 5), 287, 10, 1
    energy = p / (g - 1) + rho * sum(a**2 for a in u) / 2
    kappa = mu * g * big_r / (g - 1) / pr
    stress = [[mu * (sympy.diff(u[i], xs[j]) + sympy.diff(u[j], xs[i]) -
                     (sympy.Rational(2, 3) * sum(sympy.diff(u[k], xs[k]) for k in range(3)) if i == j else 0)) * viscous
               for j in range(3)] for i in range(3)]
    heat = [kappa * sympy.diff(p / rho / big_r, a) * viscous for a in xs]
    flux = [[rho * u[i] for i in range(3)]]
    flux += [[rho * u[a] * u[i] + (p if a == i else 0) - stress[a][i] for i in range(3)] for a in range(3)]
    flux += [[(energy + p) * u[i] - sum(u[a] * stress[a][i] for a in range(3)) - heat[i] for i in range(3)]]
    source = sympy.lambdify(xs, [sum(sympy.diff(f[i], xs[i]) for i in range(3)) for f in flux])
    dt = 1e-9
    n = [4, 4, 1] if flat else [4, 4, 4]
    origin = [0.3, 0.4, 0.2]
    side = [1e-4] * 3
    folder = run(grid=f"n = {n}\nlength = {side}\norigin = {origin}\nperiod = {side if not flat else [1e-4, 1e-4, 0]}",
                 solution=f'kind = "{name}"', equations=LAMINAR if viscous else 'limiter = "none"',
                 time=f'end = {dt}\ndt = {dt}\nscheme = "rk1"', initial="solution")
    with h5py.File(outputs.checkpoints(folder)[-1] / "points.h5") as f:
        ends = {k: f[k][:].ravel().mean() for k in STATE}
    cells = [np.array(c) for c in itertools.product(*[range(m) for m in reversed(n)])]
    total, start = np.zeros(5), np.zeros(5)
    conserved = sympy.lambdify(xs, [rho, *[rho * a for a in u], energy])
    for k, j, i in cells:
        at = [origin[0] + (i + 0.5) * side[0] / n[0], origin[1] + (j + 0.5) * side[1] / n[1],
              (k + 0.5) / n[2] * side[2] + origin[2] if not flat else 0.0]
        total += np.array(source(*at), dtype=float) / len(cells)
        start += np.array(conserved(*at), dtype=float) / len(cells)
    rate = (np.array([ends[k] for k in STATE]) - start) / dt
    assert (np.abs(rate - total) <= 1e-9 * np.abs(total) + 4e-15 * np.abs(start) / dt).all()
    assert (np.abs(total[:3]) > 1).all()


# ---- blocks over ranks ----

FLOWS = {
    "euler": dict(grid=f"n = [20, 12, 16]\nsmooth = 0.05\nrandom = 0.1\n{TURNED}", solution='kind = "manufactured-3d"'),
    "laminar": dict(grid="n = [24, 24, 1]\nsmooth = 0.03\nblocks = [2, 2, 1]\nturned = true",
                    solution='kind = "manufactured-laminar"', equations=LAMINAR.replace("none", "van-albada")),
    "laminar in 3-D": dict(grid="n = [14, 12, 10]\nsmooth = 0.03\nblocks = [2, 1, 2]\nturned = true",
                           solution='kind = "manufactured-3d"', equations=LAMINAR.replace("none", "van-albada")),
}


@pytest.mark.parametrize("flow", FLOWS)
def test_the_answer_does_not_depend_on_the_ranks(run, flow):
    """Cut in pieces, dealt to 2, 3 and 4 ranks: 1e-12 after 20 steps."""
    about = dict(FLOWS[flow], patches='"*: exact"', time="steady = true\nmax_steps = 20\ncfl = 0.5\nresidual = 0")
    one = state(run(**about))
    for ranks, pieces in ((1, 5), (2, 0), (3, 0), (4, 3)):
        assert differs(one, state(run(**about, ranks=ranks, parallel__pieces=pieces))) < 1e-12


@pytest.mark.parametrize("name, n, ranks, pieces", [("inlet", [52, 16, 1], 2, 0), ("inlet", [52, 16, 1], 3, 5),
                                                    ("naca0012-euler", [32, 24, 1], 2, 0), ("naca0012-euler", [32, 24, 1], 3, 16),
                                                    ("onera-m6", [32, 8, 8], 3, 0), ("onera-m6", [32, 8, 8], 2, 9)])
def test_ready_cases_do_not_depend_on_the_ranks(mpirun, triad, tmp_path, name, n, ranks, pieces):
    """Bodies, blocks joined to themselves, far fields, first order and slopes, implicit steps and explicit ones: from the first step on
    1e-12 of the largest number; components of the momentum together, for there is none across a plane."""
    found = []
    for i, (count, cut) in enumerate(((1, 0), (ranks, pieces))):
        mpirun(count, triad, "run", "-q", ROOT / f"runs/{name}/case.toml", "--dir", tmp_path / f"run-{i}", timeout=100,
               *sets(grid__n=n, time__max_steps=30, parallel__pieces=cut, output__report=False))
        found.append(state(tmp_path / f"run-{i}"))
    one, other = found
    for group in ([0], [1, 2, 3], [4]):
        assert np.abs(one[group] - other[group]).max() < 1e-12 * np.abs(one[group]).max()


def test_four_ranks_in_a_ring(run):
    """Four blocks around an annulus whose ends meet, each turned another way, one a rank."""
    about = dict(grid='kind = "annulus"\nn = [32, 8, 1]\nangles = [0, 360]\nblocks = [4, 1, 1]\nturned = true',
                 patches='"inner + outer: exact"', solution='kind = "supersonic-vortex"\nradius = 2',
                 time="steady = true\nmax_steps = 30\ncfl = 0.5\nresidual = 0")
    one = state(run(**about))
    assert differs(one, state(run(**about, ranks=4))) < 1e-12
    assert differs(one, state(run(**about, ranks=2, parallel__pieces=4))) < 1e-12


def test_a_block_joined_to_itself(run):
    """One block around the annulus: its two ends are each other's neighbours, and cutting it changes nothing."""
    about = dict(grid='kind = "annulus"\nn = [32, 8, 1]\nangles = [0, 360]', patches='"inner + outer: exact"',
                 solution='kind = "supersonic-vortex"\nradius = 2',
                 time="steady = true\nmax_steps = 30\ncfl = 0.5\nresidual = 0")
    one = state(run(**about))
    assert differs(one, state(run(**about, ranks=3, parallel__pieces=16))) < 1e-12


# ---- restart, files ----

def test_a_run_resumes_bit_for_bit_and_on_other_ranks(run):
    about = dict(FLOWS["laminar"], patches='"*: exact"', time="steady = true\nmax_steps = 20\ncfl = 0.5\nresidual = 0")
    whole = run(**about)
    half = run(**dict(about, time=about["time"].replace("20", "10")))
    again = run(**about, folder=half)
    assert (state(whole) == state(again)).all()
    series, resumed = outputs.series(whole), outputs.series(again)
    assert series["residual_mass"][-1] == resumed["residual_mass"][-1]
    half = run(**dict(about, time=about["time"].replace("20", "10")))
    assert differs(state(whole), state(run(**about, folder=half, ranks=3))) < 1e-12


def test_frozen_limiters_let_the_residual_fall_on(run):
    """The shock's limiters go to and fro at some percent of the first residual; frozen they let it fall by orders. A run that is cut in
    two, before or after they are frozen, has the same bits, and on other ranks differs by rounding."""
    about = dict(grid='kind = "wedge"\nn = [26, 12, 1]\nlength = [1, 1.1, 1]\nupstream = 0.3\nangle = 10',
                 patches='"inflow + top: supersonic-inflow, mach=2, pressure=1e5, temperature=300", "wall + plate: slip", '
                         '"outflow: supersonic-outflow"', initial="stream", equations='limiter = "van-albada"')
    time = "steady = true\nmax_steps = {n}\ncfl = 0.8\nresidual = 0\nlimiter_freeze = {at}"
    free = outputs.series(run(**about, time=time.format(n=700, at=0)))
    whole = run(**about, time=time.format(n=700, at=0.05))
    series = outputs.series(whole)
    assert series["frozen"][-1] == 1 and series["residual_mass"][-1] < 1e-8 and not free["frozen"].any()
    frozen = int(series["step"][np.argmax(series["frozen"] > 0)])
    for at, ranks in ((frozen - 30, 1), (frozen + 30, 1), (frozen + 30, 3)):
        half = run(**about, time=time.format(n=at, at=0.05))
        again = run(**about, time=time.format(n=700, at=0.05), folder=half, ranks=ranks)
        assert differs(state(whole), state(again)) <= (0 if ranks == 1 else 1e-12)


def test_a_settled_run_stays_settled(run, mpirun, triad):
    """The same command again takes no step, nor do more steps in the case; a smaller residual does. t counts steps."""
    about = dict(grid="n = [8, 8, 1]", patches='"*: exact"', solution='kind = "manufactured-euler"')
    folder = run(**about)
    series = outputs.series(folder)
    steps = series["step"][-1]
    assert "finished: the flow has settled" in mpirun(1, triad, "info", folder).stdout
    assert series["t"][-1] == steps < 20000 and "the flow has settled" in (folder / "log.txt").read_text()
    run(**about, folder=folder)
    assert outputs.series(folder)["step"][-1] == steps
    run(**about, folder=folder, time__max_steps=30000)
    assert outputs.series(folder)["step"][-1] == steps
    run(**about, folder=folder, time__residual=1e-11)
    series = outputs.series(folder)
    assert series["step"][-1] > steps and (np.diff(series["t"]) > 0).all() and series["residual_mass"][-1] < 1e-11


def test_walls_have_files_of_their_own(run):
    """Pressure of the vortex at its circles, (1/1.4) rho^1.4: 1/1.4 and 2.507564^1.4/1.4; what acts on the faces is the force of the
    series; on any ranks the same file."""
    about = dict(grid=ANNULUS.format(n=16, n2=32), patches='"inner + outer: slip", "inflow: exact", "outflow: supersonic-outflow"',
                 solution='kind = "supersonic-vortex"\nmach = 2\nradius = 2', output="fields_interval = 100",
                 time="steady = true\nmax_steps = 100\nresidual = 0\ncfl = 0.8")
    found = []
    for ranks in (1, 3):
        folder = run(**about, ranks=ranks)
        with h5py.File(folder / "surfaces/surface-00000100.h5") as f:
            found.append({name: f[name][:] for name in f if name != "notes"})
    one, three = found
    assert one["p.inner"].size == 32 and one["p.inner"].mean() == pytest.approx(1 / 1.4, rel=0.01)
    assert one["p.outer"].mean() == pytest.approx(2.507564**1.4 / 1.4, rel=0.01)
    assert (np.hypot(one["x.outer"], one["y.outer"]) == pytest.approx(3, rel=1e-2))
    for axis in "xy":
        force = sum((one[f"p.{n}"] * one[f"area_{axis}.{n}"]).sum() for n in ("inner", "outer"))
        assert force == pytest.approx(outputs.series(folder)[f"force_{axis}"][-1], rel=1e-12)
    assert one.keys() == three.keys() and all(np.allclose(one[k], three[k], rtol=1e-11, atol=1e-12) for k in one)


def test_a_start_from_a_coarser_grid_is_linear_between_its_cells(run):
    """Of the same blocks, turned: fields that were linear in x, y and z stay so but in the outermost half cell; on any ranks alike."""
    about = dict(patches='"*: exact"', solution='kind = "manufactured-3d"', equations='limiter = "none"',
                 time="steady = true\nmax_steps = 1\nresidual = 0\ncfl = 1e-9")
    errors, grid = [], "n = [{0}, {0}, {0}]\nblocks = [2, 1, 2]\nturned = true"
    for n in (8, 16):
        coarse = run(grid=grid.format(n), output="fields_interval = 1", **about)
        start = dict(about, grid=grid.format(2 * n), initial="coarser", initial__file=str(coarse / "fields/blocks-00000000.h5"))
        fine = run(**start)
        exact = run(grid=grid.format(2 * n), **about)
        errors.append(np.sqrt(np.mean((state(fine)[0] - state(exact)[0])**2)))
    assert differs(state(fine), state(run(**start, ranks=3))) < 1e-12
    assert orders(errors)[0] > 1.4 and errors[-1] < 3e-3  # 1.5: the outermost cells are of order 1, and fewer by a half
    result = run(**dict(start, initial__file=str(coarse / "fields/grid.h5")), expect=65)
    assert "rho.1" in result.stderr


def test_a_steady_run_ends_at_its_residual(run):
    series = outputs.series(run(grid="n = [8, 8, 1]", patches='"*: exact"', solution='kind = "manufactured-euler"'))
    last = max(series[f"residual_{e}"][-1] for e in ("mass", "x", "y", "energy"))
    before = max(series[f"residual_{e}"][-2] for e in ("mass", "x", "y", "energy"))
    assert last <= 1e-9 < before and series["step"][-1] < 20000
    assert abs(series["mass_error"][-1]) < 0.05  # of a source: boundaries do not balance


def test_fields_are_the_state_and_their_picture_names_them(run):
    folder = run(**FLOWS["euler"], patches='"*: exact"', output="fields_interval = 5", ranks=2,
                 time="steady = true\nmax_steps = 10\ncfl = 0.5\nresidual = 0", output__writer="gather")
    with h5py.File(folder / "fields/blocks-00000010.h5") as f, h5py.File(folder / "fields/grid.h5") as grid:
        rho = np.concatenate([f[f"rho.{b}"][:].ravel() for b in range(1, 9)])
        for b in range(1, 9):
            assert tuple(n + 1 for n in f[f"rho.{b}"].shape) == grid[f"x.{b}"].shape
    assert (rho == state(folder)[0]).all()
    import xml.etree.ElementTree as tree
    grids = tree.parse(folder / "fields/fields.xmf").getroot().find("Domain/Grid").findall("Grid")
    assert [float(g.find("Time").get("Value")) for g in grids] == [0, 5, 10]
    for item in grids[-1].iter("DataItem"):
        file, name = item.text.split(":/")
        with h5py.File(folder / "fields" / file) as f:
            assert [int(n) for n in item.get("Dimensions").split()] == list(f[name].shape)


# ---- grids from files ----

def blocks_of(n=9):
    """Nodes of two skew blocks side by side, the second with its axes exchanged and one reversed (right-handed)."""
    s = np.linspace(0, 1, n)
    i, j = np.meshgrid(s, s, indexing="ij")
    left = (i + 0.2 * j**2, j - 0.1 * i)
    right = (1 + i + 0.2 * j**2, j - 0.1 * (1 + i))
    turned = tuple(a[::-1, :].T for a in right)  # first axis along j, second back along i
    turned = tuple(a[:, ::1] for a in turned)
    return [np.array(left), np.array(turned)]


def write_plot3d(path, blocks, form, dims=2, blanks=False, counted=True):
    """form: "text", or a numpy order and size such as ">f4"."""
    three = [np.array([*b, np.zeros_like(b[0])]) if dims == 3 else b for b in blocks]
    sizes = [[*b.shape[1:], *([1] if dims == 3 else [])] for b in three]
    if form == "text":
        words = ([str(len(blocks))] if counted else []) + [str(n) for s in sizes for n in s]
        for b in three:
            values = [f"{v:.17g}" for a in b for v in a.ravel("F")]
            values += [f"{b[0].size}*1"] if blanks else []
            words += values
        path.write_text("\n".join(" ".join(words[i:i + 5]) for i in range(0, len(words), 5)).replace("e", "D") + "\n")
        return
    order = form[0]
    with path.open("wb") as f:
        def record(*parts):
            data = b"".join(np.asarray(p).astype(order + t).tobytes() for p, t in parts)
            mark = np.array(len(data)).astype(order + "i4").tobytes()
            f.write(mark + data + mark)
        if counted:
            record(([len(blocks)], "i4"))
        record((np.array(sizes).ravel(), "i4"))
        for b in three:
            record((np.concatenate([a.ravel("F") for a in b]), form[1:]), *([(np.ones(b[0].size), "i4")] if blanks else []))


def through_file(run, tmp_path, **about):
    path = tmp_path / f"grid-{len(list(tmp_path.iterdir()))}.x"
    write_plot3d(path, blocks_of(), **about)
    return run(grid=f'kind = "file"\nfile = "{path}"', patches='"*: exact"', solution=UNIFORM.format(mach=2),
               time="steady = true\nmax_steps = 5\ncfl = 0.5\nresidual = 0", initial="solution")


@pytest.mark.parametrize("form", ["text", "<f8", ">f8", "<f4", ">f4"])
def test_plot3d_of_every_form_is_the_same_grid(run, tmp_path, form):
    """Two blocks, joined where their nodes coincide: the stream stays, so that volumes and joins are right."""
    volumes = []
    for dims, blanks in ((2, False), (3, True)):
        folder = through_file(run, tmp_path, form=form, dims=dims, blanks=blanks)
        assert outputs.series(folder)["error_largest_p"][-1] < 1e-8  # Pa, of 1e5
        assert outputs.series(folder)["mass_error"][-1] == pytest.approx(0, abs=1e-12)
        volumes.append(state(folder).shape[1])
    assert volumes == [128, 128]


def test_a_map_names_the_faces(run, tmp_path):
    path, names = tmp_path / "two.x", tmp_path / "two.nmf"
    write_plot3d(path, blocks_of(), "text")
    names.write_text("# two blocks\n2\n1 9 9 1\n2 9 9 1\n"
                     "ONE_TO_ONE 1 4 1 9 1 1  2 6 1 1 1 9 FALSE\n"
                     "Inflow 1 3 1 9 1 1\nSide 1 5 1 1 1 9\nSide 1 6 1 1 1 9\n"
                     "Outflow 2 5 1 1 1 9\nSide 2 3 1 9 1 1\nSide 2 4 1 9 1 1\n")
    about = dict(grid=f'kind = "file"\nfile = "{path}"\nmap = "{names}"', solution=UNIFORM.format(mach=2),
                 time="steady = true\nmax_steps = 5\ncfl = 0.5\nresidual = 0", initial="solution")
    folder = run(**about, patches='"inflow + side: exact", "outflow: supersonic-outflow"')
    assert outputs.series(folder)["error_largest_p"][-1] < 1e-8
    result = run(**about, patches='"inflow: exact", "side: exact"', expect=65)
    assert "joined to nothing: outflow" in result.stderr
    names.write_text(names.read_text().replace("1 9 9 1\n", "1 8 9 1\n", 1))
    assert "line 3: the block has another size" in run(**about, patches='"*: exact"', expect=65).stderr


def test_what_a_map_joins_must_coincide(run, tmp_path):
    """The second block moved by 0.25 along x: a map's join is no wall, whatever "*" says."""
    path, names = tmp_path / "two.x", tmp_path / "two.nmf"
    left, right = blocks_of()
    write_plot3d(path, [left, right + np.array([0.25, 0])[:, None, None]], "text")
    names.write_text("2\n1 9 9 1\n2 9 9 1\nONE_TO_ONE 1 4 1 9 1 1  2 6 1 1 1 9 FALSE\n")
    result = run(grid=f'kind = "file"\nfile = "{path}"\nmap = "{names}"', patches='"*: exact"', expect=65,
                 solution=UNIFORM.format(mach=2))
    assert "joins face imax of block 1" in result.stderr and "0.25 apart" in result.stderr


def test_figures_of_bodies_are_drawn(run, tmp_path):
    """residual, surface and contour of a small aerofoil: nothing empty, clipped or over something else."""
    import matplotlib
    matplotlib.use("Agg")
    import sys
    sys.path[:0] = [str(ROOT / "tools")]
    import looks
    from triad_plot import figures
    from triad_plot.options import Options
    from triad_plot.run import Run
    folder = run(grid=C_GRID.format(n=64, m=16, section="0012"), initial="stream", output="fields_interval = 20",
                 patches=f'"aerofoil: slip", "far + outflow: farfield, {STREAM.format(mach=0.5)}"',
                 time="steady = true\nmax_steps = 20\ncfl = 0.5\nresidual = 0")
    for verb in ("residual", "surface", "contour"):
        assert looks.faults(figures.find(verb).draw([Run(str(folder))], Options())) == []
    options = Options()
    options.streamlines, options.plane = True, "z"
    drawn = figures.find("contour").draw([Run(str(folder))], options)
    assert looks.faults(drawn) == []
    lines = np.concatenate([c.get_segments() for c in drawn.axes[0].collections if hasattr(c, "get_segments")])
    x, y = lines[..., 0], lines[..., 1]
    half = 0.6 * (0.2969 * np.sqrt(abs(x)) - 0.1260 * x - 0.3516 * x**2 + 0.2843 * x**3 - 0.1036 * x**4)
    assert len(lines) > 100 and not ((x > 0.1) & (x < 0.9) & (abs(y) < half - 0.02)).any()  # none in the body; 0.02: a point of the picture
    wall = (np.array([0., 1, 2]), np.array([0.1, 0.3, 0.3]), np.zeros(3), np.array([5., 6, 7]))
    from triad_plot.blocks import strip_of
    assert list(strip_of(wall, ("y", 0.25))[3]) == [6, 7] and list(strip_of(wall, ("y", 0.1))[0]) == [0]
    table = tmp_path / "others.csv"
    for head, ends in (("x", None), ("x/c", (0, 1))):
        table.write_text(f"# a tunnel\n{head},cp\n0.25,-0.4\n0.5,-0.3\n")
        beside = figures.find("surface").draw([Run(str(folder))], Options(beside=str(table)))
        assert looks.faults(beside) == []
        walls, others = beside.axes[0].lines
        assert others.get_label() == "a tunnel" and list(others.get_xdata()) == [0.25, 0.5] and list(others.get_ydata()) == [-0.4, -0.3]
        x = walls.get_xdata()
        assert (x.min(), x.max()) == ends if ends else x.max() < 1
    for text, code in (("y,cp\n1,2\n", 65), ("x,cp\n1\n", 65), ("x,cp\n", 65), ("x,cp\n1,b\n", 65), (None, 66)):
        table.unlink() if text is None else table.write_text(text)
        done = looks.plot_here("surface", folder, "--beside", table)
        assert done.returncode == code and "others.csv" in done.stderr, (text, done.stderr)
    assert looks.plot_here("contour", folder, "--beside", table).returncode == 64


def test_a_grid_that_was_written_is_the_same_grid(run, tmp_path, triad, mpirun):
    """triad grid: nodes, joins with their orientation and patches of blocks turned every way, read back: the same flow."""
    about = dict(solution=UNIFORM.format(mach=2), time="steady = true\nmax_steps = 5\ncfl = 0.5\nresidual = 0",
                 initial="solution", initial__perturbation=1e-3, patches='"xmin + xmax: exact", "ymin + ymax: slip", "*: symmetry"')
    made = run(grid=f"n = [10, 8, 6]\nsmooth = 0.05\n{TURNED}", **about)
    result = mpirun(1, triad, "grid", tmp_path / f"{made.name}.toml", "--write", tmp_path / "grid.x")
    assert "8 blocks, 480 cells" in result.stdout and "12 joined faces" in result.stdout
    names = f'kind = "file"\nfile = "{tmp_path / "grid.x"}"\nmap = "{tmp_path / "grid.nmf"}"'
    assert differs(state(made), state(run(grid=names, **about))) < 1e-14
    rows = [line.split() for line in (tmp_path / "grid.nmf").read_text().splitlines()[10:]]
    assert len(rows) == 12 + 24 and sum(row[0] == "ONE_TO_ONE" for row in rows) == 12


@pytest.fixture
def cgns(triad, tmp_path):
    """Only where the library is built in; elsewhere the refusal is looked at."""
    case = tmp_path / "any.toml"
    case.write_text(CASE.format(grid="n = [2, 2, 1]", patches='"*: slip"', solution="", initial="stream", time=STEADY, equations="",
                                output=""))
    result = subprocess.run([triad, "grid", case, "--write", tmp_path / "any.cgns"], capture_output=True, text=True)
    if result.returncode != 0:
        assert result.returncode == 69 and "libcgns-dev" in result.stderr
        pytest.skip("a build without CGNS")


def test_a_grid_in_cgns_is_the_same_grid(run, tmp_path, triad, mpirun, cgns):
    """Nodes, joins and patches of blocks turned every way, to the bit those of PLOT3D with its map: written again they are the same
    files; and the flow is the same."""
    about = dict(solution=UNIFORM.format(mach=2), time="steady = true\nmax_steps = 5\ncfl = 0.5\nresidual = 0",
                 initial="solution", initial__perturbation=1e-3, patches='"xmin + xmax: exact", "ymin + ymax: slip", "*: symmetry"')
    made = run(grid=f"n = [10, 8, 6]\nsmooth = 0.05\n{TURNED}", **about)
    for name in ("grid.x", "grid.cgns"):
        result = mpirun(1, triad, "grid", tmp_path / f"{made.name}.toml", "--write", tmp_path / name)
        assert "8 blocks, 480 cells" in result.stdout and "12 joined faces" in result.stdout
    read = run(grid=f'kind = "file"\nfile = "{tmp_path / "grid.cgns"}"', **about)
    assert differs(state(made), state(read)) < 1e-14
    mpirun(1, triad, "grid", tmp_path / f"{read.name}.toml", "--write", tmp_path / "again.x")
    for end in ("x", "nmf"):
        assert (tmp_path / f"grid.{end}").read_bytes() == (tmp_path / f"again.{end}").read_bytes()


def test_a_period_in_cgns_is_that_of_the_case(run, tmp_path, triad, mpirun, cgns):
    """Written with it, read without grid.period: the same flow in time, to the rounding of the shift. A map besides is refused."""
    about = dict(patches='"ymin + ymax + zmin + zmax: slip"', solution=UNIFORM.format(mach=0.5), initial="solution", initial__perturbation=1e-3,
                 equations='limiter = "van-leer"', time="end = 1e-4\ncfl = 0.5")
    made = run(grid="n = [9, 6, 4]\nlength = [0.7, 1, 1]\nblocks = [3, 1, 1]\nturned = true\nperiod = [0.7, 0, 0]", **about)
    mpirun(1, triad, "grid", tmp_path / f"{made.name}.toml", "--write", tmp_path / "grid.cgns")
    grid = f'kind = "file"\nfile = "{tmp_path / "grid.cgns"}"'
    assert differs(state(made), state(run(grid=grid, **about))) < 1e-12
    assert "says itself what is where" in run(grid=grid + '\nmap = "grid.nmf"', expect=65, **about).stderr


@pytest.mark.parametrize("name", ["grid.x", "grid.cgns"])
def test_planes_lie_along_any_axes(run, tmp_path, triad, mpirun, name):
    """A flow in two dimensions on blocks that are thin along i, j or k, read from files: that of the case."""
    about = dict(patches='"inner + outer: slip", "inflow: exact", "outflow: supersonic-outflow"', initial__perturbation=1e-3,
                 solution='kind = "supersonic-vortex"\nmach = 2\nradius = 2', time="steady = true\nmax_steps = 5\ncfl = 0.5\nresidual = 0")
    made = run(grid=ANNULUS.format(n=8, n2=16), **about)
    written = subprocess.run([triad, "grid", tmp_path / f"{made.name}.toml", "--write", tmp_path / name], capture_output=True, text=True)
    if name.endswith(".cgns") and written.returncode == 69:
        pytest.skip("a build without CGNS")
    assert written.returncode == 0, written.stderr
    grid = f'kind = "file"\nfile = "{tmp_path / name}"' + (f'\nmap = "{tmp_path / "grid.nmf"}"' if name == "grid.x" else "")
    assert differs(state(made), state(run(grid=grid, **about))) < 1e-13


def test_fields_in_cgns_have_the_numbers_of_hdf5(run, cgns):
    """By names of SIDS, in cells, with time and step; on three ranks."""
    folder = run(grid=f"n = [8, 6, 4]\nsmooth = 0.05\n{TURNED}", patches='"*: exact"', solution=UNIFORM.format(mach=2), ranks=3,
                 time="steady = true\nmax_steps = 3\ncfl = 0.5\nresidual = 0", output="fields_interval = 3\ncgns = true",
                 initial__perturbation=1e-3)
    with h5py.File(folder / "fields/blocks-00000003.cgns") as f, h5py.File(folder / "fields/blocks-00000003.h5") as h5, \
            h5py.File(folder / "fields/grid.h5") as grid:
        base = f["Base"]
        assert base["BaseIterativeData/TimeValues/ data"][:] == h5.attrs["t"] and base["BaseIterativeData/IterationValues/ data"][:] == 3
        for block in range(1, 9):
            zone = base[f"Block-{block:05d}"]
            solution = zone["FlowSolution00000003"]
            assert bytes(solution["GridLocation/ data"][:]) == b"CellCenter"
            for there, here in (("Density", "rho"), ("VelocityX", "u"), ("Pressure", "p"), ("Mach", "mach"), ("Temperature", "temperature")):
                assert (solution[f"{there}/ data"][:] == h5[f"{here}.{block}"][:]).all()
            assert (zone["GridCoordinates/CoordinateY/ data"][:] == grid[f"y.{block}"][:]).all()


def test_vtk_opens_fields_in_cgns(run, cgns):
    """All cells of all blocks, with the density of the flow."""
    reader = pytest.importorskip("vtkmodules.vtkIOCGNSReader", reason="VTK without CGNS").vtkCGNSReader()
    folder = run(grid=f"n = [8, 6, 4]\n{TURNED}", patches='"*: exact"', solution=UNIFORM.format(mach=2),
                 time="steady = true\nmax_steps = 1\ncfl = 0.5\nresidual = 0", output="fields_interval = 1\ncgns = true")
    reader.SetFileName(str(folder / "fields/blocks-00000001.cgns"))
    reader.UpdateInformation()
    reader.EnableAllBases()
    reader.EnableAllCellArrays()
    reader.Update()
    blocks = reader.GetOutput().NewIterator()
    blocks.InitTraversal()
    cells = 0
    while not blocks.IsDoneWithTraversal():
        block = blocks.GetCurrentDataObject()
        cells += block.GetNumberOfCells()
        low, high = block.GetCellData().GetArray("Density").GetRange()
        assert abs(low - 1e5 / 287 / 300) < 1e-12 and abs(high - low) < 1e-12
        blocks.GoToNextItem()
    assert cells == 8 * 6 * 4


def test_slices_are_layers_of_blocks(run, triad, mpirun):
    """Values and corners those of the files of fields, of all blocks or of one, the same on any ranks; triad info takes them."""
    about = dict(grid=f"n = [8, 6, 4]\nsmooth = 0.05\n{TURNED}", patches='"*: exact"', solution=UNIFORM.format(mach=2),
                 time="steady = true\nmax_steps = 2\ncfl = 0.5\nresidual = 0", initial__perturbation=1e-3,
                 output='fields_interval = 2\nslices = ["2.j=1: p, temperature", "k=2"]')
    folder, other = run(**about), run(**about, ranks=3)
    with h5py.File(folder / "fields/blocks-00000002.h5") as f, h5py.File(folder / "fields/grid.h5") as grid:
        with h5py.File(folder / "slices/slice1-00000002.h5") as one:
            assert {name.split(".")[-1] for name in one if "." in name} == {"2"} and one.attrs["at"] == 1
            assert (one["p.2"][:] == f["p.2"][:, 0, :]).all() and (one["temperature.2"][:] == f["temperature.2"][:, 0, :]).all()
            assert np.abs(one["x.2"][:] - (grid["x.2"][:, 0, :] + grid["x.2"][:, 1, :]) / 2).max() < 1e-15
        with h5py.File(folder / "slices/slice2-00000002.h5") as two:
            for block in range(1, 9):  # turned blocks differ in the number of their layers
                assert (f"mach.{block}" in two) == (f[f"rho.{block}"].shape[0] >= 2)
                if f"mach.{block}" in two:
                    assert (two[f"mach.{block}"][:] == f[f"mach.{block}"][1]).all()
    for path in sorted((folder / "slices").glob("*.png")):
        assert path.read_bytes() == (other / "slices" / path.name).read_bytes()
    assert len(list((folder / "slices").glob("*.png"))) == 4
    assert "WRONG" not in mpirun(1, triad, "info", folder).stdout


def test_a_picture_of_a_slice_shows_cells_where_they_are(run):
    """The lower half of a ring of radii 1 and 2: what no cell covers is grey; its share of the picture is 1 - (3 pi/2)/(4 2)."""
    image = pytest.importorskip("matplotlib.image")
    folder = run(grid='kind = "annulus"\nn = [128, 16, 1]\nradii = [1, 2]\nangles = [180, 360]\nblocks = [2, 2, 1]', patches='"*: exact"',
                 solution=UNIFORM.format(mach=2), time="steady = true\nmax_steps = 1\ncfl = 0.5\nresidual = 0",
                 output='slices = ["auto: mach"]')
    pixels = image.imread(folder / "slices/slice1-mach-00000001.png")[..., :3]
    assert pixels.shape == (512, 1024, 3)
    grey = np.abs(pixels - 128 / 255).max(axis=-1) < 1e-3
    assert abs(grey.mean() - (1 - 1.5 * math.pi / 8)) < 3e-3  # chords, and pixels at the edges
    assert grey[0, 512] and not grey[-2, 512] and not grey[2, 128]


@pytest.mark.parametrize("slices, says", [('"z=0"', "no layer of cells"), ('"k=5"', "no layer k = 5"), ('"9.k=1"', "block 9, of 1"),
                                          ('"k=1: speeed"', "no quantity")])
def test_slices_that_there_are_not_are_refused(run, slices, says):
    result = run(grid="n = [4, 4, 1]", patches='"*: exact"', solution=UNIFORM.format(mach=2), output=f"slices = [{slices}]", expect=65)
    assert says in result.stderr


C_GRID = 'kind = "aerofoil-c"\nn = [{n}, {m}, 1]\nfar = 20\nstretch = 3\nsection = "{section}"'
WING = 'kind = "wing"\nn = [32, 8, 8]\nfar = 10\nstretch = 3\nblocks = [4, 1, 1]'


@pytest.mark.parametrize("grid", [C_GRID.format(n=64, m=16, section="0012"), C_GRID.format(n=64, m=16, section="4412"), WING])
def test_a_stream_stays_about_a_body(run, grid):
    """Blocks joined to themselves along the wake and beyond the tip; a body that lets all through."""
    folder = run(grid=grid, patches=f'"*: farfield, {STREAM.format(mach=0.5)}"', solution=UNIFORM.format(mach=0.5),
                 time="steady = true\nmax_steps = 20\ncfl = 0.5\nresidual = 0", reference__up="y")
    series = outputs.series(folder)
    for field, size in (("rho", 1), ("u", 300), ("p", 1e5)):
        assert series[f"error_largest_{field}"][-1] < 20e-13 * size


def test_a_c_grid_has_its_section_for_a_wall(run, tmp_path, triad, mpirun):
    """Nodes of the wall on NACA's formula with a closed trailing edge; cut into 16 the flow is the same."""
    about = dict(grid=C_GRID.format(n=64, m=16, section="0012"), initial="stream", output="fields_interval = 20",
                 patches=f'"aerofoil: slip", "far + outflow: farfield, {STREAM.format(mach=0.5)}"',
                 time="steady = true\nmax_steps = 20\ncfl = 0.5\nresidual = 0")
    folder = run(**about)
    with h5py.File(folder / "fields/grid.h5") as f:
        x, y = f["x.1"][0, 0, 8:57], f["y.1"][0, 0, 8:57]
    exact = 0.6 * (0.2969 * np.sqrt(abs(x)) - 0.1260 * x - 0.3516 * x**2 + 0.2843 * x**3 - 0.1036 * x**4)
    assert np.abs(np.abs(y) - exact).max() < 1e-14 and x.min() < 1e-12 and abs(x[[0, -1]] - 1).max() < 1e-12
    assert differs(state(folder), state(run(**about, ranks=3, parallel__pieces=16))) < 1e-12


def test_the_wing_has_its_size(run):
    """ONERA M6: half area 0.753057, span 1.1963; the section is 9.786 % thick, in metres of the root's chord 0.8059."""
    folder = run(grid=WING.replace("32, 8, 8", "96, 8, 16"), initial="stream", output="fields_interval = 1",
                 patches=f'"wing: slip", "*: farfield, {STREAM.format(mach=0.5)}"',
                 time="steady = true\nmax_steps = 1\ncfl = 0.5\nresidual = 0")
    with h5py.File(sorted((folder / "surfaces").glob("*.h5"))[-1]) as f:
        area, y, z = f["area_z.wing"][:], f["y.wing"][:], f["z.wing"][:]
    inner = y < 1.1963
    assert np.abs(area[inner]).sum() / 2 == pytest.approx(0.753057, rel=1e-3)
    with h5py.File(folder / "fields/grid.h5") as f:
        root = np.concatenate([f[f"z.{b}"][0, 0] for b in (2, 3)])
        along = np.concatenate([f[f"x.{b}"][0, 0] for b in (2, 3)])
    assert np.ptp(root) == pytest.approx(2 * 0.04893 * 0.8059, rel=2e-3)
    assert np.ptp(along) == pytest.approx(0.8059, rel=1e-12)
    assert 0.37 < along[np.argmax(root)] / 0.8059 < 0.39


# ---- what is refused ----

BOX = dict(grid="n = [8, 8, 1]", initial="stream", time="steady = true\nmax_steps = 2\nresidual = 0")


@pytest.mark.parametrize("patches, words", [
    ('"xmin: farfield, mach=1, pressure=1, temperature=1"', ("joined to nothing: xmax, ymin, ymax",)),
    ('"xmim: slip", "*: nothing"', ('no patch "xmim", did you mean "xmin"', '"nothing" is no kind of boundary')),
    ('"*: farfield, mach=1, presure=2"', ('"presure=2" is no value of farfield', "farfield wants pressure=",
                                         "farfield wants temperature=")),
    ('"*: supersonic-inflow, mach=2, pressure=-1, temperature=300"', ("pressure of supersonic-inflow is not above 0",)),
    ('"*: wall"', ("laminar",)),
    ('"xmin + ymin: slip", "ymin: symmetry", "*: slip"', ('"ymin" is named twice',)),
    ('"*: slip"', ("no patch has a stream",)),
])
def test_bad_patches_are_told_all_at_once(run, patches, words):
    result = run(**BOX, patches=patches, expect=65)
    for word in words:
        assert word in result.stderr


def test_bad_grids_are_told_with_file_and_place(run, tmp_path):
    path = tmp_path / "bad.x"
    about = dict(grid=f'kind = "file"\nfile = "{path}"', patches='"*: exact"', solution=UNIFORM.format(mach=2))
    write_plot3d(path, blocks_of(), "text")
    text = path.read_text()
    path.write_text(text[:len(text) // 2])
    assert "it may be cut off" in run(**about, expect=65).stderr
    path.write_text(text.replace(" 0 ", " zero ", 1))
    assert "no number" in run(**about, expect=65).stderr
    write_plot3d(path, blocks_of(), "<f8")
    path.write_bytes(path.read_bytes()[:-8])
    assert "block 2" in run(**about, expect=65).stderr
    write_plot3d(path, [b[::-1] for b in blocks_of()], "text")
    result = run(**about, expect=65)
    assert "left-handed or folded" in result.stderr and "block 1" in result.stderr
    path.unlink()
    assert run(**about, expect=66)


def test_a_cell_without_pressure_ends_the_run_with_block_and_cell(run):
    """Steps far beyond stability."""
    result = run(grid="n = [16, 16, 1]\nblocks = [2, 1, 1]", patches='"*: exact"', solution='kind = "manufactured-euler"',
                 initial="solution", time="steady = true\nmax_steps = 2000\ncfl = 20\nresidual = 0", expect=80,
                 initial__perturbation=0.3)
    assert "density or pressure is not above 0, or no number: block" in result.stderr


def test_an_inlet_has_corners_on_nodes(run):
    result = run(**dict(BOX, grid='kind = "inlet"\nn = [50, 16, 1]'), patches='"*: slip"', expect=65)
    assert "39 or 52 instead of 50" in result.stderr


def test_a_steady_run_wants_max_steps(run):
    result = run(**dict(BOX, time="steady = true"), patches='"*: slip"', expect=65)
    assert "a steady run needs time.max_steps" in result.stderr
    result = run(**dict(BOX, time="cfl = 0.5"), patches='"*: slip"', expect=65)
    assert 'missing key "time.end"' in result.stderr


# ---- steady flow about a body, implicit steps ----

AEROFOIL = dict(grid='kind = "aerofoil"\nn = [64, 48, 1]\nfar = 100', initial="stream",
                patches='"aerofoil: slip", "far: farfield, mach=0.25, pressure=84307, temperature=300, alpha=5"',
                equations='limiter = "none"')


def test_aerofoil_has_its_lift_and_next_to_no_drag(run):
    """NACA 0012, M 0.25, alpha 5: Prandtl and Glauert's rule makes 0.6228 of the incompressible 0.6030; a grid of 64 cells round
    may miss it by 3 % (another code on such a grid: 0.5965, drag 0.0096). The drag of an inviscid flow is the grid's alone."""
    series = outputs.series(run(**AEROFOIL, time='steady = true\nscheme = "implicit"\nmax_steps = 1500\ncfl = 10\nresidual = 1e-6',
                                threads=2))
    assert series["step"][-1] < 1500
    assert series["cl"][-1] == pytest.approx(0.6228, rel=0.03)
    assert 0 < series["cd"][-1] < 0.012
    assert abs(series["mass_error"][-1]) < 1e-6


def test_implicit_steps_lead_to_the_same_flow(run):
    """A steady state is one whose residual is 0, whatever the steps; on any ranks alike."""
    about = dict(FLOWS["laminar"], patches='"*: exact"', equations=LAMINAR)
    steady = "steady = true\nmax_steps = 3000\nresidual = 1e-9\n"
    explicit = state(run(**about, time=steady + "cfl = 0.8"))
    implicit = run(**about, time=steady + 'scheme = "implicit"\ncfl = 5')
    assert differs(explicit[[0, 1, 2, 4]], state(implicit)[[0, 1, 2, 4]]) < 1e-7
    assert outputs.series(implicit)["step"][-1] < 600
    few = dict(about, time='steady = true\nscheme = "implicit"\nmax_steps = 20\nresidual = 0\ncfl = 5')
    one = state(run(**few))
    assert differs(one, state(run(**few, ranks=3, parallel__pieces=2))) < 1e-12


def test_implicit_steps_are_for_steady_flows(run):
    assert "is for steady flows" in run(**dict(BOX, time='end = 1\nscheme = "implicit"'), patches='"*: slip"', expect=65).stderr


@pytest.mark.parametrize("name, n, steps", [("naca0012-euler", [32, 24, 1], 60), ("naca0012-laminar", [32, 16, 1], 60),
                                            ("onera-m6", [32, 8, 8], 40), ("flat-plate", [16, 12, 1], 300), ("inlet", [52, 16, 1], 60),
                                            ("oblique-shock", [52, 16, 1], 60), ("supersonic-vortex", [16, 8, 1], 60)])
def test_ready_cases_begin_to_settle_on_few_cells(mpirun, triad, tmp_path, name, n, steps):
    """Signs are what they must be: lift up, drag back."""
    mpirun(1, triad, "run", "-q", ROOT / f"runs/{name}/case.toml", "--dir", tmp_path / "run",
           *sets(grid__n=n, time__max_steps=steps, output__report=False), timeout=100)
    series = outputs.series(tmp_path / "run")
    assert series["residual_mass"][-1] < 0.9
    if name.startswith(("naca", "onera")):
        assert series["cl"][-1] > 0 and series["cd"][-1] > 0
    if name == "flat-plate":
        assert series["cd_friction"][-1] > 0.0043


# ---- friction ----

def test_couette_flow_with_heat_is_exact_to_order_two(run):
    """Between a wall at rest, at 300 K, and one that moves, at 330 K: of constant viscosity u is linear and T a parabola,
    T = 300 + 30 y + Pr U^2/(2 cp) y (1 - y), at any Mach number, for p is constant and nothing depends on x."""
    speed, cp, prandtl = 200.0, 3.5 * 287, 0.72
    errors = []
    for n in (6, 12):
        folder = run(grid=f"n = [2, {n}, 1]\nlength = [1, 1, 1]\nperiod = [1, 0, 0]", initial="stream",
                     patches='"ymin: wall, temperature=300", f"X"'.replace('f"X"', f'"ymax: wall, temperature=330, u={speed}"') +
                             ', "xmin: farfield, mach=0.2, pressure=1e5, temperature=310"',
                     equations='model = "laminar"\nviscosity_law = "constant"\nviscosity = 50\nlimiter = "none"',
                     time='steady = true\nmax_steps = 20000\ncfl = 0.8\nresidual = 1e-9', output="fields_interval = 20000")
        with h5py.File(sorted((folder / "fields").glob("blocks-*.h5"))[-1]) as f:
            u, temperature = f["u.1"][0, :, 0], f["temperature.1"][0, :, 0]
        y = (np.arange(n) + 0.5) / n
        exact = 300 + 30 * y + prandtl * speed**2 / (2 * cp) * y * (1 - y)
        assert np.abs(u - speed * y).max() < 1e-4 * speed
        errors.append(np.abs(temperature - exact).max())
    assert math.log2(errors[0] / errors[1]) > 1.9 and errors[1] < 0.1


def test_a_flat_plate_has_the_friction_of_blasius(mpirun, triad, tmp_path):
    """c_f = 0.664/sqrt(Re_x). Cells of length h begin the layer about half a cell late, which is h/(4 x) of the friction, 1.2 % at x = 0.5;
    across the layer there are eight, which cost another half percent; steps still to go 0.1 %."""
    mpirun(1, triad, "run", "-q", ROOT / "runs/flat-plate/case.toml", "--dir", tmp_path / "run", timeout=100,
           *sets(grid__n=[48, 24, 1], time__max_steps=3000, output__report=False, output__fields_interval=3000))
    with h5py.File(tmp_path / "run/surfaces/surface-00003000.h5") as f:
        x, cf = f["x.wall"][:], f["cf.wall"][:]
    part = (cf * np.sqrt(1e5 * x) / 0.664)[(x > 0.5) & (x < 0.9)]
    assert abs(part - 1).max() < 0.02
