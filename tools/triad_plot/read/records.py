"""The JSON that `triad bench --json` and `triad tune --json` write."""
import os

from triad_plot.problem import Problem
from triad_plot.read.run import grid_text, read_json

NOT_OF_THE_FLOW = ("grid", "parallel", "output", "time", "precision")
PHASES = ("fft", "transpose", "exchange", "copies", "pointwise", "rest")  # of solvers that list none of their own


def phases_of(items):
    """Names of the phases that took time in any of these, in order, rest last; solvers have different ones."""
    names = list(dict.fromkeys(name for item in items for name in item.phases if any(i.phases.get(name, 0) > 0 for i in items)))
    return sorted(names, key=lambda name: name == "rest")


def name_of_phase(name):
    return "FFT" if name == "fft" else name.replace("_", " ")


class Bench:
    """One file of triad bench."""

    def __init__(self, path, data):
        self.path, self.data, self.name = path, data, os.path.splitext(os.path.basename(path))[0]
        try:
            self.grid = [int(n) for n in data["grid"]]
            self.ranks, self.threads = int(data["ranks"]), int(data["threads"])
            self.median = float(data["step_s"]["median"])
            self.q1, self.q3 = float(data["step_s"]["q1"]), float(data["step_s"]["q3"])
            found = data["phases_s"]
            self.phases = {name: float(found[name]) for name in found} or dict.fromkeys(PHASES, 0.0)
        except (KeyError, TypeError, ValueError) as error:
            raise Problem(f"{path}: not a file of triad bench --json ({error} is missing)") from None
        if not (self.median > 0 and len(self.grid) == 3 and self.ranks > 0 and self.threads > 0):
            raise Problem(f"{path}: not a file of triad bench --json (step, grid, ranks and threads must be positive)")

    @property
    def points(self):
        return self.grid[0] * self.grid[1] * self.grid[2]

    @property
    def cells(self):
        """Of a mesh more than points of its grid."""
        return int(self.data.get("cells") or self.points)

    @property
    def case_name(self):
        """The folder of a case.toml, else the file's own name; "" of old files, which do not tell."""
        folder, name = os.path.split(str(self.data.get("case", "")))
        return os.path.basename(folder) if folder and name == "case.toml" else os.path.splitext(name)[0]

    @property
    def settings(self):
        """{key: value} of what --set said, the last of each key."""
        said = [str(text).split("=", 1) for text in self.data.get("set") or [] if "=" in str(text)]
        return {key.strip(): value.strip().strip('"') for key, value in said}

    def flow(self):
        """What was computed: the case, and what --set said of it but for the grid, how it is cut and how long the run is."""
        said = {key: value for key, value in self.settings.items() if key.split(".")[0] not in NOT_OF_THE_FLOW}
        return (self.case_name, *sorted(said.items()))

    def flow_text(self):
        """In a legend: the case, and values."""
        name, *said = self.flow()
        return ", ".join(part for part in (name, *(value for _, value in said)) if part)

    @property
    def on_gpu(self):
        return "cpu" not in str(self.data.get("device", "cpu")).lower()

    @property
    def workers(self):
        """What scaling is against: ranks on GPUs, cores (ranks times threads) else."""
        return self.ranks if self.on_gpu else self.ranks * self.threads

    def kind(self):
        """What must agree for two files to be compared as one machine's scaling."""
        return tuple(str(self.data.get(key, "")) for key in ("solver", "precision", "scheme")) + (self.on_gpu, self.flow())

    def what(self):
        return ", ".join(str(self.data[key]) for key in ("solver", "precision", "scheme") if key in self.data)

    def layout(self):
        unit = "GPU" if self.on_gpu else "rank"
        plural = "s" if self.ranks > 1 else ""
        return f"{self.ranks} {unit}{plural}" + ("" if self.on_gpu else f" \u00d7 {self.threads}")

    def grid_text(self):
        return grid_text(self.grid)


def bench_of(path):
    data = read_json(path)
    if not isinstance(data, dict):
        raise Problem(f"{path}: not a file of triad bench --json")
    return Bench(path, data)
