"""Equations as text: functions of time, by their exact solutions."""
import math

import h5py
import numpy as np
import pytest

from text_equations import explained, series, write

# ---- functions of time ----

IN_TIME = """fields = ["q", "r", "s", "c", "n", "p"]
let = ["wind = 2*cos(3*t)", "psi = invert(lap(psi), s)"]
evolve = ["dt(q) = cos(t)*q", "dt(r) = sin(x - 2*t)", "dt(s) = -wind*dx(s) + t*dx(psi)", "dt(c) = 3*t^2 + 1 - lap(t)",
  "dt(n) + cos(t)*n*dx(n) = 0", "dt(p) = cos(y)*exp(-t)*p"]
"""


def in_time(triad, mpirun, folder, dt, scheme="rk4", ranks=1):
    case = write(folder, IN_TIME, [64, 32, 1], ["1 + 0.5*sin(y)", "0", "cos(2*x)", "1", "0.3*sin(x)", "1"], 0.5, dt, scheme=scheme, fields=0.5,
                 name=f"{scheme}-{dt}-{ranks}")
    series(mpirun, triad, case, ranks)
    with h5py.File(max((folder / (case.stem if ranks == 1 else f"{case.stem}-{ranks}") / "fields").glob("*.h5"))) as file:
        return {name: file[name][()][0] for name in "qrscnp"}


def exact_in_time():
    t, x, y = 0.5, (np.arange(64) * 2 * np.pi / 64)[None, :], (np.arange(32) * 2 * np.pi / 32)[:, None]
    n = 0.3 * np.sin(x)
    for _ in range(100):  # along characteristics, at the time sin(t)
        n = 0.3 * np.sin(x - n * math.sin(t))
    # s: i k (U sin(3t)/3 + t^2/2 / k^2) is the phase of the mode k = 2
    shift = 2 * math.sin(3 * t) / 3 + t * t / 2 / 4
    return {"q": (1 + 0.5 * np.sin(y)) * math.exp(math.sin(t)) + 0 * x, "r": (np.cos(x - 2 * t) - np.cos(x)) / 2 + 0 * y, "s": np.cos(2 * (x - shift)) + 0 * y,
            "c": 1 + t ** 3 + t + 0 * x + 0 * y, "n": n + 0 * y, "p": np.exp(np.cos(y) * (1 - math.exp(-t))) + 0 * x}


def test_functions_of_time_have_their_exact_solutions_at_the_order_of_the_scheme(triad, mpirun, tmp_path):
    want = exact_in_time()
    for scheme, order in (("rk4", 4), ("rk2", 2)):
        errors = []
        for dt in (0.05, 0.025):
            got = in_time(triad, mpirun, tmp_path, dt, scheme)
            errors.append(max(np.abs(got[name] - want[name]).max() for name in want))
        assert errors[0] / errors[1] == pytest.approx(2 ** order, rel=0.2), (scheme, errors)
    got = in_time(triad, mpirun, tmp_path, 0.005)
    for name in want:
        assert np.abs(got[name] - want[name]).max() < 2e-9, name
    split = in_time(triad, mpirun, tmp_path, 0.05, ranks=2)
    assert all((split[name] == in_time(triad, mpirun, tmp_path, 0.05)[name]).all() for name in want)


def test_functions_of_time_limit_the_step_by_their_largest_value_and_rate(triad, mpirun, tmp_path):
    """U sin(9 t)/dx, though it is 0 at the start; and 9, the rate of the sine."""
    case = write(tmp_path, 'fields = ["q"]\nevolve = ["dt(q) + 30*sin(9*t)*dx(q) = 0"]\n', [16, 1, 1], ["cos(x)"], 1, 0)
    case.write_text(case.read_text().replace("[output]", "cfl = 0.5\nmax_steps = 1\n[output]"))
    assert series(mpirun, triad, case)["dt"][-1] == pytest.approx(0.5 / (30 * 16 / (2 * math.pi) + 9), rel=1e-4)
    assert "dt(q) of time     - 30 dx q * g(t)" in explained(triad, case)
