"""Coefficients of solids in a stream and the Strouhal number of their lift; the step that explicit diffusion sets."""

import numpy as np
import pytest

import outputs
from staggered import run  # noqa: F401

# two plates, one behind the other along x, whose shadows overlap in a column: y cells 2 to 5, z cells 2 and 3
PLATES = '[solids]\nkind = "boxes"\nboxes = [3, 2, 2, 1, 3, 2, 8, 4, 2, 1, 2, 2]\n'
BOX = {"n": (12, 10, 8), "length": (6, 5, 4), "viscosity": 0.05}
PERIOD = 0.5
# a uniform acceleration along z that swings, as a shaken tank: the lift on solids in it has that period
SHAKEN = {**BOX, "time": "dt = 0.02", "more": PLATES, "reference__velocity": [2, 0, 0], "forcing__kind": "formula",
          "forcing__w": f"5*cos(2*pi*t/{PERIOD})", "output__series_interval": 0.02}


@pytest.fixture
def shaken(run):
    return run("rest", end=4, **SHAKEN)


def test_the_area_is_the_shadow_and_the_frequency_that_of_the_force(shaken):
    s = outputs.series(shaken)
    head = 2**2 / 2 * (4 * 2 * 0.25)      # eight cells of 0.5 x 0.5, each counted once
    np.testing.assert_allclose(s["cl"], s["drag_z"] / head, rtol=1e-14)
    np.testing.assert_allclose(s["cd"], s["drag_x"] / head, rtol=1e-14)
    length = 2 * 0.5                      # along z, the direction of lift in three dimensions
    assert s["strouhal"][-1] == pytest.approx(length / (2 * PERIOD), rel=0.01) and np.isnan(s["strouhal"][0])
    assert "area 2, length 1, velocity 2" in (shaken / "log.txt").read_text()


def test_keys_replace_what_is_found(run):
    s = outputs.series(run("uniform", end=0.1, **BOX, more=PLATES, reference__velocity=[0, -3, 0], reference__area=7, reference__up="y"))
    np.testing.assert_allclose(s["cd"], -s["drag_y"] / (4.5 * 7), rtol=1e-14)      # drag is along the stream, -y
    np.testing.assert_allclose(s["cl"], s["drag_x"] / (4.5 * 7), rtol=1e-14)


@pytest.mark.parametrize("ranks", [1, 3])
def test_a_restart_continues_them_bit_for_bit(run, shaken, ranks):
    parts = run("rest", end=4, **SHAKEN, time__max_steps=77, ranks=ranks)
    parts = run("rest", end=4, **SHAKEN, folder=parts, ranks=ranks)
    assert (shaken / "series.csv").read_bytes() == (parts / "series.csv").read_bytes()


def test_without_a_stream_there_are_none_and_a_flow_rate_is_one(run):
    assert "cd" not in outputs.series(run("rest", end=0.02, **BOX, more=PLATES))
    s = outputs.series(run("rest", end=0.1, **BOX, more=PLATES, forcing__kind="flow-rate", forcing__amplitude=0.5))
    np.testing.assert_allclose(s["cd"], s["drag_x"] / (0.5**2 / 2 * 2), rtol=1e-14)


CHANNEL = {"n": (8, 32, 4), "length": (2, 1, 1), "viscosity": 0.1, "more": '[boundaries]\ny = ["wall", "wall"]\n',
           "forcing__kind": "pressure-gradient", "forcing__amplitude": 0.01}


def test_a_step_that_diffusion_sets_is_said_with_the_key_that_makes_it_implicit(run):
    folder = run("poiseuille", end=0.05, time="cfl = 0.5", initial__amplitude=0.0125, **CHANNEL)
    (line,) = [line for line in (folder / "log.txt").read_text().splitlines() if "explicit diffusion" in line]
    dt, longer = float(line.split("dt = ")[1].split()[0]), float(line.split("time.dt_max = ")[1].split()[0])
    assert dt == pytest.approx(outputs.series(folder)["dt"][-4], rel=0.1) and longer > 3 * dt
    again = run("poiseuille", end=2 * longer, time=f"cfl = 0.5\ndt_max = {longer}", initial__amplitude=0.0125, **CHANNEL)
    text = (again / "log.txt").read_text()
    assert "diffusion implicit" in text and "explicit diffusion" not in text
