"""Bodies and sponges in the periodic box: drag against published numbers, exact solutions, budgets, restarts, refusals."""

import struct
import sys

import numpy as np
import pytest
import scipy.linalg

import outputs
from conftest import ROOT
from outputs import sets
from verification import record

sys.path.insert(0, str(ROOT / "tools"))

HEAD = """[equations]
solver = "{solver}"
viscosity = {viscosity}
{equations}
[grid]
n = {n}
length = {length}
[initial]
kind = "{start}"
{initial}
[time]
end = {end}
{time}
[output]
series_interval = {every}
report = false
slices = []
"""


def case(tables="", *, solver="hd", viscosity=0.02, equations="", n=(16, 16, 16), length=(2, 2, 2), start="rest", initial="",
         end=100, time="dt = 0.02\nmax_steps = 12", every=0):
    return HEAD.format(solver=solver, viscosity=viscosity, equations=equations, n=list(n), length=list(length), start=start,
                       initial=initial, end=end, time=time, every=every) + tables


MIXED = """[[bodies]]
shape = "sphere"
center = [1.0, 1.0, 1.0]
radius = 0.45
path = ["0.1*sin(3*t)", "0.05*t^2"]
w = "0.3*(x-1)"
{held}
permeability = 0.05
[[bodies]]
shape = "cylinder"
axis = "y"
center = [3, 0, 0.2]
radius = 0.3
scalars = ["2"]
permeability = 0.1
[[sponges]]
rate = "3"
layer = "x"
range = [3.6, 4.2]
u = "0.5"
scalars = ["0"]
[[sponges]]
rate = "0.5*(1+sin(z)*cos(t))"
target = "mean"
"""


def mixed(solver, **more):
    held = {"boussinesq": 'theta = "1 + 0.1*x"\nscalars = ["1"]'}.get(solver, 'scalars = ["1"]')
    diffusivity = {"boussinesq": "diffusivity = 0.02\n", "mhd": "resistivity = 0.02\nmean_field = [0.3, 0, 0]\n"}.get(solver, "")
    return case(MIXED.format(held=held), solver=solver, n=(24, 16, 16), length=(4, 2, 2),
                equations=diffusivity + "scalars = [0.02]\nmean_velocity = [0.5, 0, 0]", **more)


# ---- the same on any ranks, across a restart ----

@pytest.mark.parametrize("solver", ["hd", "boussinesq", "mhd"])
def test_ranks_and_a_restart_change_no_bit(run_case, solver):
    """With bodies that move, a sponge whose rate depends on time, and one that relaxes to the mean."""
    text = mixed(solver, time="cfl = 0.5\nmax_steps = 6")
    text += "[reference]\narea = 1\n"
    whole = run_case(text)
    parts = run_case(text, "--set", "time.max_steps=3", ranks=4, **{"parallel.split": [2, 2]})
    parts = run_case(text, ranks=3, threads=2, folder=parts)
    assert (whole / "series.csv").read_bytes() == (parts / "series.csv").read_bytes()
    s = outputs.series(whole)
    for column in ("body1_force_x", "body2_power", "sponge1_power", "sponge2_power", "body2_scalar1_flux", "scalar1_relaxation"):
        assert abs(s[column][1:]).min() > 0, column
    if solver == "boussinesq":
        assert s["body1_theta_flux"][1:].max() < 0 and s["body1_scalar1_flux"][1:].max() < 0   # warmer than the fluid


@pytest.mark.parametrize("reference, velocity, drag, lift", [
    ({}, 0.5, "x", ("y", 1)), ({"velocity": [0, 0, 3], "up": "z"}, 3, "z", ("x", -1))])
def test_coefficients_are_forces_over_the_dynamic_pressure(run_case, reference, velocity, drag, lift):
    """Drag is along the stream and lift across it, which is turned from x towards z: then it is along -x."""
    keys = {f"reference.{key}": value for key, value in {"area": 0.7, **reference}.items()}
    s = outputs.series(run_case(mixed("hd", time="cfl = 0.5\nmax_steps = 3"), *sets(**keys)))
    assert np.isnan(s["body1_strouhal"]).all()      # no whole cycle yet
    head = velocity**2 / 2 * 0.7
    for body in (1, 2):
        np.testing.assert_allclose(s[f"body{body}_cd"], s[f"body{body}_force_{drag}"] / head, rtol=1e-14)
        np.testing.assert_allclose(s[f"body{body}_cl"], lift[1] * s[f"body{body}_force_{lift[0]}"] / head, rtol=1e-14)
    without = outputs.series(run_case(mixed("hd", time="cfl = 0.5\nmax_steps = 1")))
    assert "body1_cd" not in without and "body1_cl" not in without


