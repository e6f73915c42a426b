"""What triad-plot makes of particles: Voronoi cells, constants along paths, and sum rules, each of places and paths where it is known."""

import os
import subprocess
import sys

import numpy as np
import pytest

import particles
from conftest import ROOT

pytest.importorskip("matplotlib", reason="python3-matplotlib is not installed")
sys.path.insert(0, str(ROOT / "tools"))
from triad_plot.figures.particles import clusters, constants  # noqa: E402
from triad_plot.read import hdf5, space  # noqa: E402
from triad_plot.read.particles import Group  # noqa: E402
from triad_plot.read.run import Run  # noqa: E402
from triad_plot.report import along  # noqa: E402

CASE = (particles.head(0.05, end=0.4, dt=0.02, every=0.02) + '[initial]\nkind = "random"\nwavenumber = 2\n' +
        particles.group("t", count=4000, interpolation="spline6") + particles.group("p", count=200, start="pairs", separation=0.05))


@pytest.fixture(scope="module")
def stirred(launcher, triad, tmp_path_factory):
    return particles.once(launcher, triad, tmp_path_factory, CASE)


def group(t, **data):
    g = Group("none.h5")
    g.data = {"t": t, **data}
    return g


def test_voronoi_cells_hold_what_is_nearest_to_their_particle():
    """40000 random places of a box that is no cube, each given to the nearest of 60 particles or their images: counts are binomial,
    and five standard deviations off once in 30000 such tests. Cells of a lattice are equal; all fill the box."""
    pytest.importorskip("scipy")
    random, length = np.random.default_rng(3), np.array([2.0, 3.0, 1.5])
    x = random.random((60, 3)) * length
    v = clusters.volumes(x, length)
    assert abs(v.sum() - length.prod()) < 1e-9 * length.prod()
    samples = random.random((40000, 3)) * length
    d = samples[:, None] - x
    d -= length * np.round(d / length)
    share = np.bincount((d**2).sum(-1).argmin(1), minlength=60) / len(samples)
    p = v / length.prod()
    assert (np.abs(share - p) < 5 * np.sqrt(p / len(samples))).all()
    # of a lattice that is moved a little: vertices of one that isn't are those of eight cells each
    at = np.stack(np.meshgrid(*[np.arange(4)] * 3), -1).reshape(-1, 3) * length / 4 + 1e-7 * random.random((64, 3))
    assert np.allclose(clusters.volumes(at, length), length.prod() / 64, rtol=1e-5)


def test_few_particles_have_all_the_images_they_need():
    """Six particles: cells reach across the box, and the first margin of images is too small or the sum would not be its volume."""
    pytest.importorskip("scipy")
    length = np.array([1.0, 8.0, 1.0])
    v = clusters.volumes(np.random.default_rng(1).random((6, 3)) * length, length)
    assert abs(v.sum() - 8) < 1e-8 and (v > 0).all()


def test_without_scipy_voronoi_ends_with_69_and_tells_how_to_get_it(stirred, tmp_path):
    (tmp_path / "scipy").mkdir()
    (tmp_path / "scipy/__init__.py").write_text("raise ImportError('none')\n")
    done = subprocess.run([ROOT / "tools/triad-plot", "particles", stirred, "--field", "voronoi", "-o", tmp_path / "v.png"],
                          capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(tmp_path)})
    assert done.returncode == 69 and "python3-scipy" in done.stderr and "Traceback" not in done.stderr, done.stderr


def test_the_acceleration_of_circles_and_richardson_of_a_cubic_law():
    """Circles of frequency w and radius 1: <a_i^2> = w^4/3; the extrapolation leaves (w h)^4/90 of it, and two lags of it less. Pairs
    that start at r_0 and part by sqrt(g eps t^3)."""
    w, h = 2.0, 0.05
    t = np.arange(40) * h
    angle = w * t[:, None] + np.linspace(0, 6, 30)
    v = w * np.stack([-np.sin(angle), np.cos(angle), 0 * angle], -1)
    assert abs(constants.square_of_acceleration(v, h) / (w**4 / 3) - 1) < 1e-4
    assert abs(((v[1:] - v[:-1])**2).mean() / h**2 / (w**4 / 3) - 1) > 5e-4, "one lag alone is that far off"
    x = np.zeros((40, 4, 3))
    x[:, 1::2] = [0.1, 0, 0]
    x[:, 1::2, 2] = np.sqrt(0.6 * 0.3 * t**3)[:, None]
    since, share = constants.richardson(group(t, position=x), 0.3)
    assert np.allclose(share, 0.6) and np.allclose(since, t[1:])


class Cells(space.Space):
    """u = sin x cos y, v = -cos x sin y on 12^3 points."""

    def __init__(self):
        n = 12
        x = 2 * np.pi * np.arange(n) / n
        z, y, x = np.meshgrid(x, x, x, indexing="ij")
        self.n = self.own = (n, n, n)
        self.lengths, self.periodic, self.fourier, self.modes = (2 * np.pi,) * 3, True, True, False
        self.data = {"u": np.sin(x) * np.cos(y), "v": -np.cos(x) * np.sin(y), "w": 0 * z}
        self.names = list(self.data)
        self.spectra = {k: np.fft.rfftn(f) / f.size for k, f in self.data.items()}

    def values(self, name):
        return self.data[name]


def test_the_acceleration_of_a_field_is_that_of_taylor_greens_cells():
    """Du/Dt = (sin x cos x, sin y cos y, 0) - (2 nu - c) u: means of its square 1/4 and (2 nu - c)^2/2, of the product 0."""
    for nu, c in ((0.0, 0.0), (0.3, 0.0), (0.3, 0.2)):
        assert abs(along.square_of_field(Cells(), nu, c) - (0.25 + (2 * nu - c)**2 / 2)) < 1e-13


def test_tracers_have_the_accelerations_of_their_field_and_scaled_ones_have_not(stirred):
    """4000 of them: their variance is within four standard errors. With 1.2 times their velocity it is 1.44 times as large."""
    run = Run(str(stirred))
    good = along.acceleration(run)
    assert good.verdict == "passed" and "at t = 0.4" in good.text, good
    run.particles["t"].data["velocity"] = 1.2 * run.particles["t"]["velocity"]
    assert along.acceleration(run).verdict == "warning"
    field = hdf5.read(space.files(run, "checkpoint")[-1][1], lambda file: space.Space("x", file, 24))
    assert field.n == (24, 24, 24), "half as many points again: products of modes to a third have no images below them"


@pytest.mark.parametrize("what", ["t:voronoi", "p:richardson", "t:a0", "structure"])
def test_figures_beside_published_numbers_are_drawn(stirred, tmp_path, what):
    if "voronoi" in what:
        pytest.importorskip("scipy")
    subprocess.run([ROOT / "tools/triad-plot", "particles", stirred, "--field", what, "-o", tmp_path / "a.png"], check=True)
    assert (tmp_path / "a.png").stat().st_size > 8000


def test_published_a0_is_the_fit_as_printed():
    """(11 + 7 Re)/(205 + Re): 711/305 at 100."""
    assert abs(constants.published_a0(100) - 711 / 305) < 1e-15
