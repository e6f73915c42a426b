"""The rows of tests/gpu/bench-gpus: what is timed on several GPUs, in the order of what matters most, and which of them a host takes.

A row is one run of triad bench. Memory is told before by bytes a point that such runs take (docs/performance.md), or by triad plan."""

from dataclasses import dataclass, field

COUNTS = (1, 2, 4, 8)
HEADER = "[equations]\n[grid]\n[initial]\n[time]\n[output]\n[parallel]\n"
TAYLOR_GREEN = ["equations.viscosity=6.25e-4", 'initial.kind="taylor-green"', "time.cfl=0.5", 'grid.length=["2pi","2pi","2pi"]']
SETS = {
    "hd": ['equations.solver="hd"', *TAYLOR_GREEN, 'time.scheme="rk2"'],
    "boussinesq": ['equations.solver="boussinesq"', "equations.diffusivity=6.25e-4", *TAYLOR_GREEN, "equations.buoyancy_frequency=1.0",
                   'time.scheme="rk2"'],
    "mhd": ['equations.solver="mhd"', "equations.viscosity=1e-3", "equations.resistivity=1e-3", 'initial.kind="orszag-tang"',
            "time.cfl=0.5", 'grid.length=["2pi","2pi","2pi"]', 'time.scheme="rk2"'],
    "gpe": ['equations.solver="gpe"', "equations.sound_speed=1.0", "equations.healing_length=0.02", 'initial.kind="uniform"',
            'grid.length=["2pi","2pi","2pi"]', 'time.scheme="rk4"', "time.dt=1e-4"],
}
GAS = ["initial.kind=taylor-green", "initial.re_lambda=0", "equations.viscosity=1e-3"]
STAGGERED = ["grid.length=[1,1,1]", "initial.kind=random", "solver.tolerance=1e-8", "time.dt=1e-4"]
CUBE_1 = ["grid.length=[1,1,1]"]
# Bytes that a point takes of a GPU, as runs on one GPU were measured; of the spectral sets triad plan tells.
# Particles: a number a component and register, 88 bytes each, on top of the 24 of hd.
BYTES = {"tracers": 96, "gas": 210, "cg": 130, "transform": 160, "blocks": 180, "inlet": 190, "fct": 630}
HOST_BYTES = {"fct": 700, "tracers": 96}  # of a cell, while a mesh is made; of a particle, whose record files take


@dataclass
class Row:
    group: str        # what is compared within: weak, strong
    name: str
    gpus: int
    n: tuple
    keys: list
    case: str = ""    # a ready case; "": the header alone
    precision: str = "double"
    steps: int = 10
    bytes: float = 0  # of a point; 0: triad plan tells
    host: float = 0   # of a point, of all ranks; 0: next to nothing
    work: int = 0     # points; 0: n multiplied
    plan: bool = False # triad plan beside it
    why: str = field(default="", compare=False)

    @property
    def points(self):
        return self.work or self.n[0] * self.n[1] * self.n[2]

    def settings(self):
        device = [] if any(key.startswith("parallel.device=") for key in self.keys) else ['parallel.device="gpu"']
        return [*self.keys, f"grid.n=[{','.join(map(str, self.n))}]", f'precision="{self.precision}"', *device,
                *([] if self.case else ["time.end=100"])]


def cube(n):
    return (n, n, n)


def divided(n, gpus):
    """Weak: n^3 points a GPU, doubled along z, y and x in turn."""
    sides, axis = [n, n, n], 2
    while gpus > 1:
        sides[axis], gpus, axis = 2 * sides[axis], gpus // 2, (axis - 1) % 3
    return tuple(sides)


