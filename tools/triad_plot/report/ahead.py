"""What to change next: to resolve a run, to make it cheaper, to reach twice its Reynolds number. Costs are those of `triad plan`, as ratios
to the plan of the run itself; its own wall-clock time makes hours of them."""
import json
import math
import os
import subprocess
import tempfile

from triad_plot.compute import ranges
from triad_plot.report import judge
from triad_plot.report.about import span_text

GOAL = 1.5           # k_max eta
FINE = 2.2           # from which a coarser grid would do
FARTHEST = 64        # times as many points along an axis as any advice has
GAIN = 0.9           # a cost below this is worth a line
PATIENCE = 20        # seconds for a plan
SPECTRAL = ("hd", "boussinesq", "mhd", "gpe")

# Rates of one core, for ratios between plans; those of a given machine are measured by triad bench --machine.
MACHINE = """[node]
name = "a core"
cores = 1
[core]
memory = 1e15
copies = 2e10
copies_all = 2e10
lengths = [32, 128, 512]
x = [0.5, 0.5, 0.6]
y = [0.4, 0.6, 0.9]
z = [0.4, 0.5, 0.8]
x_single = [0.35, 0.3, 0.35]
y_single = [0.2, 0.3, 0.45]
z_single = [0.2, 0.25, 0.4]
sets = [327680, 22675456]
transpose = [1.0, 0.9]
transpose_single = [0.6, 0.6]
points = [0.3, 0.45]
points_single = [0.2, 0.25]
[disk]
write = 1e9
"""


def good_length(n):
    """The smallest even number of at least n that has no factors but 2, 3 and 5."""
    n = max(2, math.ceil(n - 1e-9))
    while True:
        left = n
        for p in (2, 3, 5):
            while left % p == 0:
                left //= p
        if left == 1 and n % 2 == 0:
            return n
        n += 1


def grid_of(n, factor):
    return [good_length(points * factor) if points > 1 else 1 for points in n]


def size_text(n):
    return " \u00d7 ".join(map(str, n)) if len(set(n)) > 1 else f"{n[0]}\u00b3"


class Planner:
    """plan(keys): {"step_s", "memory"} of the case with other keys; None if triad has no plan of it."""

    def __init__(self, run, triad):
        self.run, self.triad = run, triad
        self.case = run / "case.resolved.toml"

    def plan(self, **keys):
        if not self.triad or self.run.solver not in SPECTRAL or not os.path.isfile(self.case):
            return None
        sets = [word for key, value in {"particles": "[]", **keys}.items() for word in ("--set", f"{key.replace('__', '.')}={value}")]
        with tempfile.NamedTemporaryFile("w", suffix=".toml") as machine:
            machine.write(MACHINE)
            machine.flush()
            try:
                done = subprocess.run([self.triad, "plan", self.case, "--machine", machine.name, "--json", *sets], capture_output=True,
                                      text=True, timeout=PATIENCE, stdin=subprocess.DEVNULL)
                found = json.loads(done.stdout) if done.returncode == 0 else None
            except (OSError, ValueError, subprocess.SubprocessError):
                return None
        return found and {"step_s": found["step_s"], "memory": found["memory_bytes"]["total"]}


def seconds_of(run, log):
    """What the steps of the whole run took [s], from its last ones; None."""
    if "step" not in run.series or not log.speed():
        return None
    return float(run.series["step"][-1]) * log.speed() / 1000


