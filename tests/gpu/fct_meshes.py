"""Flux-corrected transport on GPUs: against the CPU, on ranks that share a GPU, from one device to the other."""

import shlex
import sys
from pathlib import Path

import h5py
import numpy as np
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import outputs

MPIRUN = shlex.split("mpirun --allow-run-as-root --oversubscribe --bind-to none")

BLAST = ['initial.kind="blast"', "initial.energy=5", "initial.radius=0.3", "initial.centre=[0.5,0.4,0.3]",
         "initial.velocity=[0.5,0.2,0]", "grid.length=[1,0.7,0.6]", "grid.shake=0.2", "time.cfl=0.5",
         'boundaries.patches=["xmin: inflow, pressure=1, density=1, u=0.5, v=0.2", "xmax: outflow", '
         '"ymin: farfield, pressure=1", "zmin: pressure, pressure=1"]']

WALLS = ['boundaries.patches=["xmin: inflow, pressure=1, density=1, u=0.5, v=0.2", "xmax: outflow", "ymin: noslip", '
         '"ymax: noslip, temperature=2", "zmin: pressure, pressure=1"]', "equations.viscosity=0.01"]

# Between them all shapes of cells, zones and lists, loops, fluxes and kinds of boundaries.
FLOWS = {
    "zones and lists": [*BLAST, 'grid.kind="hybrid"', "grid.n=[20,12,11]"],
    "bricks and lists": [*BLAST, 'grid.kind="hybrid"', "grid.n=[20,12,11]", "grid.shake=0"],
    "bricks": [*BLAST, 'grid.kind="hexes"', "grid.n=[37,20,18]", "grid.shake=0", 'equations.low_order="hllc"'],
    "bricks in windows": [*BLAST, 'grid.kind="hexes"', "grid.n=[37,20,18]", "grid.shake=0", "grid.layers=4"],
    "seams in windows": [*BLAST[:-1], 'boundaries.patches=["xmin: periodic", "xmax: periodic", "zmin: periodic", "zmax: periodic"]',
                         'grid.kind="hexes"', "grid.n=[24,20,18]", "grid.shake=0", "grid.layers=4"],
    "windows beside lists": [*BLAST, 'grid.kind="hybrid"', "grid.n=[32,14,13]", "grid.shake=0", "grid.layers=3", 'grid.loops="colours"'],
    "lists": [*BLAST, 'grid.kind="hybrid"', "grid.n=[20,12,11]", 'grid.structured="none"', 'equations.low_order="hllc"'],
    "hexahedra": [*BLAST, 'grid.kind="hexes"', "grid.n=[33,20,18]", 'equations.high_order="central"'],
    "coalesced": [*BLAST, 'grid.kind="tets"', "grid.n=[12,10,9]", 'grid.numbering="coalesced"'],
    "corners": [*BLAST, 'grid.kind="tets"', "grid.n=[12,10,9]", 'grid.faces="corners"'],
    "corners among others": [*BLAST, 'grid.kind="hybrid"', "grid.n=[20,12,11]", 'grid.faces="corners"', 'equations.low_order="hllc"'],
    "colours": [*BLAST, 'grid.kind="pyramids"', "grid.n=[12,10,9]", 'grid.loops="colours"'],
    "atomics": [*BLAST, 'grid.kind="prisms"', "grid.n=[12,10,9]", 'grid.loops="atomics"'],
    "low order": [*BLAST, 'grid.kind="tets"', "grid.n=[12,10,9]", 'equations.transport="low"'],
    "sponges and means": [*BLAST[:-1], 'boundaries.patches=["xmin: inflow, pressure=1, density=1, u=0.5, v=0.2", "xmax: farfield, pressure=1, u=0.5, '
                          'sponge=0.4, strength=30", "ymin: farfield, pressure=1, sponge=0.2, strength=50"]', 'grid.kind="hybrid"', "grid.n=[20,12,11]", "output.means=true"],
    "viscous": [*BLAST, *WALLS, 'grid.kind="hybrid"', "grid.n=[20,12,11]"],
    "viscous by corners": [*BLAST, *WALLS, 'grid.kind="tets"', "grid.n=[12,10,9]", 'grid.faces="corners"', 'grid.loops="colours"'],
    "prelimited": [*BLAST, 'grid.kind="hybrid"', "grid.n=[20,12,11]", "equations.prelimit=true"],
    "by components": [*BLAST, 'grid.kind="hybrid"', "grid.n=[20,12,11]", 'equations.limited=["components"]', 'grid.loops="atomics"'],
    "all of these": [*BLAST, *WALLS, 'grid.kind="hexes"', "grid.n=[33,20,18]", 'equations.limited=["components"]', "equations.prelimit=true",
                     'equations.high_order="central"'],
    "zones and lists with room": [*BLAST, 'grid.kind="hybrid"', "grid.n=[20,12,11]", "equations.slack=0.01"],
    "tetrahedra with room": [*BLAST, 'grid.kind="tets"', "grid.n=[12,10,9]", "equations.slack=0.01"],
}

