"""`import triad`: getData, the call of the Johns Hopkins databases, and cubes and slabs of runs for PyTorch.

Polynomials are the exact values: a stencil of N points is exact below degree N. PyTorch is a stand-in unless LEARNING_PYTHON names a
Python that has it."""

import os
import subprocess

from scripts import python  # noqa: F401

# A run directory whose fields are polynomials in space and time, far from the periodic ends where they jump.
POLYNOMIALS = """
import h5py
N, L = 32, 8.0
x = np.arange(N) * L / N
Z, Y, X = np.meshgrid(x, x, x, indexing="ij")
rng = np.random.default_rng(3)
c = rng.normal(size=(4, 9, 9, 9))
from numpy.polynomial import polynomial
s = lambda p: (p - 4.0) / 2
def poly(which, degree, p, d=(0, 0, 0)):
    some = c[which, :degree + 1, :degree + 1, :degree + 1]
    for axis in range(3):
        some = polynomial.polyder(some, d[axis], scl=0.5, axis=axis) if d[axis] else some
    return polynomial.polyval3d(*[s(one) for one in p], some)
def make(folder, degree, times=(0.0, 1.0, 2.0, 3.0)):
    os.makedirs(folder + "/fields")
    with open(folder + "/case.resolved.toml", "w") as file:
        file.write('[equations]\\nsolver = "hd"\\n')
    values = [poly(k, degree, (X, Y, Z)) for k in range(4)]
    for i, t in enumerate(times):
        with h5py.File(f"{folder}/fields/fields-{i:08d}.h5", "w") as f:
            for name, axis in zip("xyz", (x, x, x)):
                f[name] = axis
                f[name].make_scale(name)
            for k, name in enumerate(("u", "v", "w", "pressure")):
                f[name] = values[k] * (1 + t * t)
                for dim, scale in zip(f[name].dims, "zyx"):
                    dim.attach_scale(f[scale])
            f.attrs["t"], f.attrs["step"], f.attrs["length"] = t, i, [L] * 3
"""


def test_getdata_is_exact_on_the_polynomials_of_each_method(python):
    python(POLYNOMIALS + """
points = 4 + rng.uniform(-0.6, 0.6, (5, 3))
nearest = np.round(points / 0.25) * 0.25
degrees = {"none": 0, "lag4": 3, "lag6": 5, "lag8": 7, "m1q4": 2, "m2q8": 5, "m2q14": 5, "fd4noint": 4, "fd6noint": 6, "fd8noint": 8, "fd4lag4": 3}
from triad import stencils
made = set()
column = lambda table, name: np.asarray(table[name])
for operator, methods in stencils.METHODS.items():
    for method in methods:
        d = degrees[method]
        if d not in made:
            make(f"p{d}", d, (0.0, 1.0, 2.0, 3.0) if d == 3 else (1.0,))
            made.add(d)
        at = nearest if "noint" in method or method == "none" else points
        table, = triad.getData(f"p{d}", "velocity", 1.0, "none", method, operator, points)
        assert len(table) == 5
        p, near = at.T, dict(rtol=1e-9, atol=1e-9)
        if operator == "field":
            for k, name in enumerate(("ux", "uy", "uz")):
                assert np.allclose(column(table, name), 2 * poly(k, d, p), **near), (method, operator)
        elif operator == "gradient":
            assert np.allclose(column(table, "duydz"), 2 * poly(1, d, p, (0, 0, 1)), **near) and np.allclose(column(table, "duxdx"), 2 * poly(0, d, p, (1, 0, 0)), **near), method
        elif operator == "hessian":
            assert np.allclose(column(table, "d2uzdxdy"), 2 * poly(2, d, p, (1, 1, 0)), **near) and np.allclose(column(table, "d2uxdydy"), 2 * poly(0, d, p, (0, 2, 0)), **near), method
        else:
            want = sum(2 * poly(0, d, p, one) for one in ((2, 0, 0), (0, 2, 0), (0, 0, 2)))
            assert np.allclose(column(table, "grad2ux"), want, **near), method
run = triad.open("p3")
table, = run.getData("pressure", 1.3, "pchip", "lag4", "field", points)   # exact for squares of time
assert np.allclose(column(table, "p"), poly(3, 3, points.T) * (1 + 1.3**2), rtol=1e-9)
several = run.getData("velocity", 1.0, "pchip", "lag4", "field", points, option=[1.5, 0.25])
assert len(several) == 3 and np.allclose(column(several[2], "ux"), poly(0, 3, points.T) * (1 + 1.5**2), rtol=1e-9)
moved, = run.getData("velocity", 1.0, "none", "lag4", "field", points + [8.0, -8.0, 16.0])     # periodic
assert np.allclose(column(moved, "ux"), 2 * poly(0, 3, points.T))
""")


