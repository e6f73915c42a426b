"""What tests of the staggered solver share: a case and its run, the state of a checkpoint, fields of a file."""

import h5py
import numpy as np
import pytest

import outputs

CASE = """[equations]
solver = "staggered"
viscosity = {viscosity}
[grid]
n = {n}
length = {length}
[initial]
kind = "{kind}"
[time]
end = {end}
{time}
[output]
series_interval = 0
report = false
"""

STATE = ("u", "v", "w", "p")
WALLS_Y = '[boundaries]\ny = ["wall", "wall"]\n'
CUBES = '[solids]\nkind = "random-cubes"\ncount = 3\nside = 3\n'


@pytest.fixture
def run(run_case):
    """run(kind, n, ..): the folder of a run; other keys by name, as outputs.sets has them."""
    def start(kind, n, end, *arguments, length=("2pi", "2pi", "2pi"), viscosity=0.01, time="dt = 0.01", more="", **keys):
        box = "[" + ", ".join(f'"{side}"' if isinstance(side, str) else str(side) for side in length) + "]"
        return run_case(CASE.format(kind=kind, n=list(n), length=box, viscosity=viscosity, end=end, time=time) + more, *arguments, **keys)
    return start


def state(folder, number=-1):
    """Of a checkpoint: [field][z][y][x]."""
    return outputs.points(folder, STATE, number)


def fields(folder):
    with h5py.File(sorted((folder / "fields").glob("*.h5"))[-1]) as f:
        return {name: f[name][:] for name in (*STATE, "x", "y", "z")}


LID = """[boundaries]
x = ["wall", "wall"]
y = ["wall", "wall"]
wall_velocity = [0,0,0, 0,0,0, 0,0,0, 1,0,0, 0,0,0, 0,0,0]
"""


def extremes(f):
    """u_min on the vertical and v_max, v_min on the horizontal line through the middle, between points by a parabola."""
    n = len(f["x"])
    u = (f["u"][0][:, n // 2 - 1] + f["u"][0][:, n // 2]) / 2
    v = (f["v"][0][n // 2 - 1] + f["v"][0][n // 2]) / 2

    def peak(a):
        i = a.argmax()
        left, mid, right = a[i - 1:i + 2]
        return mid + (right - left)**2 / (8 * (2 * mid - left - right))
    return np.array([-peak(-u), peak(v), -peak(-v)])
