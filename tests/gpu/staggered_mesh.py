"""Staggered flows on GPUs: against the CPU, from one device to the other, on ranks that share a GPU."""

import ast
import sys
from functools import partial
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "help"))
import outputs
from restarts import restart
from schedule import ALONE, FIRST, LAST, MORE, RARE, SANITIZER, Row

CUBES = ['solids.kind="random-cubes"', "solids.count=12", "solids.side=5"]
RANDOM = ['initial.kind="random"', "equations.viscosity=0.002", "grid.length=[1,0.9,1.2]", "time.dt=0.002"]

# Between them every pressure solver, all kinds of coefficients (open, by bits, stretched), boundaries, solids and forces.
HEAT = ["equations.temperature=true", "equations.diffusivity=0.01", "equations.thermal_expansion=1", "equations.gravity=[0.3,0,-20]",
        'initial.temperature="1 + sin(x)*cos(y) - 0.3*z"']
FLOWS = {
    "transform": [*RANDOM, "grid.n=[64,60,50]", 'solver.pressure="transform"'],
    "plane": [*RANDOM, "grid.n=[96,70,1]", 'solver.pressure="transform"'],
    "cg": [*RANDOM, "grid.n=[64,37,50]", 'solver.pressure="cg"'],
    "polynomial": [*RANDOM, "grid.n=[130,33,40]", 'solver.pressure="pcg-polynomial"'],
    "cubes transform": [*RANDOM, *CUBES, "grid.n=[48,45,40]", 'solver.pressure="pcg-transform"'],
    "cubes polynomial": [*RANDOM, *CUBES, "grid.n=[48,45,40]", 'solver.pressure="pcg-polynomial"'],
    "walls": [*RANDOM, "grid.n=[48,41,36]", 'boundaries.y=["wall","wall"]', 'boundaries.z=["slip","wall"]',
              "boundaries.wall_velocity=[0,0,0,0,0,0, 0.3,0,-0.1,1,0,0.2, 0,0,0,0.2,-0.4,0]", 'solver.pressure="pcg-polynomial"'],
    "channel": [*RANDOM, "grid.n=[48,41,36]", "grid.stretch=[0,1.7,0]", 'boundaries.y=["wall","wall"]',
                'forcing.kind="flow-rate"', "time.dt=0.0005", 'solver.pressure="pcg-polynomial"'],
    "channel by transform": [*RANDOM, "grid.n=[48,41,36]", "grid.stretch=[0,1.7,0]", 'boundaries.y=["wall","wall"]',
                             'forcing.kind="pressure-gradient"', "time.dt=0.0005"],
    "cavity transform": [*RANDOM, "grid.n=[48,41,36]", 'boundaries.x=["wall","slip"]', 'boundaries.y=["wall","wall"]',
                         'boundaries.z=["slip","wall"]', 'solver.pressure="transform"'],
    "boxes in a channel": [*RANDOM, "grid.n=[48,41,36]", "grid.stretch=[0,1.2,0]", 'boundaries.y=["wall","wall"]',
                           'solver.pressure="pcg-transform"', 'solids.kind="boxes"', "solids.boxes=[3,0,2,9,8,7,20,20,15,4,6,5]",
                           "time.dt=0.0005"],
    "cubes by waves": [*RANDOM, *CUBES, "grid.n=[48,45,64]", 'solver.pressure="pcg-transform"'],
    "stretched boxes": [*RANDOM, "grid.n=[40,44,36]", "grid.stretch=[0.5,0,1]", 'boundaries.z=["slip","wall"]',
                        'solver.pressure="cg"', 'solids.kind="boxes"', "solids.boxes=[3,4,2,9,8,7,20,20,15,4,6,5]",
                        "time.dt=0.0005"],
    "heated layer": [*RANDOM, *HEAT, "grid.n=[48,40,33]", "grid.stretch=[0,0,1]", 'boundaries.z=["wall","slip"]',
                     'boundaries.thermal_z=["isothermal","adiabatic"]', "boundaries.wall_temperature=[0,0,0,0,2,0]", "time.dt=0.0005"],
    "heated cubes, implicit": [*RANDOM, *CUBES, *HEAT, "grid.n=[48,45,40]", 'solver.pressure="pcg-polynomial"', 'solver.diffusion="implicit"',
                               'solids.thermal="isothermal"', "solids.temperature=3"],
    "strained": [*RANDOM, "grid.n=[48,40,44]", "strain.rates=[2,-3,1]", "strain.start=0.003", "strain.end=0.007"],
    "stream": [*RANDOM, "grid.n=[48,41,36]", 'boundaries.x=["inflow","outflow"]', "boundaries.inflow=[1,0.2,-0.1]",
               'boundaries.y=["slip","wall"]', 'solver.pressure="pcg-polynomial"', 'solids.kind="boxes"',
               "solids.boxes=[10,12,10,9,8,7]"],
    "regions": [*RANDOM, "grid.n=[40,36,44]", 'solver.pressure="cg"', 'solids.kind="boxes"',
                "solids.boxes=[0,0,5,40,36,3,0,0,20,40,36,1,10,10,28,8,8,1,10,10,37,8,8,1,10,10,29,1,8,8,17,10,29,1,8,8,"
                "11,10,29,6,1,8,11,17,29,6,1,8]"],
    "swinging": [*RANDOM, "grid.n=[40,44,36]", 'boundaries.y=["wall","slip"]', "boundaries.wall_frequency=7",
                 "boundaries.wall_velocity=[0,0,0,0,0,0,1,0,-0.5,0,0,0,0,0,0,0,0,0]", 'solver.pressure="pcg-polynomial"'],
    "implicit": [*RANDOM, "equations.viscosity=0.05", "grid.n=[40,44,36]", "grid.stretch=[0,1,0]", 'boundaries.y=["wall","wall"]',
                 'solver.diffusion="implicit"', 'solids.kind="boxes"', "solids.boxes=[3,4,2,9,8,7]", 'solver.pressure="cg"'],
    "released": [*RANDOM[1:], *CUBES, "grid.n=[48,40,44]", 'initial.kind="rest"', "solids.release=0.004",
                 'solver.pressure="pcg-polynomial"', 'forcing.kind="stirring"', "forcing.interval=0.003"],
}