# A hundred steps, as other ranks and loops on a CPU: 1e-12, in single precision 1e-5 times what a blast's shock adds. Where
# factors of faces multiply roundings by more than that, the measure is what roundings do to a CPU's own run: cells in another
# order, a gamma that is a unit of rounding off, and single against double precision. All are maxima over some thousand cells of
# errors that grow alike from other seeds; of such variants on one CPU the largest was up to forty times the least, so ten of the
# largest is no more than that spread.
# Where bounds leave room (equations.slack) no factor multiplies roundings, and limits are those of roundings alone.
STEPS, LIMIT, AS_OWN = 100, {"double": 1e-12, "single": 1e-3}, 10
ROOM_LIMIT = {"double": 1e-12, "single": 1e-5}
OTHERS = {"double": ['grid.numbering="morton"', "equations.gamma=1.4000000000000004", "equations.gamma=1.3999999999999997"],
          "single": ['grid.numbering="morton"', "equations.gamma=1.4000001", "equations.gamma=1.3999999"]}
RANKS = [(2, "ipc"), (3, "staged"), (4, "auto")]


def run(check, keys, name, steps, device, *, ranks=1, precision="double"):
    keys = ['equations.solver="fct"', *keys, f"time.max_steps={steps}", f'parallel.device="{device}"',
            f'precision="{precision}"', "time.end=1000", "parallel.threads=1", "output.series_interval=0",
            "output.fields_interval=0", "output.checkpoint_interval=0", "output.report=false"]
    return check.run(keys, name.replace(" ", "-"), before=[*MPIRUN, "-n", str(ranks)] if ranks > 1 else ())


def state(folder):
    with h5py.File(outputs.checkpoints(folder)[-1] / "points.h5") as f:
        means = [name for name in ("mean_rho", "mean_u", "stress_uv", "variance_p") if name in f]
        return np.array([f[name][...].astype(float).ravel() for name in ["rho", "rho_u", "rho_v", "rho_w", "e", *means]])


def compare(check, what, a, b, limit, others=()):
    """others: runs on a CPU that differ from b by roundings."""
    if a[0] is None or b[0] is None or any(other[0] is None for other in others):
        check.row(what, "no result", "runs", False)
        return
    a, b = state(a[0]), state(b[0])
    value, told = float(abs(a - b).max() / abs(b).max()), ""
    if others:
        own = max(float(abs(state(other[0]) - b).max() / abs(b).max()) for other in others)
        limit, told = max(limit, AS_OWN * own), f"; roundings on a CPU {own:.1e}"
    check.row(what, f"{value:.1e}{told}", f"<= {limit:.1g}", bool(np.isfinite(value)) and value <= limit)


def all_of(check, names):
    with ThreadPoolExecutor(4) as pool:
        cpu = {(name, precision): pool.submit(run, check, FLOWS[name], f"fct-{name}-{precision}-cpu", STEPS, "cpu",
                                              precision=precision) for precision in LIMIT for name in names}
        others = {(name, precision): [] if name.endswith("room") else
                  [pool.submit(run, check, [*FLOWS[name], key], f"fct-{name}-{precision}-other-{i}", STEPS,
                               "cpu", precision=precision) for i, key in enumerate(OTHERS[precision])]
                  + [cpu[name, "double"]] * (precision == "single") for precision in LIMIT for name in names}
        jobs = [(f"fct {name} {precision}: GPU against CPU", (ROOM_LIMIT if name.endswith("room") else LIMIT)[precision],
                 pool.submit(run, check, FLOWS[name], f"fct-{name}-{precision}-gpu", STEPS, "gpu", precision=precision),
                 cpu[name, precision], others[name, precision]) for precision in LIMIT for name in names]
        for name in (name for name in ("zones and lists", "windows beside lists", "corners among others", "colours", "viscous", "prelimited", "by components", "sponges and means") if name in names):
            alone = pool.submit(run, check, FLOWS[name], f"fct-{name}-alone", STEPS, "gpu")
            for n, transport in RANKS:
                keys = [*FLOWS[name], f'parallel.transport="{transport}"']
                jobs.append((f"fct {name}: {n} ranks {transport}, against one", LIMIT["double"],
                             pool.submit(run, check, keys, f"fct-{name}-{n}-{transport}", STEPS, "gpu", ranks=n), alone,
                             others[name, "double"]))
        for what, limit, a, b, of_roundings in jobs:
            compare(check, what, a.result(), b.result(), limit, [job.result() for job in of_roundings])
        for name in names[:1]:
            whole = pool.submit(run, check, FLOWS[name], f"fct-{name}-whole", 40, "gpu").result()
            for part, device in enumerate(("gpu", "gpu")):
                last = run(check, FLOWS[name], f"fct-{name}-parts", 20 * (part + 1), device)
            compare(check, f"fct {name}: gpu in two parts, bit for bit", last, whole, 0)
            for part, device in enumerate(("gpu", "cpu")):
                last = run(check, FLOWS[name], f"fct-{name}-mixed", 20 * (part + 1), device)
            compare(check, f"fct {name}: gpu, then cpu", last, whole, LIMIT["double"])
