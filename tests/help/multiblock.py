"""What tests of the multi-block solver share: a case and its run, states and errors, streams, grids by formula and in files."""

import subprocess

import numpy as np
import pytest

import outputs

CASE = """[equations]
solver = "multiblock"
{equations}
[grid]
{grid}
[boundaries]
patches = [{patches}]
[solution]
{solution}
[initial]
kind = "{initial}"
[time]
{time}
[output]
series_interval = 0
report = false
{output}
"""
STATE = ("rho", "rho_u", "rho_v", "rho_w", "e")
STEADY = "steady = true\nmax_steps = 20000\ncfl = 0.8\nresidual = 1e-9"
TURNED = "blocks = [2, 2, 2]\nturned = true"


@pytest.fixture
def run(run_case):
    """run(grid=.., ..): the folder of a run, or what the program said where it is expected to end otherwise."""
    def start(*arguments, grid="", patches="", solution="", initial="solution", time=STEADY, equations="", output="", **more):
        return run_case(CASE.format(grid=grid, patches=patches, solution=solution, initial=initial, time=time, equations=equations,
                                    output=output), *arguments, **more)
    return start


def state(folder):
    """Of its newest checkpoint: [field][cell]."""
    return outputs.points(folder, STATE).reshape(len(STATE), -1)


def differs(a, b):
    """The largest difference of two states, relative to the largest number of each field."""
    return max(np.abs(x - y).max() / max(np.abs(x).max(), 1e-300) for x, y in zip(a, b))


def orders(errors):
    """Of errors on grids each twice as fine as the one before."""
    errors = np.array(errors)
    return np.log2(errors[:-1] / errors[1:])


def norms(folder, field="rho"):
    series = outputs.series(folder)
    return [series[f"error_{norm}_{field}"][-1] for norm in ("l1", "l2", "largest")]


STREAM = "mach={mach}, pressure=1e5, temperature=300, alpha=20"
UNIFORM = 'kind = "uniform"\nmach = {mach}\nangle = 20'
ANNULUS = 'kind = "annulus"\nn = [{n2}, {n}, 1]\nblocks = [2, 2, 1]\nturned = true'
LAMINAR = 'model = "laminar"\nviscosity_law = "constant"\nviscosity = 10\nprandtl = 1.0\nlimiter = "none"'
FLOWS = {
    "euler": dict(grid=f"n = [20, 12, 16]\nsmooth = 0.05\nrandom = 0.1\n{TURNED}", solution='kind = "manufactured-3d"'),
    "laminar": dict(grid="n = [24, 24, 1]\nsmooth = 0.03\nblocks = [2, 2, 1]\nturned = true",
                    solution='kind = "manufactured-laminar"', equations=LAMINAR.replace("none", "van-albada")),
    "laminar in 3-D": dict(grid="n = [14, 12, 10]\nsmooth = 0.03\nblocks = [2, 1, 2]\nturned = true",
                           solution='kind = "manufactured-3d"', equations=LAMINAR.replace("none", "van-albada")),
}


def blocks_of(n=9):
    """Nodes of two skew blocks side by side, the second with its axes exchanged and one reversed (right-handed)."""
    s = np.linspace(0, 1, n)
    i, j = np.meshgrid(s, s, indexing="ij")
    left = (i + 0.2 * j**2, j - 0.1 * i)
    right = (1 + i + 0.2 * j**2, j - 0.1 * (1 + i))
    turned = tuple(a[::-1, :].T for a in right)  # first axis along j, second back along i
    return [np.array(left), np.array(turned)]


def write_plot3d(path, blocks, form, dims=2, blanks=False, counted=True):
    """form: "text", or a numpy order and size such as ">f4", or "c>f4" without Fortran's records."""
    three = [np.array([*b, np.zeros_like(b[0])]) if dims == 3 else b for b in blocks]
    sizes = [[*b.shape[1:], *([1] if dims == 3 else [])] for b in three]
    if form == "text":
        words = ([str(len(blocks))] if counted else []) + [str(n) for s in sizes for n in s]
        for b in three:
            values = [f"{v:.17g}" for a in b for v in a.ravel("F")]
            values += [f"{b[0].size}*1"] if blanks else []
            words += values
        path.write_text("\n".join(" ".join(words[i:i + 5]) for i in range(0, len(words), 5)).replace("e", "D") + "\n")
        return
    plain, form = form[0] == "c", form.removeprefix("c")
    order = form[0]
    with path.open("wb") as f:
        def record(*parts):
            data = b"".join(np.asarray(p).astype(order + t).tobytes() for p, t in parts)
            mark = b"" if plain else np.array(len(data)).astype(order + "i4").tobytes()
            f.write(mark + data + mark)
        if counted:
            record(([len(blocks)], "i4"))
        record((np.array(sizes).ravel(), "i4"))
        for b in three:
            record((np.concatenate([a.ravel("F") for a in b]), form[1:]), *([(np.ones(b[0].size), "i4")] if blanks else []))


@pytest.fixture
def cgns(triad, tmp_path):
    """Only where the library is built in; elsewhere the refusal is looked at."""
    case = tmp_path / "any.toml"
    case.write_text(CASE.format(grid="n = [2, 2, 1]", patches='"*: slip"', solution="", initial="stream", time=STEADY, equations="",
                                output=""))
    result = subprocess.run([triad, "grid", case, "--write", tmp_path / "any.cgns"], capture_output=True, text=True)
    if result.returncode != 0:
        assert result.returncode == 69 and "libcgns-dev" in result.stderr
        pytest.skip("a build without CGNS")
