"""Memory that is refused in tiny runs of every family, on two ranks: which runs, and what becomes of each refusal. For
test_faults.py and long/refusals.

An allocation is known by the calls that lead to it (TRIAD_FAULT_CALLERS of preload.c): of those that are reached the same way,
again and again, the first stands for all."""

import os
import re
import shutil
import subprocess
import threading
import zlib
from dataclasses import dataclass, field
from pathlib import Path

import msh
import outputs
import test_force_file
from conftest import ROOT, Launcher
from outputs import sets

RANKS, WITHIN = 2, 20.0  # [s]
GOOD = (0, 71, 74)  # it went on without; out of memory; a library could not write what it had no memory for

TRY_AGAIN = dict(output__retry_interval=1, output__retry_limit=4)  # files that could not be written
OFTEN = dict(**TRY_AGAIN, time__max_steps=2, time__dt=0.005, output__report=False, output__series_interval=0, output__checkpoint_interval=0.004,
             output__fields_interval=0.004, output__slices_interval=0.004, output__spectra_interval=0.004)
CUBE = dict(grid__n=[16, 16, 16], **OFTEN)
STEADY = dict(**TRY_AGAIN, time__max_steps=2, time__residual=0, output__report=False, output__series_interval=1, output__fields_interval=1,
              output__checkpoint_interval=1, output__slices_interval=1)
FLAT = {key: value for key, value in OFTEN.items() if "spectra" not in key and "dt" not in key}
OWN = "\n[[output.quantities]]\nname = \"mine\"\nformula = \"u*dx(w) + y*z\"\n"
PLACES = ["[1, 2, 3]", "lattice 2 1 2"]
MEANS = ["spectra", "moments", "pdfs", "profiles x", "profiles y", "profiles z"]
TUBE = """[equations]
solver = "fct"
[grid]
kind = "tets"
n = [1, 1, 1]
file = "mesh.msh"
[initial]
kind = "sod"
[boundaries]
patches = ["xmin: outflow", "xmax: outflow", "ymin: slip", "ymax: slip", "zmin: slip", "zmax: slip"]
[time]
end = 0.05
"""
TARGET = """[equations]
solver = "hd"
[initial]
kind = "random"
[forcing]
kind = "random"
k_range = [1.0, 2.5]
power = 0.3
[target]
re_lambda = 10
kmax_eta = 0.5
[time]
end = 1.0
"""


@dataclass
class Case:
    """A command: the program's words, and more of its case's text. `before`: words of commands that make what it reads, once,
    in PLACE; `from_run`: it goes on from a copy of what the run PLACE/run left."""
    words: list
    text: str = ""
    before: list = field(default_factory=list)
    of: str = ""
    from_run: bool = False
    files: object = None
    ranks: int = RANKS


def of(name, text="", **values):
    return Case(["run", "PLACE/case.toml", "--dir", "DIR", *sets(**values)], text, of=name)


def mesh(place):
    msh.write_msh(place / "mesh.msh", "4.1", True)


