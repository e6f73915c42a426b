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


# a heavy fluid at rest in a closed box: solids are pushed along -z by their volume times the acceleration, at their centres; the pressure
# is that of the centres of the cells above and below, so that plates of 3 and 2 columns of two cells count as of three
HYDROSTATIC = {**BOX, "time": "dt = 0.02", "more": PLATES + '[boundaries]\nx = ["wall", "wall"]\ny = ["wall", "wall"]\nz = ["wall", "wall"]\n',
               "forcing__kind": "formula", "forcing__w": "3", "reference__velocity": [2, 0, 0]}
VOLUMES, CENTRES = np.array([9, 6]) / 8, np.array([[1.75, 1.75, 1.5], [4.25, 2.5, 1.5]])      # of the plates


def turned(about, up):
    arms = VOLUMES @ (CENTRES - about)
    return 3 * {"z": arms[0], "y": 0}[up]      # M_y = -x F_z lifts the nose towards z; a force along z does not turn about z


@pytest.mark.parametrize("up, keys, about, length", [
    ("z", {}, (3, 2, 1.5), 1), ("z", {"reference__centre": [0, 0, 0], "reference__length": 4}, (0, 0, 0), 4), ("y", {}, (3, 2, 1.5), 2)])
def test_the_moment_is_that_of_the_weight_of_the_displaced_fluid(run, up, keys, about, length):
    s = outputs.series(run("rest", end=0.1, **HYDROSTATIC, reference__up=up, **keys))
    head = 2**2 / 2 * 2
    np.testing.assert_allclose(s["drag_z"][1:], -3 * VOLUMES.sum(), rtol=1e-6)
    np.testing.assert_allclose(s["cm"][1:], turned(about, up) / (head * length), rtol=1e-6, atol=1e-7)


def test_friction_turns_about_the_plane_on_which_it_acts(run):
    """A solid floor of two layers under a stream: all force is along x at its top, z = 1; the nose goes up."""
    floor = '[solids]\nkind = "boxes"\nboxes = [0, 0, 0, 12, 10, 2]\n[boundaries]\nz = ["wall", "slip"]\n'
    s = outputs.series(run("uniform", end=0.1, **BOX, more=floor, reference__centre=[0, 0, 0.25], reference__length=1.5,
                           reference__velocity=[1, 0, 0]))
    assert s["cd"][-1] > 1e-3
    np.testing.assert_allclose(s["cm"], s["cd"] * (1 - 0.25) / 1.5, rtol=1e-9)
