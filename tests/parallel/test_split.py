"""parallel.split: ranks that share planes give the files of one rank, bit for bit, in every equation set."""

import h5py
import pytest

import outputs
from outputs import sets

CASE = """[equations]
solver = "{solver}"
{equations}
[grid]
n = {n}
length = ["2pi", "2pi", "2pi"]
{grid}
[initial]
{initial}
[time]
end = 10
max_steps = 2
{time}
[output]
report = false
disk_check = "warn"
series_interval = 0
spectra_interval = 0.0001
fields_interval = 0.0001
slices_interval = 0.0001
line_spectra = true
structure_functions = "log"
{output}
[forcing]
{forcing}
[parallel]
reproducible = true
"""
RANDOM = 'kind = "random"\nenergy = 1.0'
FLUID = "viscosity = 0.02\nrotation = [0.1, 0.2, 0.3]\nscalars = [0.01, 0.02]\nscalar_gradients = [0, 0, 1, 1, 0, 0]"
OWN = '\n[[output.quantities]]\nname = "mine"\nformula = "u*dx(w) + y*z"\n'
# polynomials of the step's own pass, splines, and the fluid's acceleration: all ways of particles to the velocity
PARTICLES = """
[[particles]]
name = "tracers"
count = 70
sample = ["vorticity", "gradient"]
[[particles]]
name = "heavy"
kind = "inertial"
count = 31
stokes_time = 0.3
interpolation = "spline6"
[[particles]]
name = "light"
kind = "inertial"
count = 20
stokes_time = 0.3
density_ratio = 0.2
interpolation = "linear"
"""
SETS = {
    "hd": dict(solver="hd", equations=FLUID, initial=RANDOM + '\nscalars = ["sin(x)", "cos(y + z)"]',
               output='slices = ["z=0: u", "x=1: vorticity"]\nfields = ["u", "v", "w", "mine", "pressure"]' + OWN,
               forcing='kind = "ornstein-uhlenbeck"\npower = 0.1'),
    "hd-shifted": dict(solver="hd", equations=FLUID, initial=RANDOM, grid='dealiasing = "phase-shift"\nshifts = "exact"',
                       output='fields = ["u", "q", "box 1 5 0.5 4 2 6"]'),
    "hd-particles": dict(solver="hd", equations="viscosity = 0.02", initial=RANDOM, output=PARTICLES),
    "boussinesq": dict(solver="boussinesq", equations="viscosity = 0.02\nbuoyancy_frequency = 2", initial=RANDOM,
                       grid='dealiasing = "phase-shift"', time='scheme = "rk2"',
                       output='means = ["moments", "pdfs", "profiles x", "profiles y", "profiles z", "quantities"]\nmeans_interval = 0' + OWN),
    "mhd": dict(solver="mhd", equations="viscosity = 0.02\nresistivity = 0.02\nhall = 0.1", initial=RANDOM,
                grid='truncation = "box"', output='transfer = true\nmeans = ["spectra"]\nmeans_interval = 0',
                forcing='kind = "formula"\nu = "sin(y)*cos(t)"'),
    "gpe": dict(solver="gpe", equations="sound_speed = 1.0\nhealing_length = 0.4",
                initial='kind = "plane-waves"\nwaves = [2, 0, 0, 0.1, 0, -2, 1, 1, 0.2, 0]', time="dt = 0.01"),
}
GRIDS = {"cube": [16, 16, 16], "odd": [15, 21, 9], "five": [12, 10, 5]}


def text(name, grid):
    fill = dict.fromkeys(("equations", "grid", "time", "output", "forcing"), "")
    return CASE.format(**{**fill, **SETS[name], "n": GRIDS[grid]})


def contents(run):
    """{place: bytes} of the series, the slices and every dataset of numbers in every file of a run."""
    out = {str(path.relative_to(run)): path.read_bytes() for path in [run / "series.csv", *run.glob("slices/*.png")]}
    for path in sorted(run.rglob("*.h5")):
        with h5py.File(path) as f:
            def note(name, item, path=path):
                if isinstance(item, h5py.Dataset) and item.dtype.kind in "fciuV" and item.shape is not None:
                    out[f"{path.relative_to(run)}:{name}"] = item[()].tobytes()
            f.visititems(note)
    return out


def differences(run, other):
    a, b = contents(run), contents(other)
    assert any(p.startswith("fields/") for p in a) and any(p.startswith("spectra/") for p in a) and len(a) > 20
    return sorted(a.keys() ^ b.keys()) + sorted(p for p in a.keys() & b.keys() if a[p] != b[p])


@pytest.fixture(scope="module")
def start(launcher, triad, tmp_path_factory):
    """start(set, grid, ranks, split, ..): the folder of a run; that of one rank is made once."""
    folder, alone = tmp_path_factory.mktemp("split"), {}

    def run(name, grid, ranks, split=None, *more, to=None, expect=0):
        if ranks == 1 and (name, grid) in alone and not more:
            return alone[name, grid]
        case = folder / f"{name}-{grid}.toml"
        case.write_text(text(name, grid))
        out = to or folder / f"{name}-{grid}-{ranks}-{split}"
        asked = sets(parallel__split=split) if split else []
        done = launcher(ranks, triad, "run", case, "--dir", out, "-q", *asked, *more, timeout=100, expect=expect)
        if expect:
            return done.stderr
        if ranks == 1 and not more:
            alone[name, grid] = out
        return out

    return run


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("grid, ranks, split", [("cube", 6, [3, 2]), ("odd", 8, [2, 4]), ("odd", 12, [4, 3])])
def test_ranks_that_share_planes_write_the_files_of_one(start, name, grid, ranks, split):
    assert differences(start(name, grid, 1), start(name, grid, ranks, split)) == []


@pytest.mark.parametrize("name, grid, ranks, split", [("mhd", "cube", 24, [8, 3]), ("hd", "five", 7, [1, 7]),
                                                      ("hd", "five", 7, [7, 1])])
def test_there_may_be_more_ranks_than_planes(start, name, grid, ranks, split):
    assert differences(start(name, grid, 1), start(name, grid, ranks, split)) == []


def test_a_checkpoint_of_any_split_is_read_by_any_other(start, tmp_path):
    whole = start("hd", "odd", 1, None, *sets(time__max_steps=6), to=tmp_path / "whole")
    parts = tmp_path / "parts"
    for ranks, split, steps in ((6, [2, 3], 2), (2, None, 3), (4, [1, 4], 5), (6, [0, 2], 6)):
        start("hd", "odd", ranks, split or [0, 0], *sets(time__max_steps=steps), to=parts)
    assert outputs.rows(parts) == outputs.rows(whole)
    a, b = contents(whole), contents(parts)
    last = max(p for p in a if p.startswith("checkpoints/"))
    assert a[last] == b[last]


@pytest.mark.parametrize("ranks, split, nearest", [(6, [4, 2], "[3, 2]"), (6, [0, 4], "[2, 3]"), (4, [3, 0], "[4, 1]"), (6, [4, 0], "[3, 2]"),
                                                   (2, [16, 16], "[1, 2]")])
def test_a_split_that_does_not_divide_the_ranks_names_the_nearest_that_does(start, ranks, split, nearest):
    told = start("hd", "cube", ranks, split, expect=65)
    assert f"parallel.split = [{split[0]}, {split[1]}] (--set)" in told and f"the nearest choice is {nearest}" in told


def test_spectra_of_a_checkpoint_need_no_split(start, mpirun, triad):
    run = start("hd", "odd", 8, [2, 4])
    mpirun(1, triad, "spectra", sorted(run.glob("checkpoints/step-*"))[-1], timeout=60, expect=0)