CASES = {
    "hd": of("taylor-green-demo", OWN, **CUBE, initial__kind="random", output__line_spectra=True, output__structure_functions="log",
             output__fields=["u", "mine", "pressure"], output__slices=["x=0", "z=1: vorticity"], output__transfer=True),
    "scalars": of("mhd-decay", **CUBE, equations__scalars=[0.01, 0.02], equations__scalar_gradients=[0, 0, 1, 1, 0, 0],
                  equations__hall=0.1, grid__truncation="box", forcing__kind="ornstein-uhlenbeck", forcing__power=0.1),
    "boussinesq": of("stratified-taylor-green", **CUBE, forcing__kind="formula", forcing__u="sin(y)*cos(t)", forcing__v="u*cos(z)",
                     forcing__w="sin(u*v)",
                     initial__kind="formula", initial__u="sin(x)*cos(y)", initial__v="-cos(x)*sin(y)", initial__theta="0.1*sin(z)"),
    "force-file": Case(["run", "PLACE/case.toml", "--dir", "DIR", *sets(**OFTEN)],
                       test_force_file.CASE.format(solver="hd").replace("slices = []\nseries_interval = 0\nreport = false\n", ""),
                       files=lambda place: test_force_file.modes(place / "modes.h5")),
    "gpe": of("gpe-taylor-green", **CUBE),
    "phase-shift": of("taylor-green-demo", **CUBE, grid__dealiasing="phase-shift", grid__shifts="exact", initial__kind="abc"),
    "split": of("taylor-green-demo", **CUBE, parallel__split=[1, 2]),
    "split-messages": of("taylor-green-demo", **CUBE, parallel__split=[1, 2], parallel__transport="mpi"),
    "particles": of("tracers", **CUBE, output__particles_interval=0, output__probes=PLACES, output__means=MEANS,
                    output__means_interval=0),
    "compressible": of("gas-forced", **CUBE, output__probes=PLACES),
    "gas-walls": of("sod", **FLAT, grid__n=[32, 8, 8], sponge__rho="1", sponge__p="1", sponge__rate="1 + x",
                    output__probes=["[0.5, 0.5, 0.5]"]),
    "staggered": of("boxes-row", **FLAT, grid__n=[32, 16, 1], solids__boxes=[8, 3, 0, 2, 2, 1, 8, 7, 0, 2, 2, 1]),
    "channel": of("channel-180", **{**CUBE, "time__dt": 0.001}, profiles__every=1, profiles__start=0),
    "staggered-cubes": of("stirred-decay", **{**CUBE, "grid__n": [24, 24, 24], "solids__count": 3, "solids__side": 3}),
    "multiblock": of("inlet", **STEADY, grid__n=[52, 16, 1], output__slices=["k=1"]),
    "wing": of("onera-m6", **STEADY, grid__n=[48, 12, 8]),
    "fct": of("vortex-hybrid", **FLAT, grid__n=[12, 12, 1], output__probes=["near: point, x=1, y=2, z=0"], output__slices=["z=0.05: rho"]),
    "fct-file": Case(["run", "PLACE/case.toml", "--dir", "DIR", *sets(**FLAT)], TUBE, files=mesh),
}
HD = CASES["hd"].words
CASES |= {
    "target": Case(["run", "PLACE/case.toml", "--dir", "DIR", *sets(**OFTEN)], TARGET),
    "tuned": Case(["run", "PLACE/case.toml", "--dir", "DIR", *sets(**CUBE)], "",
                  [["tune", "PLACE/case.toml", "--steps", "1", *sets(**CUBE)]], "taylor-green-demo"),
    "gathered": Case([*HD, *sets(output__writer="gather")], OWN, of="taylor-green-demo"),
    "from-checkpoint": Case([*HD, *sets(initial__kind="checkpoint", initial__file="PLACE/run")], OWN, [HD], "taylor-green-demo"),
    "from-points": Case([*HD, *sets(initial__kind="file", initial__file="PLACE/run/fields/fields-00000000.h5")], OWN,
                        [[*HD, *sets(output__fields=["u", "v", "w"])]], "taylor-green-demo"),
    "gas-turbulence": of("compressible-hit-decay", **CUBE),
    "strained": of("strained-decay", **{**CUBE, "grid__n": [24, 24, 24], "solids__count": 3, "solids__side": 3}),
    "implicit": of("channel-180", **{**CUBE, "time__dt": 0.001}, solver__diffusion="implicit", solver__pressure="pcg-polynomial",
                   forcing__kind="formula", forcing__u="1 + 0.1*sin(x)"),
    "aerofoil": of("naca0012-laminar", **STEADY, grid__n=[32, 16, 1]),
    "jet": of("jet", **FLAT, grid__n=[12, 8, 8], grid__across=4, output__means=True),
    "components": Case(["run", "PLACE/case.toml", "--dir", "DIR", *sets(**FLAT, equations__limited=["components"])],
                       TUBE.replace('kind = "tets"\nn = [1, 1, 1]\nfile = "mesh.msh"', 'kind = "polyhedra"\nn = [6, 3, 3]')),
}
for name in ("hd", "compressible", "particles", "channel", "wing", "fct"):
    CASES[f"resume-{name}"] = Case([*CASES[name].words, *sets(time__max_steps=3)], CASES[name].text, [CASES[name].words],
                                   CASES[name].of, from_run=True)