# With the pressure's residual at 1e-12 of its right-hand side five steps leave 1e-10. In single precision a velocity is rounded
# some 8 times a stage, as a random walk: 0.5 eps sqrt(8 x 3 x 5) in each of two runs, seven times that in the worst of 1e5 cells.
STEPS, LIMIT = 5, {"double": 1e-10, "single": 1e-5}
# Ranks that share a GPU take turns at it, which makes an iteration's messages long: flows of ON_RANKS take all three, others one each.
RANKS = [(2, (0, 0, 0), "ipc"), (2, (2, 1, 1), "staged"), (3, (1, 3, 1), "ipc")]
ON_RANKS = ("polynomial", "transform", "cubes polynomial")
# With "auto" kernels of ranks wait for each other, one run at a time: a kernel that waits holds others of its GPU up.
WAITING = {"cg": [(0, 0, 0), (2, 1, 1)], "polynomial": [(2, 1, 1)], "cubes polynomial": [(0, 0, 0)], "stretched boxes": [(2, 1, 1)],
           "walls": [(0, 0, 0)], "transform": [(0, 0, 0)], "cubes transform": [(0, 0, 0)]}


def begin(check, keys, name, steps, device, *, ranks=1, precision="double"):
    tolerance = ["solver.tolerance=1e-12"] if precision == "double" else []
    keys = ['equations.solver="staggered"', *tolerance, *keys, f"time.max_steps={steps}", f'parallel.device="{device}"',
            f'precision="{precision}"', "time.end=1000", "parallel.threads=1", "output.series_interval=0",
            "output.fields_interval=0", "output.checkpoint_interval=0", "output.report=false"]
    return check.begin(keys, name.replace(" ", "-"), ranks=ranks)


