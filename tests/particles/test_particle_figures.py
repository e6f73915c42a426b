"""What others make of particles: figures, statistics along paths, the report, triad info, ParaView."""

import subprocess
import sys

import numpy as np
import pytest

from conftest import ROOT
from particles import case, data, group, head, once, run  # noqa: F401

pytest.importorskip("matplotlib", reason="python3-matplotlib is not installed")
sys.path.insert(0, str(ROOT / "tools"))
from triad_plot.figures.particles import constants, lagrange  # noqa: E402
from triad_plot.options import Options  # noqa: E402
from triad_plot.problem import Absent  # noqa: E402
from triad_plot.read.particles import Group  # noqa: E402
from triad_plot.read.run import Run  # noqa: E402
from triad_plot.report import along  # noqa: E402


@pytest.fixture(scope="module")
def stirred(launcher, triad, tmp_path_factory):
    return once(launcher, triad, tmp_path_factory, head(0.01, (16, 16, 16), end=2.0, dt=0.05, every=0.1) + '[initial]\nkind = "random"\n' +
                group("t", count=400, sample=["gradient"]) + group("p", count=400, start="pairs", separation=0.02))


@pytest.mark.parametrize("what", ["", "t:paths", "qr", "distribution", "spectrum", "p:pairs"])
def test_figures_of_particles_are_drawn(stirred, tmp_path, what):
    tool = ROOT / "tools/triad-plot"
    words = ["--field", what] if what else []
    subprocess.run([tool, "particles", stirred, *words, "-o", tmp_path / "a.png"], check=True)
    assert (tmp_path / "a.png").stat().st_size > 8000
    bad = subprocess.run([tool, "particles", stirred, "--field", "nobody:paths"], capture_output=True, text=True)
    assert bad.returncode == 65 and "the groups are p, t" in bad.stderr


@pytest.mark.parametrize("what", ["displacement", "acceleration", "structure", "voronoi", "distribution", "spectrum"])
def test_groups_differ_in_their_dashes_and_axes_have_units(stirred, what):
    axis = lagrange.draw([Run(str(stirred))], Options(field=what)).axes[0]
    groups = [line for line in axis.lines if line.get_label()[:1] in ("t", "p")]
    assert len(groups) == 2 and groups[0].get_linestyle() != groups[1].get_linestyle()
    assert what not in ("displacement", "structure") or "[T]" in axis.get_xlabel()


def test_statistics_along_paths_are_those_of_known_paths(tmp_path):
    """Circles of radius 1 and frequency w: velocities differ by 2 w sin(w tau/2), (2 w^2 sin^2)/... one component of three; the
    spectrum has one peak, at w, whose sum is the mean square 2/3 w^2/2, but for phases that the window weighs and 50 of which do not even out: 2 %; the mean
    of 6.4 periods, which is taken off, is at most 1/20 of the amplitude, 0.5 % of the square."""
    w, n = 2.0, 401
    t = np.linspace(0, 20, n)
    phase = np.random.default_rng(1).random(50) * 2 * np.pi
    angle = w * t[:, None] + phase
    v = w * np.stack([-np.sin(angle), np.cos(angle), 0 * angle], -1)
    g = Group("none.h5")
    g.data = {"t": t, "velocity": v}
    tau, s2 = constants.structure(g)
    assert np.allclose(s2, (2 * w * np.sin(w * tau / 2))**2 / 3, rtol=1e-12)
    omega, power = lagrange.spectrum(g)
    assert abs(omega[power.argmax()] - w) < 2 * np.pi / 20 and power[abs(omega - w) > 1.5].sum() < 5e-3 * power.sum()
    assert np.isclose(power[1:].sum() * omega[1], w * w / 3, rtol=0.02)
    assert np.allclose((lagrange.acceleration(g)**2).sum(-1), (w * w * np.sin(w * 0.05) / (w * 0.05))**2, rtol=1e-9)


def test_distances_and_cells_are_of_periodic_boxes_and_of_more_than_one(run, tmp_path):
    """Walls have no images behind them; a single particle is at no distance. Both are told, and not drawn."""
    tool, places = ROOT / "tools/triad-plot", '[initial]\nkind = "formula"\np = "1"\n' + group("a", count=100) + group("one", count=1)
    text = case('solver = "compressible"', "n = [8, 8, 8]", "end = 0.02\ndt = 0.01", places)
    for name, more, field, told in (("walls", '[boundaries]\nz = ["reflecting", "reflecting"]\n', "a:voronoi", "not periodic along z"),
                                    ("walls", "", "a:distribution", "not periodic along z"), ("open", "", "one:distribution", "two particles")):
        folder = tmp_path / name if (tmp_path / name).exists() else run(name, text.replace("[initial]", more + "[initial]"))
        out = subprocess.run([tool, "particles", folder, "--field", field, "-o", tmp_path / "a.png"], capture_output=True, text=True)
        assert out.returncode == 65 and told in out.stderr and "Warning" not in out.stderr, out.stderr


def test_figures_read_no_more_than_they_draw(stirred):
    """60 of 400 paths, the last of 21 rows: nothing is left of datasets as a whole."""
    g = Group(str(stirred / "particles/t.h5"))
    whole = Group(g.path)
    assert np.array_equal(lagrange.acceleration(g, 60), lagrange.acceleration(whole)[:, :60])
    assert np.array_equal(g.part("position", -1, slice(9)), whole["position"][-1, :9])
    assert "position" not in g.data and "velocity" not in g.data