class Ahead:
    def __init__(self, run, judgement, log, triad):
        self.run, self.j, self.planner = run, judgement, Planner(run, triad)
        self.n = [int(x) for x in run.case.get("grid.n") or []]
        self.dims = sum(x > 1 for x in self.n)
        self.base = self.planner.plan()
        self.seconds = seconds_of(run, log)

    def cost(self, steps=1.0, n=None, **keys):
        """(times the cost of this run, memory over its memory); steps: how many times as many. By plan, else by the number of cells."""
        if n:
            keys["grid__n"] = json.dumps(n)
        found = self.planner.plan(**keys) if self.base else None
        if found:
            return steps * found["step_s"] / self.base["step_s"], found["memory"] / self.base["memory"]
        if not n or set(keys) != {"grid__n"}:
            return None
        cells = math.prod(n) / math.prod(self.n)
        return steps * cells, cells

    def text(self, cost):
        times, memory = cost
        words = f"{times:.2g} times the work" if times < 0.95 or times > 1.05 else "about the same work"
        if self.seconds:
            words += f", {span_text(self.seconds * times)} where this run took {span_text(self.seconds)}"
        return words + f"; {memory:.2g} times the memory"

    def by_grid(self, factor):
        """(grid, steps, cost) of so many times as many points along each axis."""
        n = grid_of(self.n, factor)
        steps = max(a / b for a, b in zip(n, self.n))
        return n, self.cost(steps, n)

    # ---- the list ----

    def to_resolve(self):
        if self.j.eta is None:
            return ("To know whether it is resolved: repeat it with twice the cells along each axis, for "
                    f"{2 ** (max(self.dims, 2) + 1)} times the work, and compare (triad diff).")
        goal = GOAL * (ranges.ON_POINTS if self.run.solver in judge.POINT_SOLVERS else 1)
        least = self.j.eta[0]
        if least >= goal or not self.n:
            return None
        if goal / least > FARTHEST:
            return f"To resolve it: no grid within reach has k_max \u03b7 = {goal:g}; use a larger viscosity, or smaller steps if the flow blew up."
        n, cost = self.by_grid(goal / least)
        return f"To resolve it to k_max \u03b7 = {goal:g}: grid.n = {n} ({size_text(n)}): {self.text(cost)}."

    def to_save(self):
        out = []
        goal = GOAL * (ranges.ON_POINTS if self.run.solver in judge.POINT_SOLVERS else 1)
        if self.j.eta and self.j.eta[0] > goal * FINE / GOAL and self.n:
            n, cost = self.by_grid(goal / self.j.eta[0])
            if cost[0] < GAIN:
                out.append(f"To make it cheaper: grid.n = {n} still has k_max \u03b7 = {goal:g}: {self.text(cost)}.")
        if self.base and self.run.case.get("precision") == "double":
            cost = self.cost(precision="single")
            if cost and cost[0] < GAIN:
                out.append(f"To make it cheaper: precision = \"single\": {self.text(cost)}; rounding errors are then 6e-8.")
        if self.base and self.run.solver in ("hd", "boussinesq", "mhd") and self.run.case.get("grid.dealiasing", "truncation") != "phase-shift":
            n = grid_of(self.n, 1 / math.sqrt(2))   # keeps k up to sqrt(2) n/3 in place of n/3
            cost = self.cost(n=n, grid__dealiasing="phase-shift")
            if cost and cost[0] < GAIN:
                out.append(f"To make it cheaper: grid.dealiasing = \"phase-shift\" on grid.n = {n} keeps the same wavenumbers: {self.text(cost)}.")
        return out

    def to_double(self):
        """Re_lambda^2 and Re go as 1/nu, and eta/L as Re^(-3/4)."""
        nu = self.run.case.get("equations.viscosity") or 0
        if self.j.eta is None or not self.n or not nu > 0 or self.dims < 3:
            return None
        taylor = "re_lambda" in self.run.series
        reynolds, name = (4.0, "Re_\u03bb") if taylor else (2.0, "the Reynolds number")
        n, cost = self.by_grid(reynolds ** 0.75)
        return (f"To reach twice {name} at this k_max \u03b7: equations.viscosity = {nu / reynolds:.3g}, grid.n = {n} ({size_text(n)}): {self.text(cost)}.")

    def to_average(self):
        """How much longer, for five turnover times."""
        few = ranges.TURNOVERS[1]
        if self.j.turnovers is None or self.j.turnovers >= few or self.j.turnovers <= 0 or not self.j.drifts:
            return None
        s = self.run.series
        more = (few - self.j.turnovers) / self.j.turnovers * (self.j.window[1] - self.j.window[0])
        return f"For {few} turnover times of averages: time.end = {float(s.t[-1]) + more:.4g}; the same command continues the run."

    def lines(self):
        found = [self.to_resolve(), self.to_average(), *self.to_save(), self.to_double()]
        return [line for line in found if line]
