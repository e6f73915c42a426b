"""Exact flows of a gas with a force and a heat source by formula, for families on cells: the text of the formulas, and the flow."""

import functools

import pytest

s = pytest.importorskip("sympy")
GAMMA = s.Rational(7, 5)
X, T = s.symbols("x t")



@functools.lru_cache
def manufactured(speed):
    """A gas of density and pressure 1 that flows along x with `speed`, at t = 0; then waves of a period 1 grow in it:
    rho u = U + t sin(k x)/5, so that rho = 1 - k t^2 cos(k x)/10 keeps the mass, and p = 1 + t cos(k x)/5. Returns the formulas of
    acceleration and heat that make it so, and functions rho, u, p of (x, t)."""
    k = 2 * s.pi
    m = s.Float(speed) + T * s.sin(k * X) / 5
    rho, p = 1 - k * T**2 * s.cos(k * X) / 10, 1 + T * s.cos(k * X) / 5
    u, e = m / rho, p / (GAMMA - 1) + m**2 / rho / 2
    push = s.diff(m, T) + s.diff(m * u + p, X)
    heat = s.diff(e, T) + s.diff((e + p) * u, X) - u * push
    keys = {"forcing__kind": "formula", "forcing__u": str(push / rho).replace("**", "^"), "forcing__heat": str(heat).replace("**", "^")}
    return keys, [s.lambdify((X, T), f, "numpy") for f in (rho, u, p)]


# A column at rest between walls, whose weight grows with time: p = 1 - t y, by a heat p_t/(gamma - 1).
COLUMN = {"forcing__kind": "formula", "forcing__v": "-t", "forcing__heat": "-y/0.4"}
