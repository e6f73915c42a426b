"""What others make of particles: figures, statistics along paths, the report, triad info, ParaView."""

import subprocess
import sys

import numpy as np
import pytest

from conftest import ROOT
from particles import data, group, head, once

pytest.importorskip("matplotlib", reason="python3-matplotlib is not installed")
sys.path.insert(0, str(ROOT / "tools"))
from triad_plot import along, constants, lagrange  # noqa: E402
from triad_plot.options import Options  # noqa: E402
from triad_plot.particles import Group  # noqa: E402
from triad_plot.run import Run  # noqa: E402


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
    assert bad.returncode == 65 and "there are p, t" in bad.stderr


@pytest.mark.parametrize("what", ["displacement", "acceleration", "structure", "voronoi", "distribution", "spectrum"])
def test_groups_differ_in_their_dashes_and_axes_have_units(stirred, what):
    axis = lagrange.draw([Run(str(stirred))], Options(field=what)).axes[0]
    groups = [line for line in axis.lines if line.get_label()[:1] in ("t", "p")]
    assert len(groups) == 2 and groups[0].get_linestyle() != groups[1].get_linestyle()
    assert what not in ("displacement", "structure") or "[T]" in axis.get_xlabel()


def test_statistics_along_paths_are_those_of_known_paths(tmp_path):
    """Circles of radius 1 and frequency w: velocities differ by 2 w sin(w tau/2), (2 w^2 sin^2)/... one component of three; the
    spectrum has one peak, at w, whose sum is the mean square 2/3 w^2/2."""
    w, n = 2.0, 401
    t = np.linspace(0, 20, n)
    phase = np.random.default_rng(1).random(50) * 2 * np.pi
    angle = w * t[:, None] + phase
    v = w * np.stack([-np.sin(angle), np.cos(angle), 0 * angle], -1)
    g = Group("none.h5")
    g.data = {"t": t, "velocity": v}
    tau, s2 = constants.structure(g)
    assert np.allclose(s2, (2 * w * np.sin(w * tau / 2))**2 / 3, rtol=1e-12)
    assert np.allclose((lagrange.acceleration(g)**2).sum(-1), (w * w * np.sin(w * 0.05) / (w * 0.05))**2, rtol=1e-9)


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