def test_the_strouhal_number_is_that_of_a_body_that_swings(run_case):
    """A sphere that swings across a stream: its lift has its frequency; across a restart to the bit."""
    text = case('''[[bodies]]
shape = "sphere"
radius = 0.4
center = [1, 1, 1]
path = ["0", "0.1*sin(2*pi*t/0.25)", "0"]
permeability = 0.05
[reference]
area = 1
length = 0.8
''', n=(16, 16, 16), length=(2, 2, 2), equations="mean_velocity = [1, 0, 0]", end=1.5, time="dt = 0.0125")
    whole = run_case(text)
    s = outputs.series(whole)
    assert s["body1_strouhal"][-1] == pytest.approx(0.8 / 0.25, rel=0.02)
    parts = run_case(text, "--set", "time.max_steps=70")
    parts = run_case(text, folder=parts)
    assert (whole / "series.csv").read_bytes() == (parts / "series.csv").read_bytes()


@pytest.mark.parametrize("scheme, order", [("rk2", 2), ("rk3", 3), ("rk4", 4)])
def test_budgets_close_with_the_order_of_the_scheme(run_case, scheme, order):
    """Energy, by the work that is integrated with the scheme itself, as the check of the report does."""
    from triad_plot.compute.balance import integrals
    left = []
    for steps in (10, 20):
        text = mixed("boussinesq", end=0.4, time=f'dt = {0.4 / steps}\nscheme = "{scheme}"')
        s = outputs.series(run_case(text))
        lost = integrals(s["t"], s["dissipation"], 4).sum()
        put = s["work_done"][-1]
        left.append(abs(s["energy"][-1] - s["energy"][0] - put + lost))
        if scheme == "rk4":
            change = s["scalar1_variance"][-1] - s["scalar1_variance"][0]
            gained = integrals(s["t"], s["scalar1_relaxation"] - s["scalar1_dissipation"], 3).sum()
            assert change == pytest.approx(gained, rel=5e-3)
            assert integrals(s["t"], s["injection"], 3).sum() == pytest.approx(put, rel=5e-3)
    assert left[0] < 2e-2 * s["energy"][-1]
    assert left[0] / left[1] > 0.7 * 2**order


def test_the_check_of_the_report_holds_with_bodies_and_sponges(run_case):
    from triad_plot.compute.balance import Balance
    s = outputs.series(run_case(mixed("hd", end=0.4, time='cfl = 0.4\nscheme = "rk4"')))

    class Series(dict):
        t = s["t"]
    b = Balance(Series(s), counted=(s["work_done"], np.zeros_like(s["t"])))
    assert b.unaccounted() < 1e-3 + b.error()


# ---- known numbers ----

SPHERE = """[[bodies]]
shape = "{shape}"
center = [0.5, 0.5, 0.5]
permeability = {eta}
{more}
"""


def drag(run_case, n, shape="sphere", more="radius = 0.24814", **where):
    """K = F/(6 pi mu a U) of a simple cubic array with solid fraction 0.064, whose value is 2.810 (Zick and Homsy 1982)."""
    text = case(SPHERE.format(shape=shape, eta=(0.35 / n)**2, more=more), viscosity=1, n=(n, n, n), length=(1, 1, 1),
                equations="mean_velocity = [0.01, 0, 0]", end=0.1, time="cfl = 0.5", every=0.1)
    s = outputs.series(run_case(text, **where))
    assert abs(s["body1_force_y"][-1]) < 1e-12 * s["body1_force_x"][-1]   # lift is rounding
    # at rest in the mean, the power of the uniform acceleration is the dissipation
    assert s["injection"][-1] == pytest.approx(s["dissipation"][-1], rel=5e-3)
    return s["body1_force_x"][-1] / (6 * np.pi * 0.24814 * 0.01)


def test_a_cubic_array_of_spheres_has_the_drag_of_zick_and_homsy(run_case):
    errors = [abs(drag(run_case, n) / 2.810 - 1) for n in (16, 24)]
    assert errors[1] < 0.02
    order = np.log(errors[0] / errors[1]) / np.log(24 / 16)
    assert order > 1.7   # second order
    record("hd-spheres", errors[1], order=order)