RUN = CASES["hd"].words
SMALL = sets(**TRY_AGAIN, grid__n=[8, 8, 8], time__max_steps=1, output__report=False)
CASES |= {
    "spectra": Case(["spectra", "PLACE/run", "--dir", "DIR"], OWN, [RUN], "taylor-green-demo"),
    "spectra-of-points": Case(["spectra", "PLACE/run/fields/fields-00000000.h5"], "", [of("gas-forced", **CUBE).words], "gas-forced"),
    "query": Case(["query", "PLACE/run", "--at", "lattice 2 2 2", "--what", "fields,pressure,hessian"], OWN, [RUN], "taylor-green-demo",
                  ranks=1),
    "bench": Case(["bench", "PLACE/case.toml", "--steps", "1", *sets(grid__n=[16, 16, 16])], "", of="taylor-green-demo"),
    "reference": Case(["bench", "PLACE/case.toml", "--steps", "1", "--reference", "--json", "DIR", *sets(grid__n=[16, 16, 16])], "",
                      of="taylor-green-demo"),
    "machine": Case(["bench", "--machine", "--lengths", "32"]),
    "lines": Case(["spectra", "PLACE/run", "--dir", "DIR", "--lines", "--pdf", "10"], OWN, [RUN], "taylor-green-demo"),
    "tune": Case(["tune", "PLACE/case.toml", "--steps", "1", *sets(grid__n=[16, 16, 16])], "", of="taylor-green-demo"),
    "sweep": Case(["run", "PLACE/case.toml", "--dir", "DIR", "--sweep", "initial.seed=1,2", *SMALL, *sets(initial__kind="random")],
                  "", of="taylor-green-demo"),
    "sweep-shared": Case(["run", "PLACE/case.toml", "--dir", "DIR", "--sweep", "initial.seed=1", *SMALL,
                          *sets(initial__kind="random")], "", of="taylor-green-demo"),
}


@dataclass
class Outcome:
    rank: int
    callers: str
    code: object  # None: it hung
    said: list
    stacks: str = ""
    differs: bool = False  # it went on, and came to other numbers
    met: bool = True  # the run came to that allocation
    told: str = ""  # on the screen

    @property
    def name(self):
        return name_of(self.rank, self.callers)

    @property
    def bad(self):
        return self.code not in GOOD or self.differs or (self.code != 0 and len(self.said) != 1)


def name_of(rank, callers):
    """A short name of an allocation: its rank and a checksum of its callers."""
    return f"{rank}:{zlib.crc32(callers.encode()):08x}"