def state(folder):
    with h5py.File(outputs.checkpoints(folder)[-1] / "points.h5") as f:
        return {name: f[name][...].astype(float) for name in ("u", "v", "w", "p", "temperature") if name in f}


def difference(a, b):
    """The largest |a - b| over the largest speed, or of temperatures over the largest; and of the pressure over its largest value."""
    a, b = state(a), state(b)
    speed = max(abs(b[name]).max() for name in "uvw")
    scale = {**dict.fromkeys("uvw", speed), **{n: abs(b[n]).max() for n in b if n == "temperature"}}
    return (max(float(abs(a[n] - b[n]).max() / scale[n]) for n in scale),
            float(abs(a["p"] - b["p"]).max() / abs(b["p"]).max()))


def key(flow, name, default):
    return ast.literal_eval(next((k.split("=", 1)[1] for k in reversed(flow) if k.startswith(name + "=")), default))


def pressure_limit(flow, fields):
    """What single precision leaves of the pressure, over its largest value. A solve ends at a residual r that is the rounding of
    the terms of the right-hand side, eps |u|/(h dt) each of six, or at 16 eps of the right-hand side itself, which is smaller here; of
    that, A^-1 r is at most r over the smallest eigenvalue, that of the longest wave, (pi/L)^2 between walls and (2 pi/L)^2 else.
    Two runs."""
    eps, dt, n, length = 2.0**-23, key(flow, "time.dt", "1"), key(flow, "grid.n", "[]"), key(flow, "grid.length", "[]")
    stretch, terms, smallest = key(flow, "grid.stretch", "[0,0,0]"), 0.0, np.inf
    for i, name in enumerate("uvw"):
        if n[i] == 1:
            continue
        ends = key(flow, "boundaries." + "xyz"[i], '["periodic","periodic"]')
        smallest = min(smallest, ((2 if ends[0] == "periodic" else 1) * np.pi / length[i])**2)
        face = np.linspace(-1, 1, n[i] + 1)
        if stretch[i]:
            face = np.tanh(stretch[i] * face) / np.tanh(stretch[i])
        square = (fields[name]**2).mean(axis=tuple(k for k in range(3) if k != 2 - i))
        terms += 2 * (square / (length[i] / 2 * np.diff(face))**2).mean()
    return 2 * eps * np.sqrt(terms) / dt / smallest / abs(fields["p"]).max()


def compare(check, what, a, b, limit, flow=None):
    """flow: of single precision, whose pressure has a limit of its own."""
    if a[0] is None or b[0] is None:
        check.row(what, "no result", "runs", False)
        return
    velocity, pressure = difference(a[0], b[0])
    value = max(velocity, pressure)
    if flow is None:
        check.row(what, f"{value:.1e}", f"<= {limit:.1g}", bool(np.isfinite(value)) and value <= limit)
        return
    most = pressure_limit(flow, state(b[0]))
    check.row(what, f"{velocity:.1e}, pressure {pressure:.1e}", f"<= {limit:.1g}, {most:.1e}",
              bool(np.isfinite(value)) and velocity <= limit and pressure <= most)


def agree(check, what, name, precision):
    a, b = (job.result() for job in [begin(check, FLOWS[name], f"staggered-{name}-{precision}-{device}", STEPS, device, precision=precision)
                                     for device in ("gpu", "cpu")])
    compare(check, what, a, b, LIMIT[precision], FLOWS[name] if precision == "single" else None)


def in_slabs(name):
    """Flows whose pressure a transform finds are divided along z alone: those that name it, and those that name no solver, for which
    a transform is the choice of "auto"."""
    return "transform" in key(FLOWS[name], "solver.pressure", '"transform"')