def test_the_report_knows_tracers_and_info_knows_their_file(stirred, triad):
    check = along.energy(Run(str(stirred)))
    assert check.verdict == "passed" and "standard errors" in check.text, check
    out = subprocess.run([triad, "info", stirred / "particles/t.h5"], capture_output=True, text=True, check=True).stdout
    assert "400, 21 rows from t = 0 to 2" in out
    for path in (stirred, stirred / "particles"):
        out = subprocess.run([triad, "info", path], capture_output=True, text=True, check=True).stdout
        assert "t.h5: 400 particles, 21 rows" in out and "p.h5: 400 particles" in out, out
    assert "rows of particles" in subprocess.run([triad, "info", stirred / "particles/t.0000.h5"], capture_output=True, text=True, check=True).stdout
    assert Run(str(stirred)).case["particles[2].start"] == "pairs" and Run(str(stirred)).case["time.dt"] == 0.05


def test_a_gas_is_not_asked_for_what_only_solenoidal_flows_do(run):
    """A wave of density, which steepens: tracers gather where the flow converges, and are not weighed by density as the energy is."""
    start = '[initial]\nkind = "formula"\np = "1"\nrho = "1+0.6*cos(2*pi*x)"\nu = "0.5*sin(2*pi*x)"\n' + group("a", count=2000)
    folder = run("gas", case('solver = "compressible"', "n = [16, 8, 8]\nlength = [1.0, 1.0, 1.0]", "end = 0.2\ndt = 0.01", start, 0.1,
                             series_interval=0.1))
    with pytest.raises(Absent):
        along.energy(Run(str(folder)))


def test_paraview_opens_them(stirred):
    vtk = pytest.importorskip("vtk", reason="VTK reads XDMF")
    reader = vtk.vtkXdmfReader()
    reader.SetFileName(str(stirred / "particles/t.xmf"))
    reader.UpdateInformation()
    times = reader.GetOutputInformation(0).Get(vtk.vtkStreamingDemandDrivenPipeline.TIME_STEPS())
    a = data(stirred, "t")
    assert np.allclose(times, a["t"])
    reader.UpdateTimeStep(times[7])
    reader.Update()
    grid = reader.GetOutputDataObject(0)
    assert grid.GetNumberOfPoints() == 400
    assert np.allclose([grid.GetPoint(i) for i in range(400)], a["position"][7], rtol=1e-6), "VTK's points are single"
    v = grid.GetPointData().GetArray("velocity")
    assert np.allclose([v.GetTuple(i) for i in range(400)], a["velocity"][7], rtol=1e-12)


# ---- rows at uneven times, as steps by a Courant number leave them ----

def circles(n, length=20.0, w=2.0, count=50):
    """Circles of radius 1 and frequency w at n uneven times, whose gaps differ by half of their mean: (t, velocities, phases)."""
    s = np.linspace(0, 1, n)
    t = length * (s + 0.25 / (n - 1) * np.sin(0.5 * (n - 1) * s * 7))
    phase = np.random.default_rng(1).random(count) * 2 * np.pi
    angle = w * t[:, None] + phase
    return t, w * np.stack([-np.sin(angle), np.cos(angle), 0 * angle], -1), phase


def uneven(n):
    t, v, phase = circles(n)
    g = Group("none.h5")
    g.data = {"t": t, "velocity": v}
    at = np.linspace(t[0], t[-1], n)
    angle = 2.0 * at[:, None] + phase
    exact = 2.0 * np.stack([-np.sin(angle), np.cos(angle), 0 * angle], -1)
    return g, np.sqrt(np.mean((g.even_velocity - exact)**2) / np.mean(exact**2))


def test_velocities_at_even_times_are_of_fourth_order_and_their_stated_error_is_theirs():
    (coarse, worse), (fine, better) = uneven(201), uneven(401)
    assert not coarse.is_even and 13 < worse / better < 19   # 2^4
    for g, error in ((coarse, worse), (fine, better)):
        assert error / 2 < g.error < 4 * error
    assert lagrange.rows_text({"a": coarse}).startswith("rows at uneven times") and lagrange.rows_text({}) == ""


def test_statistics_of_uneven_rows_are_those_of_known_paths():
    """As of even rows: S_2 of circles, one peak of the spectrum, and accelerations w^2 of the parabola through three rows."""
    g, _ = uneven(401)
    tau, s2 = constants.structure(g)
    assert np.allclose(s2, (4 * np.sin(tau))**2 / 3, atol=2e-4 * 16 / 3)
    omega, power = lagrange.spectrum(g)
    assert abs(omega[power.argmax()] - 2.0) < 2 * np.pi / 20
    errors = []
    for n in (201, 401):
        a = lagrange.acceleration(uneven(n)[0])
        errors.append(abs(np.sqrt((a**2).sum(-1)) - 4.0).max())
    assert errors[1] < 0.02 and errors[1] < errors[0] / 3


def test_rows_that_are_too_far_apart_are_refused_with_their_error():
    with pytest.raises(Absent, match="particles_interval"):
        uneven(15)


@pytest.mark.parametrize("what", ["structure", "a0", "spectrum", "acceleration", "paths"])
def test_a_run_by_cfl_has_lagrangian_statistics(by_cfl, tmp_path, what):
    (g,) = Run(str(by_cfl)).particles.values()
    assert not g.is_even, "the case is not one that the test means"
    figure = lagrange.draw([Run(str(by_cfl))], Options(field=what))
    assert what in ("acceleration", "paths") or "interpolated by cubics: error" in figure.axes[0].get_title(loc="left")


@pytest.fixture(scope="module")
def by_cfl(launcher, triad, tmp_path_factory):
    text = head(0.02, (16, 16, 16), end=1.5, every=0.06).replace("dt = 0.1", "cfl = 0.5")
    return once(launcher, triad, tmp_path_factory, text + '[initial]\nkind = "random"\n' + group("t", count=200))