class Refusals:
    """Tries of one case in a folder of its own."""

    def __init__(self, triad, name, place, preload, wisdom=None):
        self.case, self.place, self.triad, self.preload = CASES[name], Path(place), triad, preload
        # mpirun need not wait before it kills ranks of a job that has failed
        self.env = {"TRIAD_WISDOM": wisdom or self.place / "wisdom", "OMPI_MCA_odls_base_sigkill_timeout": 0,
                    "OMPI_MCA_pml": "ob1", "OMPI_MCA_btl": "self,vader"}  # fewer components to look at
        self.launch = Launcher()
        text = (ROOT / "runs" / self.case.of / "case.toml").read_text() if self.case.of else ""
        (self.place / "case.toml").write_text(text + self.case.text)
        if self.case.files:
            self.case.files(self.place)
        for words in self.case.before:
            self.launch(RANKS, triad, *self.words(words, self.place / "run"), cwd=self.place, env=self.env, expect=0)

    def words(self, words, folder):
        return [word.replace("PLACE", str(self.place)).replace("DIR", str(folder)) for word in words]

    def start(self, folder, env, timeout):
        if self.case.from_run:
            shutil.copytree(self.place / "run", folder)
        given = [word for name in ("LD_PRELOAD", *env) for word in ("-x", name)]
        given[1] = f"LD_PRELOAD={self.preload}"
        result = self.launch(self.case.ranks, self.triad, *self.words(self.case.words, folder), cwd=self.place, env={**self.env, **env},
                             options=given, timeout=timeout)
        rows = {path.relative_to(folder): outputs.rows(path.parent) for path in Path(folder).rglob("series.csv")}
        shutil.rmtree(folder, ignore_errors=True)
        return result, rows

    def callers(self, rank):
        """Of each allocation of the rank who asked for it, as text, in their order."""
        prefix = self.place / "callers"
        self.start(self.place / "dir", {}, 60)  # plans are made once
        result, self.rows = self.start(self.place / "dir", {"TRIAD_FAULT": f"{rank}:malloc:0:ENOMEM", "TRIAD_FAULT_CALLERS": prefix}, 60)
        assert result.code == 0, result
        return Path(f"{prefix}.{rank}").read_text().splitlines()

    def named(self, callers):
        return named(self.triad, callers).split(" < ")

    def refuse(self, rank, callers, number=1):
        """What becomes of a run whose allocation of this number by these callers is refused."""
        folder = self.place / f"dir-{name_of(rank, callers)}-{number}"
        stacks, count = {}, self.place / f"count-{folder.name}"
        hung = threading.Timer(WITHIN, lambda: stacks.update(text=where(folder)))
        hung.start()
        result, rows = self.start(folder, {"TRIAD_FAULT": f"{rank}:malloc:{number}:ENOMEM", "TRIAD_FAULT_AT": callers,
                                           "TRIAD_FAULT_OF": folder, "TRIAD_FAULT_COUNT": count}, WITHIN + 8)
        hung.cancel()
        said = result.errors
        crashed = re.findall(r"\[ *\d+\] \S*?([^/\s]*)\((\S*)\)\[", result.stderr)
        own = " ".join(place[1:] for module, place in crashed if module == self.triad.name and place[1:2])
        if own:
            stacks["text"] = "crashed in " + named(self.triad, own)
        met = result.code != 0 or int(Path(f"{count}.{rank}").read_text()) >= number
        return Outcome(rank, callers, result.code, said, stacks.get("text", ""), result.code == 0 and rows != self.rows, met, result.stderr)


def where(folder):
    """Where the ranks of a run stand that has hung, as gdb tells it."""
    text = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if f"TRIAD_FAULT_OF={folder}".encode() not in (process / "environ").read_bytes().split(b"\0"):
                continue
            if (process / "comm").read_text().strip() != "triad":
                continue
            told = subprocess.run(["gdb", "-p", process.name, "-batch", "-ex", "bt"], capture_output=True, text=True, timeout=30)
        except (OSError, subprocess.SubprocessError):
            continue
        frames = re.findall(r"^#\d+ .*? in (\w+) \(", told.stdout, re.M)
        text.append(f"{process.name}: " + " < ".join(frames))
    return "\n".join(text)


names = {}


def named(triad, callers):
    """Names of the functions of lines of callers."""
    unknown = [c for c in dict.fromkeys(callers.split()) if c not in names]
    if unknown:
        # a return address may be the first one behind the function
        told = subprocess.run(["addr2line", "-f", "-e", triad], input="\n".join(hex(int(c, 16) - 1) for c in unknown),
                              capture_output=True, text=True, timeout=60).stdout.split("\n")
        names.update(zip(unknown, told[::2]))
    return " < ".join(names[c] for c in callers.split())


def place_of(triad, callers):
    """What stands for one place: files that are due are written alike whenever they are; HDF5 asks in the same function for all."""
    told = named(triad, callers).split(" < ")
    kept = callers.split()
    if "triad_outputs_due" in told:
        kept = kept[:told.index("triad_outputs_due")]
    return " ".join(kept[:2] if told[0].startswith("driver_") else kept)


def build_preload(folder):
    library = Path(folder) / "preload.so"
    subprocess.run([os.environ.get("CC", "cc"), "-shared", "-fPIC", "-O1", "-w", "-o", library, ROOT / "tests/help/preload.c", "-ldl", "-lm"],
                   check=True, timeout=60)
    return library
