"""The mean flow along a line of probes, and the shock cells of a jet."""

import h5py
import numpy as np
import pytest

import looks
from looks import plot_here

pytest.importorskip("matplotlib", reason="python3-matplotlib is not installed")

from triad_plot import verbs  # noqa: E402
from triad_plot.figures.space import axis  # noqa: E402
from triad_plot.options import Options  # noqa: E402
from triad_plot.read.run import Run  # noqa: E402

CASE = """[equations]
solver = "fct"
gamma = 1.4
[grid]
kind = "jet"
nozzle = [1.0, 1.5, {throat}, 1.0]
[boundaries]
patches = ["inlet: total, pressure=4, temperature=1", "nozzle: slip", "ambient: farfield, pressure=1", "outlet: pressure, pressure=1"]
"""
PLACES = np.linspace(0, 5, 11)


def flow(t, x=PLACES):
    """Mach number 1 + x/10, up and down by 0.1 in time; pressure 2."""
    t = np.asarray(t)[:, None]
    mach = 1 + x / 10 + 0.1 * (-1.0)**np.rint(t / 0.5)
    return {"p": 2 + 0 * mach, "rho": 2 * 1.4 + 0 * mach, "u": 0.6 * mach, "v": 0 * mach, "w": 0.8 * mach}


def write(folder, name, first, t, x=PLACES):
    (folder / "probes").mkdir(exist_ok=True)
    with h5py.File(folder / f"probes/{name}-{first:08d}.h5", "w") as file:
        places = x if np.ndim(x) == 2 else np.stack([x, 0 * x, 0 * x], axis=1)
        file["x"], file["t"] = places, np.asarray(t, float)
        for key, value in flow(t, places[:, 0]).items():
            file[key] = value


@pytest.fixture
def run(tmp_path):
    folder = tmp_path / "run"
    folder.mkdir()
    (folder / "case.resolved.toml").write_text(CASE.format(throat=1.0))
    write(folder, "axis", 0, [0, 0.5, 1.0, 1.5])
    write(folder, "axis", 3, [1.5, 2.0, 2.5, 3.0, 3.5])  # 1.5 twice, as after a restart
    angle = np.linspace(0, 2 * np.pi, 8, endpoint=False)
    write(folder, "round", 0, [0], np.stack([np.repeat([0., 1.], 8), np.tile(np.cos(angle), 2), np.tile(np.sin(angle), 2)], axis=1))
    return folder


def test_means_are_of_the_later_half_or_between_times(run):
    assert list(axis.lines_in(Run(str(run)))) == ["axis"]
    for options, rows in ((Options(), 4), (Options(t_from=0.5, t_to=2.0), 4), (Options(t_to=3.5), 8)):
        x, means, n = axis.means_of(Run(str(run)), options)
        assert n == rows
        np.testing.assert_allclose(x, PLACES)
        np.testing.assert_allclose(means["mach"][0], 1 + PLACES / 10, atol=1e-12)
        np.testing.assert_allclose(means["mach"][1], 0.1, atol=1e-12)
        np.testing.assert_allclose(means["p"], [np.full(11, 2.0), np.zeros(11)], atol=1e-12)


def test_the_cells_of_a_jet_follow_from_its_pressures(run):
    """Convergent, pressure 4: Mach 1.559, from 4 = (1 + M^2/5)^3.5; the tube is as wide as the mass flow of a choked throat wants, rho u
    found from the states at both; a narrower throat makes a narrower jet."""
    mach, diameter = axis.jet_of(Run(str(run)).case)
    assert (1 + mach**2 / 5)**3.5 == pytest.approx(4)
    def mass_flux(m):
        return m * (1 + m**2 / 5)**-3  # over p0 (gamma/T0)^(1/2)
    assert diameter == pytest.approx(np.sqrt(mass_flux(1) / mass_flux(mach)))
    assert axis.cell_of((mach, diameter)) == pytest.approx(1.3064 * np.sqrt(mach**2 - 1) * diameter) == pytest.approx(1.72, abs=0.005)
    (run / "case.resolved.toml").write_text(CASE.format(throat=0.5))
    assert axis.jet_of(Run(str(run)).case)[1] == pytest.approx(diameter / 2)
    for other in ("pressure=4", "farfield"):
        (run / "case.resolved.toml").write_text(CASE.format(throat=1.0).replace(other, "pressure=1.5" if other == "pressure=4" else "outflow"))
        assert axis.jet_of(Run(str(run)).case) is None


def test_maxima_of_the_pressure_are_those_of_its_cells():
    """Of a decaying cosine with ripples that are a tenth as high, by steps of cells: the maxima are 1.5 apart."""
    x = np.linspace(0, 9, 901)
    middle = 0.1 * np.floor(10 * x) + 0.05
    p = 2 + np.exp(-x / 8) * np.cos(2 * np.pi * middle / 1.5) + 0.02 * np.cos(2 * np.pi * middle / 0.4)
    assert axis.maxima(x, p) == pytest.approx([1.5, 3, 4.5, 6, 7.5], abs=0.15)
    assert len(axis.maxima(x, x)) == 0


def test_the_axis_is_drawn_and_what_is_wrong_is_said(run, tmp_path):
    figure = verbs.find("axis").draw([Run(str(run))], Options())
    assert looks.faults(figure) == []
    marks = [line.get_xdata()[0] for line in figure.axes[0].lines if line.get_linestyle() == ":" and len(line.get_xdata())]
    assert marks == pytest.approx([1.72, 3.44], abs=0.01)
    for words, code, said in ((("--field", "round"), 65, "the lines are axis"), (("--from", "9"), 65, "t = 0 to 3.5")):
        done = plot_here("axis", run, *words)
        assert done.returncode == code and said in done.stderr, done.stderr
    (run / "probes").rename(tmp_path / "gone")
    assert "no line of probes" in plot_here("axis", run).stderr
