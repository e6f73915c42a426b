"""Running means of a gas (output.means): against numpy on the checkpoint of the same time, and the same bits on any ranks."""

import h5py
import numpy as np
import pytest

import outputs
from compressible_runs import runs
from outputs import sets

CASE = """[equations]
solver = "compressible"
gamma = 1.3
[grid]
n = [18, 12, 10]
length = [6.0, 4.0, 3.0]
[initial]
kind = "formula"
rho = "1 + 0.3*sin(2*pi*x/6)*cos(pi*y/2)"
u = "0.4*cos(pi*y/2)"
v = "0.2 + 0.1*sin(2*pi*z/3)"
w = "0.3*sin(pi*x/3 + pi*y/2)"
p = "1 + 0.2*cos(2*pi*z/3)"
[time]
end = 10.0
dt = 0.02
max_steps = 4
[output]
report = false
slices = []
"""
ALL = sets(output__means=["moments", "pdfs", "profiles x", "profiles y", "profiles z", "spectra"])
LAST = sets(output__means_from=0.08, output__means_interval=0.02)   # one sample, of the checkpoint's time
VARIABLES = ("rho", "u", "v", "w", "p", "T", "log_rho")


@pytest.fixture
def run(run_case, tmp_path):
    return runs(run_case, tmp_path, CASE)


def variables(folder):
    """{name: [z, y, x]} of the last checkpoint."""
    rho, *momentum, e = (outputs.points(folder, [name])[0].astype(float) for name in ("rho", "rho_u", "rho_v", "rho_w", "e"))
    u, v, w = (m / rho for m in momentum)
    p = 0.3 * (e - rho * (u * u + v * v + w * w) / 2)
    return dict(zip(VARIABLES, (rho, u, v, w, p, 1.3 * p / rho, np.log(rho))))


def test_means_of_one_sample_are_those_of_numpy(run):
    """Moments, densities, profiles and covariances are sums over points of the state that the checkpoint holds."""
    folder = run("a", *LAST, *ALL)
    q = variables(folder)
    with h5py.File(folder / "means.h5") as f:
        assert f.attrs["samples"] == 1 and set(VARIABLES) == {name[:-8] for name in f if name.endswith("_moments")}
        edges = 10 * np.arange(-100, 101) / 100
        for name, values in q.items():
            d = values - values.mean()
            scale = d.std()**np.arange(1, 5)
            wanted = np.array([values.mean(), *((d**p).mean() for p in (2, 3, 4))])
            assert (abs(f[f"{name}_moments"][:] - wanted) < 1e-12 * (scale + abs(wanted[:1]))).all(), name
            density = np.histogram(d / d.std(), edges)[0] / values.size / 0.1
            assert abs(f[f"{name}_pdf"][:] - density).sum() * 0.1 <= 4 / values.size, name   # points on borders of bins
        for axis, others in (("x", (0, 1)), ("y", (0, 2)), ("z", (1, 2))):
            means = {name: values.mean(others) for name, values in q.items()}
            for name, profile in means.items():
                np.testing.assert_allclose(f[f"mean_{name}_{axis}"][:], profile, rtol=1e-12, atol=1e-14)
            for a, b in (("u", "u"), ("T", "T"), ("u", "w"), ("rho", "v"), ("rho", "p"), ("log_rho", "log_rho")):
                covariance = (q[a] * q[b]).mean(others) - means[a] * means[b]
                np.testing.assert_allclose(f[f"cov_{a}_{b}_{axis}"][:], covariance, rtol=1e-10, atol=1e-13)
        np.testing.assert_allclose(f["x"][:], 6 * np.arange(18) / 18, rtol=1e-14)
        energy = outputs.series(folder)["kinetic_energy"][-1]
        assert abs(f["E"][:].sum() - energy) < 1e-12 * energy


def test_means_have_the_same_bits_on_any_ranks_and_threads(run):
    """Sums over points are exact."""
    more = (*ALL, *sets(output__means_interval=0.02, parallel__reproducible=True))
    one, three = run("one", *more), run("three", *more, *sets(parallel__threads=2), ranks=3)
    with h5py.File(one / "means.h5") as a, h5py.File(three / "means.h5") as b:
        assert a.attrs["samples"] == 5 and set(a) == set(b)
        for name in (n for n in a if isinstance(a[n], h5py.Dataset)):
            assert np.array_equal(a[name][()], b[name][()], equal_nan=True), name


def test_what_a_gas_does_not_have_is_refused(run):
    """Spectra between walls, and quantities of a case's own."""
    done = run("walls", *sets(output__means=["spectra"], boundaries__x=["reflecting", "reflecting"]), expect=65)
    assert "requires periodic axes" in done.stderr
    done = run("own", *sets(output__means=["moments", "quantities"]), expect=65)
    assert "this solver does not support" in done.stderr
