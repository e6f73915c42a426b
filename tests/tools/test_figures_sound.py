"""Figures of probes on meshes and of sound: levels along probes and against angles have their numbers."""

import h5py
import numpy as np
import pytest

import looks
import sound
from conftest import ROOT
from looks import plot_here

pytest.importorskip("matplotlib", reason="python3-matplotlib is not installed")

from triad_plot import verbs  # noqa: E402
from triad_plot.figures.sound import far, levels  # noqa: E402
from triad_plot.options import Options  # noqa: E402
from triad_plot.read import probes  # noqa: E402
from triad_plot.read.run import Run  # noqa: E402
from triad_plot.sound import command  # noqa: E402

T = 0.05 * np.arange(400)
REFERENCE = 20e-6 / 101325 * sound.P0


def field(x, t):
    """p' = (1 + x) sin(2 pi t + angle), which has the mean square (1 + x)^2/2 over 20 periods."""
    p = (1 + x[:, 0]) * np.sin(2 * np.pi * t + np.arctan2(x[:, 2], x[:, 1]))
    return p, np.zeros((3, *p.shape))


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sound") / "run"
    # shorter than its diameter
    parts = {"far": sound.cylinder(0, 2, 1.5, 5, 12), "lid": sound.disk(0, 1.5, 4, 12), "end": sound.disk(2, 1.5, 4, 12), "tip": sound.cylinder(1, 1, 1, 1, 1)}
    sound.write(folder, T, parts, field, amplitude=1e-3)
    return folder


def test_levels_along_a_cylinder_are_those_of_the_pressure(run):
    x = np.linspace(0, 2, 5)
    right = 20 * np.log10(1e-3 * (1 + x) / np.sqrt(2) / REFERENCE)
    figure = verbs.find("levels").draw([Run(str(run))], Options(field="far"))
    assert looks.faults(figure) == []
    at, level = figure.axes[0].lines[0].get_data()
    assert at == pytest.approx(x) and level == pytest.approx(right, abs=0.01)
    name, at, level, error = levels.profile(probes.open_one(Run(str(run)), "end"), "p", np.full(len(T), True), REFERENCE)
    assert name == "radius" and at == pytest.approx([0.1875, 0.5625, 0.9375, 1.3125]) and level == pytest.approx(right[-1], abs=0.01)
    assert (error < 0.1).all()
    assert len(verbs.find("levels").draw([Run(str(run))], Options()).axes[0].lines) == 3   # not of the single point


def test_the_probe_figure_reads_named_probes_and_says_what_there_is(run):
    figure = verbs.find("probe").draw([Run(str(run))], Options(field="tip:p"))
    assert looks.faults(figure) == []
    t, p = figure.axes[0].lines[0].get_data()
    assert p == pytest.approx(sound.P0 + 2e-3 * np.sin(2 * np.pi * t), abs=1e-9)
    f, density = figure.axes[1].lines[0].get_data()
    assert np.sum(density) * f[0] == pytest.approx(2e-6, rel=0.02) and abs(f[np.argmax(density)] - 1) < f[0]
    for words, said in ((("probe", "--field", "off:p"), "the probes are"), (("probe", "--field", "tip:T"), "the fields are"),
                        (("levels", "--field", "tip"), "is a single point"), (("levels", "--from", "19.5"), "no probe has rows enough"),
                        (("levels", "--field", "far", "--from", "19.5"), "are too few for levels"), (("sound",), "triad far-field")):
        done = plot_here(words[0], run, *words[1:])
        assert done.returncode == 65 and said in done.stderr, done.stderr


def test_probes_that_do_not_fit_are_refused(run, tmp_path):
    sound.write(tmp_path / "run", T[:4], {"far": sound.cylinder(0, 1, 1, 5, 12)}, field)
    x = sound.cylinder(0, 2, 1, 5, 12)
    sound.store(tmp_path / "run", "far", 9, T[4:6], x, dict.fromkeys(("rho", "u", "v", "w", "p"), np.ones((2, 60))))
    assert "its points are not those of" in plot_here("probe", tmp_path / "run").stderr


def test_the_figure_of_sound_has_the_levels_of_the_file(run):
    """Two distances, four angles of them around the axis as one."""
    command.run_command([str(run), "--arc", "40,0,180,5", "--arc", "60,90,90,1", "--around", "2"])
    figure = verbs.find("sound").draw([Run(str(run))], Options())
    assert looks.faults(figure) == []
    with h5py.File(run / "far-field/far-field.h5") as file:
        rms = file["levels/rms"][:]
    near = 10 * np.log10((rms[:10].reshape(5, 2)**2).mean(axis=1) / REFERENCE**2)
    drawn = figure.axes[0].lines[0].get_data()
    assert drawn[0] == pytest.approx([0, 45, 90, 135, 180]) and drawn[1] == pytest.approx(near)
    done = plot_here("sound", run, "--beside", ROOT / "runs/jet/cold-jet-levels.csv", "--table", run / "both.csv", "-o", run / "both.png")
    beside = [line.split(",") for line in (run / "both.csv").read_text().splitlines() if "published" in line and line[0] != "#"]
    assert done.returncode == 0 and [[float(word) for word in row[2:5]] for row in beside] == [[30, 111, 2], [90, 102, 2]], done.stderr
    assert len(far.by_angle(far.read(Run(str(run))))) == 6 and len(figure.axes[1].lines) == 6
