"""Particles in equations as text: they move with the first field, as in solver hd and along exact paths; what they cannot have is refused."""

import subprocess

import numpy as np
import pytest

from particles import case, data, group, run, same, start_at  # noqa: F401

START = ["sin(x)*cos(y)*cos(z) + 0.3*cos(2*y + z)", "-cos(x)*sin(y)*cos(z) + 0.2*sin(x - z)", "0.1*sin(x + y)", "cos(z) + sin(x)"]
GROUPS = group("a", count=40, sample=["velocity", "vorticity", "gradient", "NAME"]) + group("b", count=30, interpolation="lagrange6") + \
    group("h", count=30, kind="inertial", stokes_time=0.1, gravity=[0.0, 0.0, -0.5])
TEXT = """solver = "text"
linear = "decay"
fields = ["solenoidal u", "s"]
evolve = ["dt(u) + u@grad(u) = 0.01*lap(u)", "dt(s) + u@grad(s) = 0.02*lap(s)"]"""


def flow(equations, start, groups, n=(16, 16, 16), end=0.2, dt=0.02, every=0.1):
    return case(equations, f"n = {list(n)}", f'end = {end}\ndt = {dt}\nscheme = "rk3"', start, every) + groups


def by_formula(start):
    return f'[initial]\nkind = "formula"\nfields = {start}\n'.replace("'", '"')


def test_particles_of_navier_and_stokes_as_text_are_those_of_hd(run):  # noqa: F811
    text = run("text", flow(TEXT, by_formula(START), GROUPS.replace("NAME", "s")))
    named = "".join(f'{name} = "{f}"\n' for name, f in zip("uvw", START)) + f'scalars = ["{START[3]}"]\n'
    hd = run("hd", flow('solver = "hd"\nviscosity = 0.01\nscalars = [0.02]', '[initial]\nkind = "formula"\n' + named, GROUPS.replace("NAME", "scalar1")))
    for name in "abh":
        one, other = data(text, name), data(hd, name)
        for key in one:
            assert np.abs(one[key] - other["scalar1" if key == "s" else key]).max() < 1e-12, (name, key)
    assert np.abs(data(text)["position"][-1] - data(text)["position"][0]).max() > 0.05 and "s" in data(text)
    same(text, run("ranks", flow(TEXT, by_formula(START), GROUPS.replace("NAME", "s")), ranks=3), "abh")
    run("parts", flow(TEXT, by_formula(START), GROUPS.replace("NAME", "s")), "--set", "time.max_steps=5")
    same(text, run("parts", flow(TEXT, by_formula(START), GROUPS.replace("NAME", "s"))), "abh")  # resumes


def test_tracers_of_a_plane_shear_follow_its_paths(run, tmp_path):  # noqa: F811
    """Without products of the velocity, which a stage transforms for the particles: x + t sin y, and q at them."""
    places = np.random.default_rng(5).uniform(0, 2 * np.pi, (50, 3)) * [1, 1, 0]
    equations = 'solver = "text"\nfields = ["vector u", "q", "complex c"]\nevolve = ["dt(u) = 0*u", "dt(q) = -q", "dt(c) = 0*c"]'
    start = by_formula(["sin(y)", "0", "0", "cos(x)", "0", "sin(y)"])
    a = data(run("shear", flow(equations, start, group(count=50, interpolation="spline6", sample=["q", "c_im"], **start_at(tmp_path / "p.h5", places)),
                               n=(32, 32, 1), end=1, dt=0.25, every=1)))
    x = places[:, 0] + np.sin(places[:, 1])
    assert np.abs(a["position"][-1, :, 0] - x).max() < 1e-7 and np.abs(a["position"][-1, :, 1] - places[:, 1]).max() == 0
    assert np.abs(a["q"][-1] - np.exp(-1) * np.cos(x)).max() < 1e-7 and np.abs(a["c_im"][-1] - np.sin(places[:, 1])).max() < 1e-7


@pytest.mark.parametrize("change, keys, code, reason", [
    (('["solenoidal u", "s"]', '["s", "solenoidal u"]'), {}, 65, "must be a vector"),
    ((), {"kind": "inertial", "stokes_time": 0.1, "density_ratio": 2.0}, 65, "requires the acceleration of the fluid"),
    (('["solenoidal u", "s"]', '["solenoidal u", "vorticity"]'), {}, 65, 'a field cannot be called "vorticity"'),
    (('["solenoidal u", "s"]', '["solenoidal u", "position"]'), {}, 65, 'a field cannot be called "position"'),
    ((), {"sample": ["u_x"]}, 65, "components of further fields"),
    ((), {"sample": ["s_x"]}, 65, "components of further fields"),
    (("[parallel]", '[parallel]\ndevice = "gpu"'), {}, 69, "particles in solver text are supported on CPUs only")])
def test_what_particles_cannot_have_is_refused(triad, tmp_path, change, keys, code, reason):
    text = flow(TEXT, by_formula(START), group(count=4, **keys))
    (tmp_path / "case.toml").write_text(text.replace(*change) if change else text)
    done = subprocess.run([triad, "run", tmp_path / "case.toml", "--dir", tmp_path / "run"], capture_output=True, text=True, timeout=60)
    assert done.returncode == code, (done.returncode, done.stderr)
    assert reason in done.stderr or (code == 69 and "CUDA" in done.stderr), done.stderr
