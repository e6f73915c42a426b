"""A force from a file of modes over time: beside formulas, its budget, ranks, restart; and files that are wrong."""

import re

import h5py
import numpy as np
import pytest

import outputs
from outputs import sets

CASE = """[equations]
solver = "{solver}"
viscosity = 0.05
[grid]
n = [12, 16, 14]
length = ["2pi", "2pi", "2pi"]
[initial]
kind = "random"
energy = 0.1
[forcing]
kind = "file"
file = "modes.h5"
[time]
end = 0.2
dt = 0.02
scheme = "rk4"
[output]
report = false
slices = []
series_interval = 0
"""

# 0.3 sin z along x: -0.15 i at (0, 0, 1); 0.2 cos(x + 2 y) along z: 0.1 at (1, 2, 0), here by its conjugate
TIMES = np.linspace(0, 0.2, 11)
K = [(0, 0, 1), (-1, -2, 0)]
SHAPES = np.array([[(0, -0.15), (0, 0), (0, 0)], [(0, 0), (0, 0), (0.1, 0)]])


def modes(path, factor=lambda t: np.ones_like(t), times=TIMES, k=K, shapes=SHAPES, **more):
    with h5py.File(path, "w") as f:
        for name, value in {"t": times, "k": k, "f": factor(times)[:, None, None, None] * shapes, **more}.items():
            if value is not None:
                f[name] = value


@pytest.fixture
def run(triad, mpirun, tmp_path):
    def start(name, *arguments, solver="hd", ranks=1, expect=0):
        case = tmp_path / "case.toml"
        case.write_text(CASE.format(solver=solver))
        done = mpirun(ranks, triad, "run", "-q", case, "--dir", tmp_path / name, *arguments, expect=expect, threads=1)
        return done if expect else tmp_path / name
    return start


def close(a, b, tolerance):
    a, b = outputs.series(a), outputs.series(b)
    for key in set(a) - {"step"}:
        if "tail" not in key:
            size = max(1.0, np.nanmax(abs(b[key]), initial=0))
            np.testing.assert_allclose(a[key], b[key], rtol=0, atol=tolerance * size, err_msg=key)


def test_linear_in_time_is_the_formula(run, tmp_path):
    """Both are exact: 1 + 3 t times the modes, whose times the steps and half steps land on or between."""
    modes(tmp_path / "modes.h5", lambda t: 1 + 3 * t)
    formula = run("formula", *sets(**{"forcing.kind": "formula", "forcing.u": "(1 + 3*t)*0.3*sin(z)",
                                      "forcing.w": "(1 + 3*t)*0.2*cos(x + 2*y)"}))
    close(run("file", ranks=2), formula, 1e-13)


def test_a_cubic_is_exact_for_squares_and_of_third_order(run, tmp_path):
    """Parabolas through three times have the slopes of t^2 but at the ends, so the first and last times lie outside the run;
    uneven ones. Of cos 9 t the error falls by 2^3 at least as times stand twice as close."""
    uneven = np.array([-0.1, -0.03, 0.05, 0.08, 0.17, 0.25, 0.3])
    cubic = sets(forcing__interpolation="cubic")
    modes(tmp_path / "modes.h5", lambda t: 1 + t - 4 * t**2, times=uneven)
    formula = sets(**{"forcing.kind": "formula", "forcing.u": "(1 + t - 4*t^2)*0.3*sin(z)",
                      "forcing.w": "(1 + t - 4*t^2)*0.2*cos(x + 2*y)"})
    close(run("squares", *cubic), run("formula", *formula), 1e-13)
    wave = outputs.series(run("wave", *sets(**{"forcing.kind": "formula", "forcing.u": "cos(9*t)*0.3*sin(z)",
                                               "forcing.w": "cos(9*t)*0.2*cos(x + 2*y)"})))["energy"]
    errors = []
    for n in (9, 17):
        modes(tmp_path / "modes.h5", lambda t: np.cos(9 * t), times=np.linspace(-0.1, 0.3, n))
        errors.append(abs(outputs.series(run(f"cos{n}", *cubic))["energy"] - wave).max())
    assert errors[1] < 1e-5 * wave[0] and np.log2(errors[0] / errors[1]) > 2.7