def on_ranks(check, what, name, n, grid, transport):
    keys = [*FLOWS[name], f"parallel.blocks=[{grid[0]},{grid[1]},{grid[2]}]", f'parallel.transport="{transport}"']
    alone = begin(check, FLOWS[name], f"staggered-{name}-double-gpu", STEPS, "gpu")
    several = begin(check, keys, what.replace(":", ""), STEPS, "gpu", ranks=n)
    compare(check, what + ", against one", several.result(), alone.result(), LIMIT["double"])


def refused(check, i, name, keys, ranks, word):
    _, text = begin(check, [*FLOWS[name], *keys], f"staggered-refused-{i}", 1, "gpu", ranks=ranks).result()
    code = check.code_of[f"staggered-refused-{i}"]
    check.row(f"staggered: refused, {word} named", f"exit code {code}", "69", code == 69 and word in text)


def sanitized(check, tool, which, name):
    """Two steps of a flow; a few iterations launch every kernel of the pressure."""
    keys = ['equations.solver="staggered"', *FLOWS[name], "grid.n=[40,34,36]", "solver.tolerance=0.01", "time.max_steps=2", 'parallel.device="gpu"',
            "time.end=1000", "output.series_interval=0", "output.report=false"]
    folder, text = check.run(keys, f"staggered-{name}-{which}".replace(" ", "-"), before=(tool, "--tool", which, "--error-exitcode", "9"), seconds=200)
    summary = [line.strip("= ") for line in text.splitlines() if "SUMMARY" in line]
    check.row(f"staggered {name} {which}", "; ".join(sorted(set(summary))) or "no summary", "no report", folder is not None)


def sanitizer(check, tool, tools):
    """One flow for each kind of coefficients."""
    for i, which in enumerate(tools):
        for name in ("polynomial", "cubes transform", "stretched boxes", "channel")[:4 if i < 2 else 2]:
            yield Row("staggered", f"staggered {name} {which}", partial(sanitized, check, tool, which, name),
                      SANITIZER if name == "polynomial" and i < 2 else LAST, "sanitizer")


def rows(check, names):
    for precision in LIMIT:
        for name in names if precision == "double" or len(names) < len(FLOWS) else names[::2]:
            what = f"staggered {name} {precision}: GPU against CPU"
            tier = RARE if precision == "single" else FIRST if name in ("transform", "polynomial") else MORE
            yield Row("staggered", what, partial(agree, check, what, name, precision), tier, "staggered")
    for i, name in enumerate(name for name in names if name not in ("plane", "cavity transform")):
        some = RANKS if name in ON_RANKS else [RANKS[i % 3]]
        for n, grid, transport in dict.fromkeys((n, (0, 0, 0) if in_slabs(name) else grid, transport) for n, grid, transport in some):
            what = f"staggered {name}: {n} ranks {'x'.join(map(str, grid))} {transport}"
            tier = FIRST if name == "polynomial" and grid == (0, 0, 0) else MORE if name in ON_RANKS else RARE
            yield Row("staggered", what, partial(on_ranks, check, what, name, n, grid, transport), tier, "staggered")
    for i, (name, keys, n, word) in enumerate([("cg", ["parallel.reproducible=true"], 1, "parallel.reproducible"),
                                               ("transform", ["parallel.blocks=[2,1,1]"], 2, "slabs across z")]):
        yield Row("staggered", f"staggered: refused, {word} named", partial(refused, check, i, name, keys, n, word), RARE, "staggered")
    for name in (name for name in WAITING if name in names):
        for grid in WAITING[name]:
            what = f"staggered {name}: 2 ranks {'x'.join(map(str, grid))} auto"
            yield Row("staggered", what, partial(on_ranks, check, what, name, 2, grid, "auto"), ALONE, "staggered")
    for name in (name for name in ("cubes polynomial", "released", "stream") if name in names):
        yield Row("staggered", f"staggered {name}: restart", partial(restart, check, begin, compare, f"staggered {name}", FLOWS[name], LIMIT["double"]),
                  RARE, "staggered")
