"""Flows on curvilinear blocks on GPUs: against the CPU, from one device to the other, on ranks that share a GPU."""

import sys
from functools import partial
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "help"))
import outputs
from restarts import restart
from schedule import FIRST, LAST, MORE, RARE, SANITIZER, Row

STREAM = "mach=0.5, pressure=1e5, temperature=300, alpha=20"
BOX = ["grid.random=0.2", "initial.perturbation=0.05", f'boundaries.patches=["*: farfield, {STREAM}"]',
       "time.steady=true", "time.residual=0"]
TURNED = ["grid.blocks=[2,2,2]", "grid.turned=true"]
WALLS = ['equations.model="laminar"', "equations.viscosity=1", "grid.random=0.2", "initial.perturbation=0.02",
         "time.steady=true", "time.residual=0",
         'boundaries.patches=["ymin: wall, temperature=310", "ymax: wall, u=20", "zmin: symmetry", "zmax: slip", '
         f'"xmin: subsonic-inflow, {STREAM}", "xmax: subsonic-outflow, pressure=1e5"]']

# Between them every flux and limiter, also frozen (from the second step on), all boundaries, blocks turned every way and flat
# along each axis, local and equal steps.
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
    "frozen": [*BOX, *TURNED, "grid.n=[48,44,40]", "time.limiter_freeze=1"],
    "64 blocks": [*BOX, "grid.n=[64,60,56]", "grid.blocks=[4,4,4]"],
}

# Each step differs by some units of rounding of fluxes as large as the state; in single precision by as many of its own. Where a
# far field is along the stream the sign of a rounding decides whether it lets in or out, which a few cells of 10^5 beside it
# feel by 10^-2 in single precision, on whatever device: there the root of the mean square is held to the limit.
STEPS, LIMIT = 10, {"double": 1e-12, "single": 1e-4}
RANKS = [(2, "ipc"), (3, "staged"), (4, "auto")]


def begin(check, keys, name, steps, device, *, ranks=1, precision="double"):
    keys = ['equations.solver="multiblock"', 'initial.kind="stream"', *keys, f"time.max_steps={steps}",
            f'parallel.device="{device}"', "time.cfl=0.7", f'precision="{precision}"', "parallel.threads=1",
            "output.series_interval=0", "output.fields_interval=0", "output.checkpoint_interval=0", "output.report=false"]
    return check.begin(keys, name.replace(" ", "-"), ranks=ranks)


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


def agree(check, what, name, precision):
    a, b = (job.result() for job in [begin(check, FLOWS[name], f"blocks-{name}-{precision}-{device}", STEPS, device, precision=precision)
                                     for device in ("gpu", "cpu")])
    compare(check, what, a, b, LIMIT[precision], precision)


def on_ranks(check, what, name, n, transport):
    alone = begin(check, FLOWS[name], f"blocks-{name}-double-gpu", STEPS, "gpu")
    several = begin(check, [*FLOWS[name], f'parallel.transport="{transport}"'], what.replace(":", ""), STEPS, "gpu", ranks=n)
    compare(check, what + ", against one", several.result(), alone.result(), LIMIT["double"])


def sanitized(check, tool, which, name):
    """Two steps of a flow."""
    keys = ['equations.solver="multiblock"', 'initial.kind="stream"', *FLOWS[name], "time.max_steps=2",
            'parallel.device="gpu"', "output.series_interval=0", "output.report=false"]
    keys += [] if name == "plane" else ["grid.n=[24,22,20]"]
    folder, text = check.run(keys, f"blocks-{name}-{which}".replace(" ", "-"), before=(tool, "--tool", which, "--error-exitcode", "9"), seconds=200)
    summary = [line.strip("= ") for line in text.splitlines() if "SUMMARY" in line]
    check.row(f"blocks {name} {which}", "; ".join(sorted(set(summary))) or "no summary", "no report", folder is not None)


def sanitizer(check, tool, tools):
    for i, which in enumerate(tools):
        for name in ("roe", "plane", "laminar") if i < 2 else ("laminar",):
            yield Row("blocks", f"blocks {name} {which}", partial(sanitized, check, tool, which, name), SANITIZER if name == "roe" and i < 2 else LAST, "sanitizer")


def rows(check, names):
    for precision in LIMIT:
        for name in names:
            what = f"blocks {name} {precision}: GPU against CPU"
            tier = RARE if precision == "single" else FIRST if name in ("roe", "laminar") else MORE
            yield Row("blocks", what, partial(agree, check, what, name, precision), tier, "blocks")
    for n, transport in RANKS:
        for name in (name for name in ("roe", "plane", "laminar", "64 blocks") if name in names):
            what = f"blocks {name}: {n} ranks {transport}"
            tier = FIRST if (name, n) == ("roe", 2) else MORE if n == 2 else RARE
            yield Row("blocks", what, partial(on_ranks, check, what, name, n, transport), tier, "blocks")
    for name in (name for name in ("roe", "laminar", "frozen") if name in names):
        yield Row("blocks", f"blocks {name}: restart", partial(restart, check, begin, compare, f"blocks {name}", FLOWS[name], LIMIT["double"]), RARE, "blocks")
