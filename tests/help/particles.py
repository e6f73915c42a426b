"""What tests of particles share: cases and groups of them, their run, what its files hold."""

import json

import h5py
import numpy as np
import pytest

ABC = '[initial]\nkind = "abc"\nabc = [1.0, 0.7, 0.43]\n'
CELLS = '[initial]\nkind = "formula"\nu = "sin(x)*cos(y)"\nv = "-cos(x)*sin(y)"\n'
REST = '[initial]\nkind = "rest"\n'


def case(equations, grid, time, initial="", every=1.0, **output):
    """The text of a case that writes particles, every so often, and little else: the lines of its tables, further keys of [output]."""
    keys = {"particles_interval": every, **output, "slices": [], "report": False, "spectra_interval": 0}
    written = "\n".join(f"{key} = {json.dumps(value)}" for key, value in keys.items())
    return f"""[equations]
{equations}
[grid]
{grid}
[time]
{time}
[output]
{written}
[parallel]
reproducible = true
threads = 1
{initial}"""


def head(viscosity=0.0, n=(16, 16, 16), end=1.0, dt=0.1, scheme="rk4", every=1.0, solver="hd", more="", **output):
    """Of a box; its start comes behind it: ABC, CELLS, REST, .. more: further lines of [equations]."""
    return case(f'solver = "{solver}"\nviscosity = {viscosity}\n{more}', f"n = {list(n)}", f'end = {end}\ndt = {dt}\nscheme = "{scheme}"',
                every=every, **output)


def group(name="a", **keys):
    text = "\n".join(f"{k} = {v if isinstance(v, (int, float, list)) else chr(34) + v + chr(34)}" for k, v in keys.items())
    return f'[[particles]]\nname = "{name}"\n{text}\n'.replace("'", '"')


@pytest.fixture
def run(mpirun, triad, tmp_path):
    """run(name, text, ..): the folder of a run of that case, or what the program said where it is expected to end otherwise."""
    def go(name, text, *more, ranks=1, expect=0):
        (tmp_path / "case.toml").write_text(text)
        result = mpirun(ranks, triad, "run", tmp_path / "case.toml", "--dir", tmp_path / name, *more, expect=expect)
        return tmp_path / name if expect == 0 else result
    return go


def once(launcher, triad, tmp_path_factory, text):
    """The folder of a run of that case, for all tests of a file."""
    folder = tmp_path_factory.mktemp("once")
    (folder / "case.toml").write_text(text)
    launcher(1, triad, "run", folder / "case.toml", "--dir", folder / "run", expect=0)
    return folder / "run"


def data(directory, name="a"):
    """What the file of a group holds: arrays [row][particle].. by name."""
    with h5py.File(directory / "particles" / f"{name}.h5") as f:
        return {k: f[k][:] for k in f if isinstance(f[k], h5py.Dataset)}


def start_at(path, places):
    """A file of these places, and the keys of a group that begins there."""
    with h5py.File(path, "w") as f:
        f["position"] = np.asarray(places, dtype=float)
    return {"start": "file", "file": str(path)}


def same(one, other, names=("a", "h", "b")):
    """These groups of two runs, bit for bit."""
    for name in names:
        a, b = data(one, name), data(other, name)
        assert a.keys() == b.keys()
        for k in a:
            assert np.array_equal(a[k], b[k]), f"{k} of {name}"
