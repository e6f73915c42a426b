"""Flows on curvilinear blocks on GPUs: against the CPU, from one device to the other, on ranks that share a GPU."""

import shlex
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import outputs
from restarts import restart

MPIRUN = shlex.split("mpirun --allow-run-as-root --oversubscribe --bind-to none")

STREAM = "mach=0.5, pressure=1e5, temperature=300, alpha=20"
BOX = ["grid.random=0.2", "initial.perturbation=0.05", f'boundaries.patches=["*: farfield, {STREAM}"]',
       "time.steady=true"]
TURNED = ["grid.blocks=[2,2,2]", "grid.turned=true"]
WALLS = ['equations.model="laminar"', "equations.viscosity=1", "grid.random=0.2", "initial.perturbation=0.02",
         "time.steady=true",
         'boundaries.patches=["ymin: wall, temperature=310", "ymax: wall, u=20", "zmin: symmetry", "zmax: slip", '
         f'"xmin: subsonic-inflow, {STREAM}", "xmax: subsonic-outflow, pressure=1e5"]']

# Between them every flux and limiter, all boundaries, blocks turned every way and flat along each axis, local and
# equal steps.
FLOWS = {
    "roe": [*BOX, *TURNED, "grid.n=[60,52,44]"],
    "van leer": [*BOX, "grid.n=[70,37,50]", 'equations.riemann="van-leer"', 'equations.limiter="van-leer"'],
    "steger": [*BOX, *TURNED, "grid.n=[40,36,44]", 'equations.riemann="steger-warming"', 'equations.limiter="minmod"'],
    "ausm": [*BOX, "grid.n=[33,64,41]", 'equations.riemann="ausm+"', 'equations.limiter="ospre"', 'time.scheme="rk4"'],
    "plane": [*BOX, "grid.n=[150,130,1]", "grid.blocks=[3,2,1]", "grid.turned=true"],
    "long": [*BOX, "grid.n=[7,6,300]", 'equations.limiter="superbee"', "time.local=false"],
    "in time": [*BOX[:3], *TURNED, "grid.n=[40,44,36]", "time.end=1", 'time.scheme="ssprk3"'],
    "laminar": [*WALLS, *TURNED, "grid.n=[48,44,40]"],
    "laminar one": [*WALLS, "grid.n=[70,41,36]"],
    "implicit": [*BOX, *TURNED, "grid.n=[48,44,40]", 'time.scheme="implicit"'],
    "64 blocks": [*BOX, "grid.n=[64,60,56]", "grid.blocks=[4,4,4]"],
}

# Each step differs by some units of rounding of fluxes as large as the state; in single precision by as many of its own. Where a
# far field is along the stream the sign of a rounding decides whether it lets in or out, which a few cells of 10^5 beside it
# feel by 10^-2 in single precision, on whatever device: there the root of the mean square is held to the limit.
STEPS, LIMIT = 10, {"double": 1e-12, "single": 1e-4}
RANKS = [(2, "ipc"), (3, "staged"), (4, "auto")]


def run(check, keys, name, steps, device, *, ranks=1, precision="double"):
    keys = ['equations.solver="multiblock"', 'initial.kind="stream"', *keys, f"time.max_steps={steps}",
            f'parallel.device="{device}"', "time.cfl=0.7", f'precision="{precision}"', "parallel.threads=1",
            "output.series_interval=0", "output.fields_interval=0", "output.checkpoint_interval=0", "output.report=false"]
    return check.run(keys, name.replace(" ", "-"), before=[*MPIRUN, "-n", str(ranks)] if ranks > 1 else ())


def state(folder):
    with h5py.File(outputs.checkpoints(folder)[-1] / "points.h5") as f:
        return {name: f[name][...].astype(float) for name in ("rho", "rho_u", "rho_v", "rho_w", "e")}


def difference(a, b, precision="double"):
    """The largest |a - b| of a field, in single precision its root of the mean square, over its largest value, of momenta over the
    largest of all three."""
    a, b = state(a), state(b)
    momentum = max(abs(b[name]).max() for name in ("rho_u", "rho_v", "rho_w"))
    size = (lambda d: abs(d).max()) if precision == "double" else (lambda d: np.sqrt(np.mean(d**2)))
    return max(float(size(a[n] - b[n]) / (momentum if n.startswith("rho_") else abs(b[n]).max())) for n in b)


def compare(check, what, a, b, limit, precision="double"):
    if a[0] is None or b[0] is None:
        check.row(what, "no result: " + (a if a[0] is None else b)[1].strip()[-200:], "runs", False)
        return
    value = difference(a[0], b[0], precision)
    check.row(what, f"{value:.1e}", f"<= {limit:.1g}", bool(np.isfinite(value)) and value <= limit)


def agreement(check, pool, names):
    def both(name, precision):
        return (pool.submit(run, check, FLOWS[name], f"blocks-{name}-{precision}-{device}", STEPS, device, precision=precision)
                for device in ("gpu", "cpu"))

    jobs = [(name, precision, *both(name, precision)) for precision in LIMIT for name in names]
    for name, precision, gpu, cpu in jobs:
        compare(check, f"blocks {name} {precision}: GPU against CPU", gpu.result(), cpu.result(), LIMIT[precision], precision)


def ranks(check, pool, names):
    jobs = []
    for name in (name for name in names if name in ("roe", "plane", "laminar", "64 blocks")):
        alone = pool.submit(run, check, FLOWS[name], f"blocks-{name}-alone", STEPS, "gpu")
        for n, transport in RANKS:
            what = f"blocks {name}: {n} ranks {transport}"
            keys = [*FLOWS[name], f'parallel.transport="{transport}"']
            jobs.append((what, pool.submit(run, check, keys, what.replace(":", ""), STEPS, "gpu", ranks=n), alone))
    for what, several, alone in jobs:
        compare(check, what + ", against one", several.result(), alone.result(), LIMIT["double"])


def sanitizer(check, tool, tools, jobs=6):
    """Two steps of a flow of each kind."""
    if not Path(tool).exists():
        check.row("sanitizer of blocks", "compute-sanitizer is not there", "runs", False)
        return

    def one(name, which):
        keys = ['equations.solver="multiblock"', 'initial.kind="stream"', *FLOWS[name], "time.max_steps=2",
                'parallel.device="gpu"', "output.series_interval=0", "output.report=false"]
        keys += [] if name == "plane" else ["grid.n=[24,22,20]"]
        folder, text = check.run(keys, f"blocks-{name}-{which}".replace(" ", "-"),
                                 before=(tool, "--tool", which, "--error-exitcode", "9"), seconds=200)
        summary = [line.strip("= ") for line in text.splitlines() if "SUMMARY" in line]
        return f"blocks {name} {which}", "; ".join(sorted(set(summary))) or "no summary", folder is not None

    pairs = [(name, which) for which in tools for name in ("roe", "plane", "laminar")]
    with ThreadPoolExecutor(jobs) as pool:
        for what, summary, passed in pool.map(lambda pair: one(*pair), pairs):
            check.row(what, summary, "no report", passed)


def all_of(check, names=None, jobs=12):
    names = names or list(FLOWS)
    with ThreadPoolExecutor(jobs) as pool:
        agreement(check, pool, names)
        ranks(check, pool, names)
    for name in (name for name in ("roe", "laminar") if name in names):
        with ThreadPoolExecutor(jobs) as pool:
            restart(check, pool, run, compare, f"blocks {name}", FLOWS[name], LIMIT["double"])