def test_getdata_of_modes_is_exact_and_mistakes_have_words(python):
    python("""
        flow = triad.Flow({"equations": {"solver": "hd", "viscosity": 0.01}, "grid": {"n": [16, 16, 16]}, "initial": {"kind": "taylor-green"},
                           "time": {"end": 0.02}, "output": {"fields_interval": 0.01, "checkpoint_interval": 0.01, "report": False}}, dir="run")
        flow.save()
        flow.close()
        run, p = triad.open("run"), np.array([[0.3, 1.1, 2.7], [4.0, 0.2, 5.9]])
        x, y, z = p.T
        exact = {"ux": np.sin(x) * np.cos(y) * np.cos(z), "duxdy": -np.sin(x) * np.sin(y) * np.cos(z), "d2uxdxdy": -np.cos(x) * np.sin(y) * np.cos(z),
                 "grad2ux": -3 * np.sin(x) * np.cos(y) * np.cos(z)}
        for operator, name in zip(("field", "gradient", "hessian", "laplacian"), exact):
            table, = run.getData("velocity", 0.0, "none", "fourier", operator, p)
            assert np.allclose(np.asarray(table[name]), exact[name], atol=1e-12), operator
        table, = triad.getData("run", "velocity", 0.0, "none", "lag8", "field", p)
        assert np.allclose(np.asarray(table["ux"]), exact["ux"], atol=1e-4)
        table, = triad.getData(run, "u", 0.0, "none", "none", "field", np.zeros((1, 3)))
        assert np.asarray(table["u"])[0] == 0

        def refused(kind, text, *words):
            try:
                run.getData(*words)
            except kind as error:
                assert text in str(error), error
                return
            raise AssertionError(words)
        refused(triad.UsageError, "must be none, lag4", "velocity", 0, "none", "fd4noint", "field", p)
        refused(triad.UsageError, "operator 'curl'", "velocity", 0, "none", "lag4", "curl", p)
        refused(triad.UsageError, "temporal method 'lag4'", "velocity", 0, "lag4", "lag4", "field", p)
        refused(triad.InputError, "the files have no pressure", "pressure", 0, "none", "lag4", "field", p)
        refused(triad.InputError, "pchip requires two files", "velocity", 0, "pchip", "lag4", "field", p)
        refused(triad.UsageError, "[point, 3]", "velocity", 0, "none", "lag4", "field", p[0])
        """)


TORCH = {"torch/__init__.py": "import numpy as np\nfrom torch import utils\nfrom_numpy = np.asarray\nfrom_dlpack = np.from_dlpack\n",
         "torch/utils/__init__.py": "from torch.utils import data\n",
         "torch/utils/data.py": "class Dataset: pass\nclass IterableDataset(Dataset): pass\nget_worker_info = lambda: None\n"}
LEARN = POLYNOMIALS + """
import triad.torch
make("one", 1)
make("two", 1, (0.0, 1.0))
numbers = lambda tensor: np.asarray(tensor)
data = triad.torch.Fields(["one", "two"], fields=["u", "w"], cube=12, per_file=3, steps=2, seed=5)
assert len(data) == (3 + 1) * 3
u = [h5py.File(f"one/fields/fields-{i:08d}.h5")["u"][:] for i in range(4)]
for i in (0, 4, -1):
    item = data[i]
    assert tuple(item["fields"].shape) == (2, 2, 12, 12, 12) and numbers(item["fields"]).dtype == np.float32
    assert np.array_equal(numbers(item["fields"]), numbers(data[i]["fields"]))
    z, y, x_ = numbers(item["origin"])
    at = np.ix_((z + np.arange(12)) % N, (y + np.arange(12)) % N, (x_ + np.arange(12)) % N)   # through periodic ends
    for step, t in enumerate(numbers(item["t"])):
        assert np.array_equal(numbers(item["fields"])[step, 0], u[int(t)][at].astype(np.float32))
assert data[-1]["run"] == 1
first = numbers(data[0]["origin"])
data.set_epoch(1)
assert not np.array_equal(first, numbers(data[0]["origin"]))
slabs = triad.torch.Fields("one", fields=["u"], slab=12)
assert len(slabs) == 4 * 3 and tuple(slabs[2]["fields"].shape) == (1, 1, 8, N, N) and np.array_equal(numbers(slabs[5]["fields"])[0, 0], u[1][24:].astype(np.float32))
for wrong, words in ((dict(cube=40), "cube = 40"), (dict(cube=2, slab=2), "exclude"), (dict(fields=["q"]), "has no q"), (dict(steps=9), "fewer than 9")):
    try:
        triad.torch.Fields("one", **wrong)
        raise AssertionError(wrong)
    except triad.Error as error:
        assert words in str(error), error
"""
FLOW = """
import triad.torch
flow = triad.Flow("case.toml", dir="run")
items = [(item["t"], np.asarray(item["fields"]).shape, float(np.asarray(item["fields"])[0, 0, 0, 0])) for item in
         triad.torch.Stream(flow, fields=["u", "vorticity"], interval=0.1, until=0.3)]
assert [round(t, 9) for t, _, _ in items] == [0, 0.1, 0.2, 0.3] and items[0][1] == (2, 8, 10, 12) and len({u for _, _, u in items}) == 4
item = next(iter(triad.torch.Stream(flow, fields=["u"], interval=0.1, state="cpu")))
modes = np.asarray(item["u"])
assert modes.dtype == np.complex128 and np.array_equal(modes.transpose(0, 2, 1), flow.modes["u"])
flow.close()
"""


def test_cubes_slabs_and_a_running_flow_become_tensors(python, package):
    for name, text in TORCH.items():
        path = python.folder / "stand-in" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    here = f"import sys\nsys.path.append({str(python.folder / 'stand-in')!r})\n"   # behind a real one
    python(here + LEARN + FLOW)
    other = os.environ.get("LEARNING_PYTHON")
    if other:
        script = python.folder / "other"
        script.mkdir()
        (script / "script.py").write_text("import os\nimport numpy as np\nimport triad\n" + LEARN +
                                          "loader = triad.torch.torch.utils.data.DataLoader(data, batch_size=4, num_workers=2)\n"
                                          "assert next(iter(loader))['fields'].shape == (4, 2, 2, 12, 12, 12)\n")
        done = subprocess.run([other, "script.py"], cwd=script, capture_output=True, text=True, timeout=100,
                              env={**os.environ, "PYTHONPATH": str(package)})
        assert done.returncode == 0, done.stdout + done.stderr


def test_without_pytorch_the_package_is_named(python):
    python("""
        try:
            import triad.torch
        except triad.FeatureError as error:
            assert "python3 -m pip install torch" in str(error)
        else:
            triad.torch.torch.Tensor
        """)
