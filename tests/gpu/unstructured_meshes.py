"""Flux-corrected transport on GPUs: against the CPU, on ranks that share a GPU, from one device to the other."""

import sys
from functools import partial
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "help"))
import outputs
from restarts import in_parts
from schedule import FIRST, MORE, RARE, Row
from thin_layers import CONSERVED, DENSITY, FAR, VELOCITY, write_layers

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


def begin(check, keys, name, steps, device, *, ranks=1, precision="double"):
    keys = ['equations.solver="fct"', *keys, f"time.max_steps={steps}", f'parallel.device="{device}"',
            f'precision="{precision}"', "time.end=1000", "parallel.threads=1", "output.series_interval=0",
            "output.fields_interval=0", "output.checkpoint_interval=0", "output.report=false"]
    return check.begin(keys, name.replace(" ", "-"), ranks=ranks)


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


ON_RANKS = ("zones and lists", "windows beside lists", "corners among others", "colours", "viscous", "prelimited", "by components", "sponges and means")


def on_device(check, name, precision, device):
    return begin(check, FLOWS[name], f"fct-{name}-{precision}-{device}", STEPS, device, precision=precision)


def others(check, name, precision):
    """Runs on a CPU that differ from the flow's own by roundings."""
    if name.endswith("room"):
        return []
    runs = [begin(check, [*FLOWS[name], key], f"fct-{name}-{precision}-other-{i}", STEPS, "cpu", precision=precision) for i, key in enumerate(OTHERS[precision])]
    return runs + [on_device(check, name, "double", "cpu")] * (precision == "single")


def agree(check, what, name, precision):
    jobs = [on_device(check, name, precision, device) for device in ("gpu", "cpu")]
    of_roundings = others(check, name, precision)
    a, b = (job.result() for job in jobs)
    compare(check, what, a, b, (ROOM_LIMIT if name.endswith("room") else LIMIT)[precision], [job.result() for job in of_roundings])


def on_ranks(check, what, name, n, transport):
    alone, of_roundings = on_device(check, name, "double", "gpu"), others(check, name, "double")
    several = begin(check, [*FLOWS[name], f'parallel.transport="{transport}"'], f"fct-{name}-{n}-{transport}", STEPS, "gpu", ranks=n)
    compare(check, what, several.result(), alone.result(), LIMIT["double"], [job.result() for job in of_roundings])


def restart(check, name):
    whole = begin(check, FLOWS[name], f"fct-{name}-whole", 40, "gpu")
    for what, devices, limit in (("gpu in two parts, bit for bit", ("gpu", "gpu"), 0), ("gpu, then cpu", ("gpu", "cpu"), LIMIT["double"])):
        last = in_parts(begin, check, FLOWS[name], f"fct-{name}-{'-'.join(devices)}", 20, [(device, 1) for device in devices])
        compare(check, f"fct {name}: {what}", last, whole.result(), limit)


# Layers of 1e-6, by Gmsh's types of cells and the keys of a run.
THIN = {"hexahedra": 5, "prisms": 6, "tetrahedra": 4}
THIN_KEYS = {"": [], ", hllc, high": ['equations.low_order="hllc"', 'equations.transport="high"'], ", limited": ['equations.gradients="limited"']}


def stays(check, what, kind, more):
    """A uniform flow through thin layers, 60 steps on a GPU, against itself."""
    mesh = check.folder / f"{what.replace(' ', '-').replace(',', '')}.msh"
    write_layers(mesh, kind, 1e-6)
    folder, _ = begin(check, ['grid.kind="hexes"', "grid.n=[4,4,4]", f'grid.file="{mesh}"', 'initial.kind="uniform"', f"initial.density={DENSITY}",
                              f"initial.velocity={VELOCITY}", f'boundaries.patches=["{FAR}"]', *more], what, 60, "gpu").result()
    if folder is None:
        check.row(what, "no result", "runs", False)
        return
    worst = max(float(abs(values / exact - 1).max()) for values, exact in zip(state(folder), CONSERVED))
    check.row(what, f"{worst:.1e}", "<= 1e-12", worst < 1e-12)


def rows(check, names):
    for cells, kind in THIN.items() if len(names) == len(FLOWS) else ():
        for keys, more in THIN_KEYS.items():
            what = f"fct thin layers, {cells}{keys}: a uniform flow stays"
            yield Row("fct", what, partial(stays, check, what, kind, more), MORE, "fct")
    for precision in LIMIT:
        for name in names if precision == "double" or len(names) < len(FLOWS) else names[::2]:
            what = f"fct {name} {precision}: GPU against CPU"
            tier = RARE if precision == "single" else FIRST if name in ("zones and lists", "bricks") else MORE
            yield Row("fct", what, partial(agree, check, what, name, precision), tier, "fct")
    for i, (n, transport) in enumerate(RANKS):
        for name in (name for name in (ON_RANKS, ON_RANKS[::2], ON_RANKS[1::2])[i] if name in names):
            what = f"fct {name}: {n} ranks {transport}, against one"
            tier = FIRST if (name, n) == ("zones and lists", 2) else MORE if n == 2 else RARE
            yield Row("fct", what, partial(on_ranks, check, what, name, n, transport), tier, "fct")
    for name in names[:1]:
        yield Row("fct", f"fct {name}: restart", partial(restart, check, name), RARE, "fct")