def spectral():
    for n, precision in ((1024, "double"), (512, "double"), (2048, "single")):
        for name in ("hd", "mhd", "boussinesq", "gpe"):
            for gpus in COUNTS:
                yield Row(f"strong {n}^3", name, gpus, cube(n), SETS[name], precision=precision, steps=5 if n > 512 else 10, plan=True)
    for gpus in COUNTS:
        yield Row("weak 512^3 a GPU", "hd", gpus, divided(512, gpus), SETS["hd"], plan=True)
    yield Row("the largest", "hd", 8, cube(4096), SETS["hd"], precision="single", steps=20, plan=True)
    for n in (512, 1024):
        for gpus in COUNTS[1:]:
            for groups in (g for g in COUNTS if g < gpus and g * g >= gpus // 2):
                yield Row(f"shared planes {n}^3", f"hd {groups} x {gpus // groups}", gpus, cube(n), [*SETS["hd"], f"parallel.split=[{groups},{gpus // groups}]"],
                          steps=5 if n > 512 else 10, plan=True)
    for n in (360, 720):
        for gpus in COUNTS:
            yield Row(f"shifts {n}^3", "hd", gpus, cube(n), [*SETS["hd"], 'grid.dealiasing="phase-shift"'], plan=True)


def others():
    for gpus in COUNTS:
        for n in (128, 512):
            yield Row(f"gas, weak {n}^3 a GPU", "gas", gpus, divided(n, gpus), GAS, "runs/compressible-hit-decay/case.toml", bytes=BYTES["gas"], steps=4)
        for n in (128, 512):
            yield Row(f"gas, strong {n}^3", "gas", gpus, cube(n), GAS, "runs/compressible-hit-decay/case.toml", bytes=BYTES["gas"], steps=4)
    for pressure, kind in (("pcg-polynomial", "cg"), ("transform", "transform")):
        for n in (256, 512):
            for gpus in COUNTS:
                yield Row(f"staggered {kind}, weak {n}^3 a GPU", kind, gpus, divided(n, gpus), [*STAGGERED, f"solver.pressure={pressure}"],
                          "runs/staggered-vortices/case.toml", bytes=BYTES[kind], steps=2)
    for gpus in COUNTS:
        yield Row("inlet, strong", "blocks", gpus, (6656, 4096, 1), [], "runs/inlet/case.toml", bytes=BYTES["inlet"], steps=10)
        yield Row("wing, strong", "blocks", gpus, (384, 96, 128), ["time.limiter_freeze=0"], "runs/onera-m6/case.toml", bytes=BYTES["blocks"], steps=5)
    for side, name in ((203, "50 M tetrahedra"), (322, "200 M tetrahedra")):
        for gpus in COUNTS:
            yield Row(f"fct, strong {name}", "fct", gpus, cube(side), [*CUBE_1, "equations.gradients=near"], "runs/sod-tets/case.toml",
                      bytes=BYTES["fct"], host=HOST_BYTES["fct"], work=6 * side**3, steps=3)
    for gpus in COUNTS:
        yield Row("particles, one a point, 1024^3", "tracers", gpus, cube(1024), [*SETS["hd"], 'particles=[{name="all", count=1073741824}]'], bytes=BYTES["tracers"],
                  host=HOST_BYTES["tracers"], steps=5)


AEROFOIL = "mach=0.25, pressure=84307, temperature=300, alpha=5"
LAMINAR = ["equations.model=laminar", "equations.viscosity_law=sutherland"]


def papers():
    """The grids of the five papers that docs/papers.md compares with; those that groups above have already are not repeated."""
    for gpus in COUNTS:
        for n in ((1024, 1024, 256), (2048, 2048, 512)):  # GHOST, figures 5 to 7
            yield Row(f"papers: GHOST {n[0]}x{n[1]}x{n[2]}, strong", "boussinesq", gpus, n, SETS["boussinesq"], steps=5, plan=True)
    for gpus in COUNTS[:2]:
        for streams in (1, 2, 4, 8, 16):  # GHOST, figure 3: the state on the host, and on the GPU where there are messages
            for device in ("offload", *(["gpu"] if gpus > 1 else [])):
                for n in (256, 512):
                    for lines in ("own", "cufft"):  # streamed cuFFT batches are the paper's system
                        yield Row(f"papers: GHOST {n}^3 {device} by nstreams", f"hd {lines} {streams}", gpus, cube(n),
                                  [*SETS["hd"], f'parallel.device="{device}"', f"parallel.nstreams={streams}", f'parallel.lines="{lines}"'], bytes=40)
    for gpus in COUNTS:
        gas = dict(case="runs/compressible-hit-decay/case.toml", bytes=BYTES["gas"], steps=10)  # in the scheme of HyPar
        yield Row("papers: HyPar 256^3, strong", "gas", gpus, cube(256), GAS, **gas)  # figure 11
        for n in (64, 160):  # figures 12 and 13; 128^3 has a group above
            yield Row(f"papers: HyPar {n}^3 a GPU, weak", "gas", gpus, divided(n, gpus), GAS, **gas)
        yield Row("papers: HyPar 1024^3, strong", "gas", gpus, cube(1024), GAS, **{**gas, "steps": 3})  # table 2
        for n in (128, 256, 512):  # Khajeh-Saeed and Perot, figures 9 and 10
            yield Row(f"papers: Perot {n}^3, strong", "cg", gpus, cube(n), [*STAGGERED, "solver.pressure=pcg-polynomial"],
                      "runs/staggered-vortices/case.toml", bytes=BYTES["cg"], steps=2)
        yield Row("papers: Perot 128^3 a GPU, weak", "cg", gpus, divided(128, gpus), [*STAGGERED, "solver.pressure=pcg-polynomial"],
                  "runs/staggered-vortices/case.toml", bytes=BYTES["cg"], steps=2)  # figures 11 to 13
        blocks = dict(gpus=gpus, bytes=BYTES["blocks"], steps=10)  # SENSEI, tables 2 to 4
        yield Row("papers: SENSEI inlet", "Euler", n=(3328, 2048, 1), keys=[], case="runs/inlet/case.toml", **blocks)
        yield Row("papers: SENSEI inlet", "laminar", n=(3328, 2048, 1), case="runs/inlet/case.toml", **blocks,
                  keys=[*LAMINAR, 'boundaries.patches=["inflow: supersonic-inflow, mach=4, pressure=12270, temperature=217", "ramp + cowl: wall", '
                        '"symmetry: symmetry", "outflow: supersonic-outflow"]'])
        yield Row("papers: SENSEI aerofoil", "Euler", n=(4096, 1536, 1), case="runs/naca0012-euler/case.toml", **blocks,
                  keys=[f'boundaries.patches=["aerofoil: slip", "far: farfield, {AEROFOIL}"]'])
        yield Row("papers: SENSEI aerofoil", "laminar", n=(4096, 1536, 1), case="runs/naca0012-laminar/case.toml", **blocks,
                  keys=[f'boundaries.patches=["aerofoil: wall", "far: farfield, {AEROFOIL}"]'])
        yield Row("papers: SENSEI wing", "laminar", n=(384, 96, 128), case="runs/onera-m6/case.toml", **{**blocks, "steps": 5},
                  keys=[*LAMINAR, "time.limiter_freeze=0", 'boundaries.patches=["wing: wall", "symmetry: symmetry", '
                        '"far + outflow + side: farfield, mach=0.8395, pressure=315979.763, temperature=255.556, alpha=3.06"]'])
        fct = dict(bytes=BYTES["fct"], host=HOST_BYTES["fct"], steps=10)  # JENRE, table of section IV
        yield Row("papers: JENRE nozzle, 13.5 M tetrahedra", "fct", gpus, cube(131), [*CUBE_1, "equations.gradients=near"], "runs/sod-tets/case.toml",
                  work=6 * 131**3, **fct)
        yield Row("papers: JENRE wake, 38 M hexahedra", "fct", gpus, cube(336), [*CUBE_1, 'grid.kind="hexes"'], "runs/sod-tets/case.toml",
                  **{**fct, "bytes": 230})


# Groups in the order in which they are run: groups that only several GPUs show come before those that take long. Within a line of ORDER
# rows of most GPUs come first, so that rows of fewer share the host: four of one GPU, two of two.
ORDER = (("strong 1024^3", "strong 512^3", "weak 512^3 a GPU", "gas, weak 512^3", "staggered cg, weak 256^3", "staggered transform, weak 256^3", "inlet", "wing",
          "shared planes 1024^3", "shifts 360^3"),
         ("strong 2048^3", "the largest", "particles", "gas, weak 128^3", "gas, strong", "shifts 720^3", "shared planes 512^3"),
         ("staggered transform, weak 512^3", "fct, strong 50 M", "staggered cg, weak 512^3", "fct, strong 200 M"),
         ("papers: HyPar", "papers: GHOST", "papers: SENSEI", "papers: Perot", "papers: JENRE"))


def every_row():
    places = {group: (i, j) for i, groups in enumerate(ORDER) for j, group in enumerate(groups)}

    def place(row):
        i, j = next(place for group, place in places.items() if row.group.startswith(group))
        return i, -row.gpus, j
    return sorted([*spectral(), *others(), *papers()], key=place)


def memory(row, planned):
    """Bytes of a GPU that the row takes; planned: what triad plan says, or None."""
    return row.bytes * row.points / row.gpus if row.bytes else planned(row)


def choose(rows, gpus, room, planned, host=float("inf")):
    """Each row with why it is not run, "" for those that are. room: bytes of a GPU; host: of the host."""
    for row in rows:
        if row.gpus > gpus:
            row.why = f"wants {row.gpus} GPUs, {gpus} {'is' if gpus == 1 else 'are'} there"
        else:
            bytes_ = memory(row, planned)
            if bytes_ is None:
                row.why = "triad plan does not count it"
            elif bytes_ > 0.97 * room:
                row.why = f"takes {1e-9 * bytes_:.0f} GB of a GPU, {1e-9 * room:.0f} are there"
            elif row.host * row.points > 0.9 * host:
                row.why = f"takes {1e-9 * row.host * row.points:.0f} GB of the host, which has {1e-9 * host:.0f}"
    return rows


PLANES = 0.83  # of the transforms, what is not lines along z and can hide messages (docs/notebook/gpu-kernels.md)


def messages(results):
    """Lines of a machine file: bytes a GPU sends in a second, and what hides, of the first row on several GPUs whose phases were
    timed, one after the other; all other rows are planned with them. "" without such a row."""
    for r in results:
        sent = r.get("phases_s", {}).get("exchange", 0)
        if r["gpus"] > 1 and sent > 0 and r.get("sent_bytes"):
            busy, work = PLANES * r["phases_s"]["fft"], sum(r["phases_s"][p] for p in ("fft", "exchange", "pointwise"))
            overlap = min(1, max(0, (work - r["step_s"]) / min(sent, busy)))
            return f"\nsizes = [1]\nrates = [{r['sent_bytes'] / r['gpus'] / sent:.6g}]\noverlap = {overlap:.3f}"
    return ""


def efficiency(rows):
    """Over the same name on one GPU of a group: (row, times as fast, efficiency), in the group's sense of weak or strong."""
    alone = {(r["group"], r["name"]): r for r in rows if r["gpus"] == 1 and r.get("step_s")}
    for r in rows:
        one = alone.get((r["group"], r["name"]))
        if not one or not r.get("step_s"):
            continue
        faster = one["step_s"] / r["step_s"] * r["points"] / one["points"]
        r["over_one"], r["efficiency"] = faster, faster / r["gpus"]
    return rows
