"""Particles on GPUs: against the CPU, again, on several ranks, and with the state on the host."""

import sys
from functools import partial
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))
import flows
import compressible_flows
from schedule import MORE, RARE, Row

TIMES = ["time.max_steps=20", "output.particles_interval=1000"]


def groups(*some):
    return "particles=[" + ", ".join("{" + ", ".join(f'{k}={v}' for k, v in g.items()) + "}" for g in some) + "]"


def group(name, interpolation, count=3000, **more):
    return dict(name=f'"{name}"', count=count, interpolation=f'"{interpolation}"', **more)


SPHERES = dict(kind='"inertial"', stokes_time=0.2, gravity="[0.1,0,-0.3]")
SAMPLES = '["velocity","gradient"]'
TRACERS = groups(group("few", "lagrange6", 7), group("many", "lagrange6"), group("spline", "spline4", sample=SAMPLES), group("eight", "lagrange8"),
                 group("linear", "linear"))
HEAVY = groups(group("heavy", "spline6", **SPHERES), group("light", "lagrange6", density_ratio=0.3, sample=SAMPLES, **SPHERES))
OF_A_GAS = groups(group("few", "lagrange4", 7), group("many", "lagrange6"), group("heavy", "linear", **SPHERES),
                  group("light", "lagrange4", density_ratio=0.5, **SPHERES))
FALLING = dict(kind='"inertial"', stokes_time=0.5, gravity="[2,0,-3]")
AT_WALLS = groups(group("tracers", "lagrange6"), group("reflect", "lagrange4", **FALLING), group("absorb", "lagrange6", boundary='"absorb"', **FALLING),
                  group("reenter", "linear", boundary='"reenter"', **FALLING), group("light", "lagrange4", density_ratio=0.5, **FALLING))
IN_A_STREAM = groups(group("absorb", "lagrange4"), group("reenter", "lagrange6", boundary='"reenter"', sample='["velocity"]', **SPHERES),
                     group("light", "lagrange4", density_ratio=0.5, boundary='"reenter"', **SPHERES))
GAS = ['equations.solver="compressible"', "equations.viscosity=5e-3", 'initial.kind="formula"', 'initial.p="1"', 'initial.rho="1+0.1*cos(x)"',
       'grid.length=["2pi","2pi","2pi"]', "time.cfl=0.6"]

# name: the flow's keys, what moves in it. Grids that ranks do not divide evenly; between them each interpolation, drag, added
# mass, samples, every set with scalars, shifts, forces and a force by formula; of a gas all that becomes of them at boundaries.
FLOWS = {
    "hd tracers": ([*flows.FLOWS["hd"], "grid.n=[40,36,42]"], TRACERS),
    "hd spheres": ([*flows.FLOWS["hd-waves"], "grid.n=[36,40,32]"], HEAVY),
    "hd-shifted spheres": ([*flows.FLOWS["hd-shifted"], "grid.n=[36,32,40]"], HEAVY),
    "boussinesq spheres": ([*flows.FLOWS["boussinesq-rotating"], "grid.n=[32,36,40]"], HEAVY),
    "mhd spheres": ([*flows.FLOWS["mhd-hall"], "grid.n=[36,36,32]"], HEAVY),
    "gpe tracers": ([*flows.FLOWS["gpe"], "grid.n=[36,40,32]"], groups(group("few", "linear", 7), group("spline", "spline4", least_density=0.05,
                                                                                                      sample='["velocity","density"]'))),
    "gas": ([*compressible_flows.TURBULENCE, 'equations.solver="compressible"', "grid.n=[36,33,40]"], OF_A_GAS),
    "gas walls": ([*GAS, "grid.n=[33,36,40]", 'initial.u="0.5*sin(z)"', 'initial.v="0.5*cos(x)"', 'initial.w="0.5*sin(y)"',
                   'boundaries.x=["reflecting","adiabatic"]', 'boundaries.z=["isothermal","reflecting"]'], AT_WALLS),
    "gas stream": ([*GAS, "grid.n=[40,33,36]", 'initial.u="2"', 'initial.v="0.1*sin(y)"', 'initial.w="0.1*cos(y)"', "boundaries.inflow=[1,2,0.1,0,1]",
                    'boundaries.x=["inflow","outflow"]', 'boundaries.z=["extrapolate","extrapolate"]'], IN_A_STREAM),
}