def test_it_closes_its_budget_leaves_what_diverges_and_goes_on_bit_for_bit(run, tmp_path):
    """Simpson's rule over steps of 0.02; k.f is not 0 in the file."""
    shapes = SHAPES + np.array([[(0, 0), (0, 0), (0.3, 0.2)], [(0.1, 0), (0.2, 0), (0, 0)]])
    modes(tmp_path / "modes.h5", lambda t: np.cos(5 * t), shapes=shapes)
    same = sets(parallel__reproducible=True, forcing__interpolation="cubic")
    s = outputs.series(run("whole", *same))
    f = s["injection"] - s["dissipation"]
    integral = 0.02 / 3 * (f[0] + 4 * f[1:-1:2].sum() + 2 * f[2:-2:2].sum() + f[-1])
    assert abs(s["energy"][-1] - s["energy"][0] - integral) < 1e-6 * s["energy"][0] and abs(s["injection"]).max() > 1e-3
    assert outputs.rows(run("ranks", *same, ranks=3)) == outputs.rows(tmp_path / "whole")
    run("halves", *same, *sets(time__max_steps=4))
    modes(tmp_path / "modes.h5", lambda t: np.cos(5 * t), shapes=shapes)
    assert outputs.rows(run("halves", *same)) == outputs.rows(tmp_path / "whole")
    assert "checksum" in (tmp_path / "halves/log.txt").read_text()


def test_another_file_than_the_checkpoints_is_told(run, tmp_path):
    modes(tmp_path / "modes.h5")
    run("halves", *sets(time__max_steps=4))
    modes(tmp_path / "modes.h5", lambda t: 2 + t)
    run("halves")
    assert "forcing.file differs from that of the checkpoint" in (tmp_path / "halves/log.txt").read_text()


def test_theta_is_driven_too(run, tmp_path):
    modes(tmp_path / "modes.h5", shapes=SHAPES[:, :1])
    formula = run("formula", *sets(**{"forcing.kind": "formula", "forcing.theta": "0.3*sin(z)"}), solver="boussinesq")
    close(run("file", *sets(forcing__field="theta"), solver="boussinesq"), formula, 1e-13)


@pytest.mark.parametrize("more, told", [
    ({"times": TIMES[::-1]}, "t[1] = 0.18 must be later than the previous time"),
    ({"times": TIMES / 2}, "covers t = 0 to 0.1, but the run is from 0 to time.end = 0.2"),
    ({"k": [(0, 0, 1), (0, 0, -1)]}, "k[1] = (0, 0, -1) is repeated, as its conjugate"),
    ({"k": [(0, 0, 1), (0, 0, 0)]}, "is the mean, which is not forced"),
    ({"k": [(0, 0, 1), (0, 0, 7)]}, "is not in this grid"),
    ({"k": [(0, 0, 1), (0.5, 0, 1)]}, "is not an integer"),
    ({"shapes": SHAPES * np.nan}, "f[0, 0, 0, 0] is not finite"),
    ({"shapes": SHAPES[:, :2]}, "dataset f is not [times, modes, 3, 2]"),
    ({"k": None}, 'no dataset "k"'),
])
def test_a_wrong_file_ends_with_65_and_the_place(run, tmp_path, more, told):
    modes(tmp_path / "modes.h5", **more)
    done = run("bad", ranks=2, expect=65)
    assert done.stderr.count("modes.h5") == 1 and told in done.stderr, done.stderr


def test_a_missing_file_ends_with_66_and_none_with_65(run):
    assert "modes.h5" in run("bad", expect=66).stderr
    assert "forcing.file" in run("none", *sets(forcing__file=""), expect=65).stderr


def test_the_table_of_memory_counts_the_file(triad, mpirun, tmp_path):
    """Each rank has all of its numbers, and lists of its modes, which are less than that."""
    (tmp_path / "case.toml").write_text(CASE.format(solver="hd"))
    modes(tmp_path / "modes.h5", times=np.linspace(0, 0.2, 20000))
    done = mpirun(1, triad, "case", "--check", tmp_path / "case.toml", expect=0)
    row = float(re.search(r"^  forcing +([0-9.]+) MB", done.stdout, re.M)[1])
    numbers = 8e-6 * 20000 * (1 + 2 * 3 * 2)
    assert numbers < row < 2.1 * numbers, (row, numbers)
