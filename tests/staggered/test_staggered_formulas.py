"""Formulas of the staggered solver: forces beside the built-in one and exact flows, solids beside boxes; formulas that are wrong."""

import numpy as np
import pytest

import outputs
from outputs import sets
from staggered import run, state  # noqa: F401

BOX = {"n": (12, 10, 8), "end": 0.1}
FORMULA = {"forcing__kind": "formula"}


def test_a_constant_formula_is_the_pressure_gradient(run):
    """Plates and a channel: the one is added to the rates, the other to what they come to, which rounds differently."""
    walls = '[boundaries]\nx = ["wall", "wall"]\n'
    same = {"length": (12, 10, 8), "more": walls}
    twin = run("random", **BOX, **same, forcing__kind="pressure-gradient", forcing__amplitude=0.7, forcing__direction=[0, 1, 0])
    formula = run("random", **BOX, **same, ranks=2, **FORMULA, forcing__v="0.7")
    np.testing.assert_allclose(state(formula), state(twin), rtol=0, atol=1e-12)
    a, b = outputs.series(formula), outputs.series(twin)
    np.testing.assert_allclose(a["injection"][1:], b["injection"][1:], rtol=0, atol=1e-12)  # the first is before any step


def test_rotation_does_no_work_and_turns_a_uniform_flow(run):
    """u = cos t, v = -sin t; the mean of four faces is the same to and fro, so that a turbulent field gets no power either."""
    turn = {**FORMULA, "forcing__u": "v", "forcing__v": "-u"}
    errors = []
    for steps in (20, 40):
        u, v, _, _ = state(run("uniform", (4, 6, 4), 1.0, time=f"dt = {1 / steps}", viscosity=0.1, **turn))
        errors.append(np.hypot(u - np.cos(1), v + np.sin(1)).max())
    assert errors[0] < 1e-3 and np.log2(errors[0] / errors[1]) > 1.9
    s = outputs.series(run("random", **BOX, length=(12, 10, 8), viscosity=0, ranks=3, **turn))
    assert abs(s["injection"]).max() < 1e-14 * s["energy"].max()


@pytest.mark.parametrize("more", ["", '[solver]\ndiffusion = "implicit"\n'], ids=["explicit", "implicit"])
def test_a_force_in_time_is_of_second_order(run, more):
    """u = U(t) sin z with dU/dt + nu k^2 U = cos 5t, k^2 = (2 - 2 cos h)/h^2 of the mesh: advection is nothing."""
    n, nu, t, w, errors = 16, 0.05, 1.0, 5.0, []
    h = 2 * np.pi / n
    rate = nu * (2 - 2 * np.cos(h)) / h**2
    exact = (rate * np.cos(w * t) + w * np.sin(w * t) - rate * np.exp(-rate * t)) / (rate**2 + w**2)
    for steps in (40, 80):
        s = outputs.series(run("rest", (4, 4, n), t, time=f"dt = {1 / steps}", viscosity=nu, more=more, **FORMULA,
                               forcing__u="cos(5*t)*sin(z)"))
        errors.append(abs(2 * np.sqrt(s["energy"][-1]) - abs(exact)))
    assert errors[1] < 2e-3 * abs(exact) and np.log2(errors[0] / errors[1]) > 1.8


def test_formula_forces_are_the_same_on_any_ranks_and_go_on_bit_for_bit(run, tmp_path):
    same = {"length": (12, 10, 8), **FORMULA, "parallel__reproducible": True, "forcing__u": "sin(2*pi*z/8 + t) - 0.3*u*v",
            "forcing__w": "0.4*cos(2*pi*x/12)*u"}
    whole = run("random", **BOX, **same, time__max_steps=6)
    np.testing.assert_allclose(state(run("random", **BOX, **same, time__max_steps=6, ranks=3)), state(whole), rtol=0, atol=1e-12)
    halves = tmp_path / "halves"
    run("random", **BOX, **same, time__max_steps=3, folder=halves)
    run("random", **BOX, **same, time__max_steps=6, folder=halves)
    assert np.array_equal(state(halves), state(whole))


@pytest.mark.parametrize("ranks", [1, 3])
def test_solids_by_formula_are_the_boxes_that_it_means(run, ranks):
    boxes = run("random", **BOX, length=(12, 10, 8), more='[solids]\nkind = "boxes"\nboxes = [3, 2, 0, 2, 4, 8]\n', ranks=ranks)
    more = '[solids]\nkind = "formula"\nformula = "x > 3 && x < 5 && y > 2 && y < 6"\n'
    assert np.array_equal(state(run("random", **BOX, length=(12, 10, 8), more=more, ranks=ranks)), state(boxes))


@pytest.mark.parametrize("values, told", [
    ({**FORMULA, "forcing__u": "1/x"}, "forcing.u is infinite at x = 0"),
    ({**FORMULA, "forcing__v": "sqrt(0.035-t)"}, "forcing.v is not a number at x ="),
    ({**FORMULA, "forcing__w": "p"}, 'column 1: unknown name "p"'),
    (FORMULA, "requires a formula"),
    ({"solids__kind": "formula"}, "solids.formula"),
    ({"solids__kind": "formula", "solids__formula": "1/(x-0.5)"}, "solids.formula is infinite at x = 0.5"),
    ({"solids__kind": "formula", "solids__formula": "1"}, "solids leave no fluid")])
def test_a_wrong_formula_ends_with_its_place(run, values, told):
    done = run("random", **BOX, length=(12, 10, 8), expect=65, **values)
    assert done.stderr.count(told) == 1, done.stderr