# Relative to the rms of a column, after 20 steps. Modes of two devices differ by 1e-12 and 1e-5 (check's own limits, the second far above
# what rounding gives), gradients by k_max, 20, times that, and so does what is made of them: accelerations and velocities of spheres with added
# mass. In single the same in its own units of rounding would be 1e-2; 20 steps of two products each of 2^-24, added up through sums of 216
# points (15 at random) times a k_max of 20 are 20 * 2^-24 * 15, 2e-5. A superfluid's velocity is divided by the density, 0.05 at the least.
LIMIT = {"double": 2e-11, "single": 2e-5}
DENSITY = {"gpe tracers": 0.05}


def columns(folder):
    """{group/dataset: array} of a run's last row; what lies in NAME.0000.h5 shows through NAME.h5, its whole rows alone."""
    out = {}
    for path in sorted(p for p in (folder / "particles").glob("*.h5") if "." not in p.stem):
        with h5py.File(path) as f:
            out.update({f"{path.stem}/{name}": f[name][-1] for name in f if getattr(f[name], "ndim", 0) >= 2})
    return out


def difference(a, b):
    """The column that differs most, over its rms."""
    a, b = columns(a), columns(b)
    if a.keys() != b.keys() or not b:
        return "not the same columns", np.inf
    rms = {name: np.sqrt((np.where(np.isfinite(v), v, 0)**2).mean()) for name, v in b.items()}
    return max(((name, float(np.abs(a[name] - b[name]).max() / rms[name])) for name in b), key=lambda w: w[1] if np.isfinite(w[1]) else np.inf)


def begin(check, name, device, precision="double", ranks=1, again=""):
    keys, moved = FLOWS[name]
    label = f"particles-{name}-{precision}-{device}-{ranks}{again}".replace(" ", "-")
    return check.begin([*keys, moved, *TIMES, f'precision="{precision}"', f'parallel.device="{device}"', "time.end=1000", "parallel.threads=2",
                        "output.series_interval=0", "output.spectra_interval=0"], label, ranks=ranks)


def agree(check, what, name, one, other):
    a, b = (job.result()[0] for job in [begin(check, name, **one), begin(check, name, **other)])
    if a is None or b is None:
        check.row(what, "no result", "runs", False)
        return
    limit = 0.0 if other["device"] == "gpu" else LIMIT[one.get("precision", "double")] / DENSITY.get(name, 1)
    column, worst = difference(a, b)
    check.row(what, f"{worst:.1e} ({column})", f"<= {limit:g}", worst <= limit)


def rows(check, names):
    """A gas does not pass through a GPU: parallel.device = "offload" is for the spectral sets."""
    pairs = [(MORE, dict(device="gpu"), dict(device="cpu")), (MORE, dict(device="gpu", ranks=3), dict(device="gpu")),
             (RARE, dict(device="gpu", precision="single"), dict(device="cpu", precision="single")),
             (RARE, dict(device="gpu", again=" again"), dict(device="gpu")), (RARE, dict(device="gpu", ranks=2), dict(device="gpu")),
             (RARE, dict(device="offload"), dict(device="cpu"))]
    for tier, one, other in pairs:
        some = names[::3] if "again" in one else names[1::2] if one.get("ranks") == 2 else [n for n in names if one["device"] != "offload" or not n.startswith("gas")]
        for name in some:
            what = f"particles, {name}: {' '.join(map(str, one.values()))} against {' '.join(map(str, other.values()))}"
            yield Row("particles", what, partial(agree, check, what, name, one, other), tier, "particles")