CHANNEL = """[[bodies]]
shape = "box"
size = [1, 0.4, 1]
center = [0, 0, 0]
permeability = {eta}
"""


def test_a_channel_between_slabs_is_the_parabola(run_case):
    """Also the discrete solution of nu u'' - chi/eta u + G = 0, by numpy with a mask of its own."""
    n, nu, length, half = 96, 1.0, 2.0, 0.8
    eta = (0.5 * length / n)**2 / nu
    text = case(CHANNEL.format(eta=eta), viscosity=nu, n=(8, n, 1), length=(1, length, 1), end=0.4,
                time="cfl = 0.5\ndt_max = 5e-5", every=0.2, equations="mean_velocity = [1, 0, 0]")
    folder = run_case(text)
    s, m = outputs.series(folder), outputs.modes(folder)
    pressure = s["body1_force_x"][-1] / (length * 1 * 1)   # the acceleration that holds the mean
    bulk = 1 * length / (2 * half)
    assert pressure == pytest.approx(3 * nu * bulk / half**2, rel=0.01)
    at = m["kx"] == 0
    y = np.linspace(0, length, n, endpoint=False)
    k = 2 * np.pi / length * m["ky"][at]
    u = sum((2 if ky != 0 else 1) * (c * np.exp(1j * ky * y)).real for ky, c in zip(k, m["u"][at][:, 0]))
    fluid = abs(y - 1) < 0.7
    exact = 1.5 * bulk * (1 - ((y - 1) / half)**2)
    assert abs(u - exact)[fluid].max() < 0.01 * 1.5 * bulk
    record("hd-slabs", abs(u - exact)[fluid].max() / (1.5 * bulk))
    # the same equations without Triad, in Fourier modes of the kept range
    distance = abs((y + 1) % length - 1) - 0.2
    chi = (1 - np.tanh(2 * distance / (2.64823 * 0.5 * length / n))) / 2
    kept = np.arange(-((n - 1) // 3), (n - 1) // 3 + 1)
    basis = np.exp(2j * np.pi / length * np.outer(y, kept))
    operator = np.diag(nu * (2 * np.pi / length * kept)**2) + basis.conj().T @ ((chi / eta)[:, None] * basis) / n
    mean = kept == 0
    solved = np.linalg.solve(operator, mean.astype(complex))
    solved /= solved[mean]
    assert abs(u - (basis @ solved).real).max() < 2e-3


def icosphere(radius, halvings=3):
    g = (1 + 5**0.5) / 2
    corners = [np.array(p, float) for p in [(-1, g, 0), (1, g, 0), (-1, -g, 0), (1, -g, 0), (0, -1, g), (0, 1, g), (0, -1, -g),
                                            (0, 1, -g), (g, 0, -1), (g, 0, 1), (-g, 0, -1), (-g, 0, 1)]]
    faces = [(0, 11, 5), (0, 5, 1), (0, 1, 7), (0, 7, 10), (0, 10, 11), (1, 5, 9), (5, 11, 4), (11, 10, 2), (10, 7, 6), (7, 1, 8),
             (3, 9, 4), (3, 4, 2), (3, 2, 6), (3, 6, 8), (3, 8, 9), (4, 9, 5), (2, 4, 11), (6, 2, 10), (8, 6, 7), (9, 8, 1)]
    facets = [[radius * corners[i] / np.linalg.norm(corners[i]) for i in f] for f in faces]
    for _ in range(halvings):
        def middle(a, b):
            return radius * (a + b) / np.linalg.norm(a + b)
        facets = [t for a, b, c in facets for ab, bc, ca in [(middle(a, b), middle(b, c), middle(c, a))]
                  for t in ((a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca))]
    return np.array(facets, np.float32)


def ascii_stl(facets):
    body = "".join("  FACET normal 0 0 0\n outer loop\n" + "".join(f"   vertex {x:.9g} {y:.9g}\t{z:.9g}\r\n" for x, y, z in f)
                   + " endloop\n endfacet\n" for f in facets)
    return ("solid a vertex of no facet\n" + body + "endsolid\n").encode()


def binary_stl(facets):
    return (b"solid but binary".ljust(80) + struct.pack("<I", len(facets))
            + b"".join(struct.pack("<12fH", 9, 9, 9, *f.ravel(), 7) for f in facets))


def test_an_stl_sphere_is_a_sphere(run_case, tmp_path):
    """Binary under a header that says solid, ASCII, inside out: the same force, and nearly that of the sphere; also if they move."""
    facets = icosphere(24.814, 2)
    volume = np.einsum("ni,ni->", facets[:, 0], np.cross(facets[:, 1], facets[:, 2]), dtype=float) / 6
    facets *= (4 / 3 * np.pi * 24.814**3 / volume)**(1 / 3)   # 320 facets in the sphere are smaller than it

    def force(shape, more):
        text = case(SPHERE.format(shape=shape, eta=0.002, more=more), n=(16, 16, 16), viscosity=1, length=(1, 1, 1),
                    equations="mean_velocity = [0.01, 0, 0]", time="dt = 1e-4\nmax_steps = 2")
        return outputs.series(run_case(text))["body1_force_x"]
    forces = []
    for name, data in (("a", binary_stl(facets)), ("b", ascii_stl(facets)), ("c", binary_stl(facets[:, ::-1]))):
        (tmp_path / f"{name}.stl").write_bytes(data)
        forces.append(force("stl", f'stl = "{name}.stl"\nscale = 0.01'))
    assert forces[1] == pytest.approx(forces[0], rel=1e-6)
    assert forces[2] == pytest.approx(forces[0], rel=1e-6)
    assert forces[0] == pytest.approx(force("sphere", "radius = 0.24814"), rel=0.01)
    moves = '\npath = ["100*t^2 + 0.6"]'   # across the end of the box
    assert force("stl", 'stl = "a.stl"\nscale = 0.01' + moves) == pytest.approx(force("sphere", "radius = 0.24814" + moves), rel=0.01)


def test_an_open_stl_surface_is_refused(run_case, tmp_path):
    facets = icosphere(0.25, 1)
    text = ascii_stl(facets)
    table = SPHERE.format(shape="stl", eta=0.01, more='stl = "open.stl"')
    for data, why in ((binary_stl(facets[1:]), "the surface is not closed"), (text[:text.rindex(b"vertex")], "ends within a facet"),
                      (binary_stl(np.concatenate([facets[:1, ::-1], facets[1:]])), "the surface is not closed"),
                      (b"no facets", "not an STL file")):
        (tmp_path / "open.stl").write_bytes(data)
        assert why in run_case(case(table), expect=65).stderr


def test_a_body_that_moves_through_fluid_at_rest_is_a_body_in_a_stream(run_case):
    """Galilean: the same forces, but for the error of the grid."""
    def forces(shape, path="", mean=""):
        table = f'[[bodies]]\n{shape}\ncenter = [1, 1, 1]\npermeability = 0.1\n{path}\n'
        return outputs.series(run_case(case(table, viscosity=0.1, equations=mean)))
    sphere, path = 'shape = "sphere"\nradius = 0.4', 'path = ["-0.5*t"]'
    rest, moves = forces(sphere, mean="mean_velocity = [0.5, 0, 0]"), forces(sphere, path)
    np.testing.assert_allclose(moves["body1_force_x"][1:], rest["body1_force_x"][1:], rtol=5e-3)
    assert (moves["body1_power"][1:] > 0).all() and (rest["body1_power"] < 0).all()
    same = forces('shape = "distance"\ndistance = "3*sqrt(x^2 + y^2 + z^2) - 1.2"', path)
    np.testing.assert_allclose(same["body1_force_x"][1:], moves["body1_force_x"][1:], rtol=5e-3)


# ---- sponges ----

def profile(folder, y, length):
    m = outputs.modes(folder)
    at = m["kx"] == 0
    return sum((2 if ky != 0 else 1) * (c * np.exp(2j * np.pi / length * ky * y)).real for ky, c in zip(m["ky"][at], m["u"][at][:, 0]))


@pytest.mark.parametrize("scheme, order", [("rk2", 2), ("rk3", 3), ("rk4", 4)])
def test_a_shear_wave_decays_through_a_sponge_as_the_exact_solution(run_case, scheme, order):
    """u(y, t) of du/dt = nu u'' - rate(y) (u - target(y)), less its mean, in the kept modes: the exponential of a matrix."""
    n, length, nu, end = 24, 2 * np.pi, 0.05, 0.8
    rate, target = "2*exp(sin(y))", "0.5*cos(2*y)"
    table = f'[[sponges]]\nrate = "{rate}"\nu = "{target}"\n'
    errors = []
    y = np.arange(n) * length / n
    kept = np.arange(-((n - 1) // 3), (n - 1) // 3 + 1)
    basis = np.exp(1j * np.outer(y, kept))
    back = basis.conj().T / n
    hold = (kept != 0)[:, None]
    matrix = -np.diag(nu * kept.astype(float)**2) - hold * (back @ (2 * np.exp(np.sin(y))[:, None] * basis))
    push = hold[:, 0] * (back @ (2 * np.exp(np.sin(y)) * 0.5 * np.cos(2 * y)))
    whole = np.zeros((len(kept) + 1,) * 2, complex)
    whole[:-1, :-1], whole[:-1, -1] = matrix, push
    begin = np.append(back @ np.sin(y), 1)
    exact = (basis @ (scipy.linalg.expm(end * whole) @ begin)[:-1]).real
    for steps in (8, 16):
        text = case(table, viscosity=nu, n=(8, n, 1), length=("2pi", "2pi", 1), start="formula", initial='u = "sin(y)"', end=end,
                    time=f'dt = {end / steps}\nscheme = "{scheme}"', every=end).replace("'2pi'", '"2pi"')
        errors.append(abs(profile(run_case(text), y, length) - exact).max())
    assert errors[1] < {2: 3e-2, 3: 3e-3, 4: 3e-4}[order]
    assert errors[0] / errors[1] > 0.75 * 2**order
    if scheme == "rk3":
        record("hd-sponge", errors[1], order=np.log2(errors[0] / errors[1]))


def test_a_flow_equal_to_the_target_stays(run_case):
    """A uniform stream, in a sponge across the end of the box; and one of a file that is the start."""
    table = '[[sponges]]\nrate = "4"\nlayer = "x"\nrange = [1.5, 2.5]\nu = "0.5"\n'
    s = outputs.series(run_case(case(table, equations="mean_velocity = [0.5, 0, 0]")))
    np.testing.assert_allclose(s["energy"], 0.125, rtol=1e-13)
    assert abs(s["sponge1_power"]).max() < 1e-14


def test_a_layer_that_crosses_the_end_of_the_box_is_the_window_of_its_equation(run_case):
    """Power of a sponge in a uniform stream at the start: U (U - target) times the mean of the window, by numpy."""
    n, length, begin, end, rise, fall = 64, 2.0, 1.5, 2.7, 0.5, 0.25
    table = f'[[sponges]]\nrate = "3"\nlayer = "y"\nrange = [{begin}, {end}]\nrise = {rise}\nfall = {fall}\nu = "0.2"\n'
    s = outputs.series(run_case(case(table, n=(8, n, 1), length=(1, length, 1), equations="mean_velocity = [0.5, 0, 0]",
                                     time="dt = 0.01\nmax_steps = 1")))

    def smooth(s):
        inside = np.clip(s, 1e-9, 1 - 1e-9)
        return np.where(s <= 0.001, 0, np.where(s >= 0.999, 1, 1 / (1 + np.exp(np.minimum(1 / (inside - 1) + 1 / inside, 700)))))
    part = (np.arange(n) * length / n - begin) % length / (end - begin)
    window = np.where(part < 1, smooth(part / rise) * smooth((1 - part) / fall), 0)
    assert s["sponge1_power"][0] == pytest.approx(-3 * window.mean() * 0.5 * (0.5 - 0.2), rel=1e-12)
    assert s["injection"][0] == pytest.approx(0, abs=1e-16)   # less the power of the acceleration that holds the mean


def test_a_sponge_holds_the_fields_of_a_file(run_case, tmp_path):
    import h5py
    x = np.arange(16) * 2 / 16
    with h5py.File(tmp_path / "state.h5", "w") as f:
        f["u"] = np.broadcast_to(np.sin(np.pi * x)[None, :, None], (16, 16, 16))
        f["v"] = f["w"] = np.zeros((16, 16, 16))
    table = '[[sponges]]\nrate = "50"\ntarget = "file"\nfile = "state.h5"\n'
    s = outputs.series(run_case(case(table, viscosity=0, time="dt = 0.0025\nmax_steps = 160", every=0.4)))
    assert s["energy"][-1] == pytest.approx(0.25, rel=1e-6)
    assert s["work_done"][-1] == pytest.approx(0.25, rel=3e-4)


# ---- what is refused, and what is warned of ----

BODY = '[[bodies]]\nshape = "sphere"\nradius = 0.4\n'
SPONGE = '[[sponges]]\nrate = "1"\nu = "1"\n'
WRONG = [
    ('[[bodies]]\nshape = "sphere"\n', {}, "requires bodies[1].radius > 0"),
    ('[[bodies]]\nshape = "box"\nsize = [1, 0, 1]\n', {}, "three sides > 0"),
    ('[[bodies]]\nshape = "stl"\n', {}, "requires bodies[1].stl"),
    ('[[bodies]]\nshape = "distance"\n', {}, "requires bodies[1].distance"),
    (BODY, {"viscosity": 0}, "slips along walls"),
    (BODY + 'scalars = ["1"]\n', {}, "has 1 formulas, but equations.scalars has 0 scalars"),
    (BODY + 'scalars = ["1"]\n', {"equations": "scalars = [0]"}, "whose diffusivity is 0"),
    ('[[sponges]]\nrate = "1"\n', {}, "has no target"),
    (SPONGE + 'target = "mean"\n', {}, "excludes formulas of targets"),
    (SPONGE + 'layer = "x"\n', {}, "its beginning and its end"),
    ('[[sponges]]\nrate = "1"\ntarget = "file"\n', {}, "requires sponges[1].file"),
    ('[[sponges]]\nrate = "x - 1"\nu = "1"\n', {}, "a rate not negative"),
    ('[[sponges]]\nrate = "1"\nu = "log(x - 1)"\n', {}, "must be finite"),
    ('[[sponges]]\nrate = "1 - 20*t"\nu = "1"\n', {}, "a rate not negative"),
    (SPONGE + 'layer = "x"\nrange = [0, 6]\n', {}, "is 6 long, but the box 2"),
    (SPONGE + 'layer = "z"\nrange = [0.5, 1]\n', {"n": (16, 16, 1)}, "one point along z"),
    ("[reference]\narea = 1\n", {}, "requires [[bodies]]"),
    (BODY + "[reference]\narea = 1\n", {}, "requires a stream"),
    ("", {"equations": "mean_velocity = [1, 0, 0]\nrotation = [0, 0, 1]"}, "which turns a mean velocity"),
    ("", {"equations": "mean_velocity = [0, 0, 1]", "solver": "boussinesq"}, "lifts the whole stratification"),
]


@pytest.mark.parametrize("tables, more, why", WRONG, ids=[w[2][:24] for w in WRONG])
def test_what_cannot_be_is_refused(run_case, tables, more, why):
    assert why in run_case(case(tables, **more), expect=65).stderr


def test_other_keys_that_exclude_bodies(run_case):
    assert "shifts the grid points" in run_case(case(BODY), *sets(**{"grid.dealiasing": "phase-shift"}), expect=65).stderr
    assert "pressure of a flow with [[bodies]]" in run_case(case(BODY), *sets(**{"output.fields": ["pressure"],
                                                                               "output.fields_interval": 1}), expect=65).stderr
    assert run_case(case(BODY), *sets(**{"parallel.device": "gpu"}), expect=69).stderr


def test_a_step_beyond_the_limit_and_a_thin_body_are_warned_of(command, tmp_path):
    file = tmp_path / "case.toml"
    file.write_text(case(BODY.replace("0.4", "0.1") + "permeability = 0.003\n", viscosity=1))
    said = command("case", str(file), "--check").stderr
    assert "stability limit of rk3 with this permeability" in said
    assert "less than twice the width" in said


def test_the_step_keeps_to_the_limit_of_the_rate(run_case):
    s = outputs.series(run_case(case('[[sponges]]\nrate = "50"\nu = "1"\n', time="cfl = 0.5\nmax_steps = 3")))
    np.testing.assert_allclose(s["dt"][1:], 0.8 * 2.512 / 50, rtol=1e-12)


def test_threads_of_the_environment_do_not_matter(command, tmp_path):
    """A rank with fewer threads than OpenMP would start has room for its own alone."""
    file = tmp_path / "case.toml"
    file.write_text(case(BODY + '[[sponges]]\nrate = "3"\nlayer = "x"\nrange = [1, 2]\nu = "1 + 0.1*sin(y)"\n', n=(24, 24, 24), time="dt = 0.02\nmax_steps = 2"))
    done = command("run", "-q", str(file), "--dir", "out", "--set", "parallel.threads=1", env={"OMP_NUM_THREADS": "8"})
    assert done.returncode == 0, done.stderr


def test_a_scalar_that_diffuses_faster_than_the_flow_limits_the_step(run_case):
    """kappa = 20 nu: the rate at which the body holds its scalar is 20 times that of its velocity; values stay between 0 and 1."""
    s = outputs.series(run_case(case(BODY + 'scalars = ["1"]\n', n=(24, 24, 1), equations="scalars = [0.4]", end=2, time="cfl = 0.5", every=0.1)))
    assert s["scalar1_variance"].max() < 0.5
    assert s["scalar1_variance"][-1] > 0


BALL = """[[bodies]]
shape = "{shape}"
{more}
permeability = 0.01
"""


def force(run_case, more, shape="distance", t=0.0, field="body1_force_x", **where):
    """On a body in a uniform stream, at a time; with t > 0 of the same flow, since a strong hold does not let it change."""
    s = outputs.series(run_case(case(BALL.format(shape=shape, more=more), equations="mean_velocity = [1, 0, 0]", time="dt = 1e-6\nmax_steps = 1", **where)))
    return s[field][0]


def test_a_body_by_formula_is_repeated_with_the_box(run_case):
    ball = force(run_case, "center = [1, 1, 1]\nradius = 0.4", shape="sphere")
    distance = 'distance = "sqrt(x^2 + y^2 + z^2) - 0.4"\n'
    assert force(run_case, distance + "center = [0, 0, 0]") == pytest.approx(ball, rel=1e-6)
    assert force(run_case, distance + 'center = [1, 1, 1]\npath = ["0.75 + 0*t", "", ""]') == pytest.approx(ball, rel=1e-6)
    own = 'distance = "sqrt((x - 1)^2 + (y - 1)^2 + (z - 1)^2) - 0.4"\n'
    assert force(run_case, own) == pytest.approx(ball, rel=1e-6)
    assert force(run_case, own + 'path = ["0.75 + 0*t", "", ""]') == pytest.approx(ball, rel=1e-6)


def test_a_cylinder_through_the_box_has_no_ends(run_case):
    endless = force(run_case, 'axis = "z"\nradius = 0.4\ncenter = [1, 1, 1]', shape="cylinder")
    assert force(run_case, 'axis = "z"\nradius = 0.4\ncenter = [1, 1, 1]\nlength = 2', shape="cylinder") == pytest.approx(endless, rel=1e-12)
    plane = force(run_case, 'axis = "z"\nradius = 0.4\ncenter = [1, 1, 1]\nlength = 1', shape="cylinder", n=(16, 16, 1), length=(2, 2, 2))
    assert plane == pytest.approx(endless, rel=1e-12)


def test_a_mean_velocity_that_a_restart_changes_is_the_new_one(run_case):
    text = case(BODY, equations="mean_velocity = [1, 0, 0]", time="dt = 0.01\nmax_steps = 3")
    folder = run_case(text)
    run_case(text, "--set", "equations.mean_velocity=[3,0,0]", "--set", "time.max_steps=6", folder=folder)
    assert outputs.series(folder)["energy"][-1] > 4.4


@pytest.mark.parametrize("layer, points", [([0.5, 1], 32), ([-0.25, 0.25], 64)])
def test_masks_and_targets_are_in_the_estimate_of_memory(run_case, layer, points):
    """Rows of 24 bytes, the mask and one target on 16 + 16 points of each row (all of it, across the end of the box), one field of
    masks while they are made."""
    tables = f'[[sponges]]\nrate = "3"\nlayer = "x"\nrange = {layer}\nu = "sin(y)"\n'
    run = run_case(case(tables, n=(64, 64, 64), time="max_steps = 1"))
    (line,) = [line for line in (run / "log.txt").read_text().splitlines() if "memory of a rank: bodies and sponges" in line]
    want = 64**2 * (24 + 2 * points * 8 + 64 * 8)
    assert float(line.split("sponges")[1].split()[0]) == pytest.approx(1e-6 * want, abs=0.051)
