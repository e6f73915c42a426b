"""Equations as text: rates and frequencies of linear waves by closed formulas and numpy; conserved quantities; the built-in
sets written as text; refusals with their reasons."""
import math
import subprocess

import h5py
import numpy as np
import pytest

from text_equations import explained, series, write
from verification import record

ONE = 'fields = ["q"]\n'

# ---- linear terms ----

LAYERS = """fields = ["q1", "q2"]
let = ["J(a,b) = dx(a)*dy(b) - dy(a)*dx(b)",
  "psi1 = invert(lap(psi1) + F1*(psi2 - psi1), q1)", "psi2 = invert(lap(psi2) + F2*(psi1 - psi2), q2)"]
evolve = ["dt(q1) + J(psi1,q1) + U1*dx(q1) + (beta + F1*(U1-U2))*dx(psi1) = 0",
  "dt(q2) + J(psi2,q2) + U2*dx(q2) + (beta - F2*(U1-U2))*dx(psi2) = -mu*lap(psi2)"]
"""


def layer_rates(k, p):
    """Eigenvalues of two layers at the wavenumber (k, 0), by numpy."""
    s = np.linalg.inv(np.array([[-(k * k + p["F1"]), p["F1"]], [p["F2"], -(k * k + p["F2"])]]))
    slope = np.diag([p["beta"] + p["F1"] * (p["U1"] - p["U2"]), p["beta"] - p["F2"] * (p["U1"] - p["U2"])])
    drag = np.diag([0, p["mu"] * k * k]) @ s
    return np.linalg.eigvals(-1j * k * (np.diag([p["U1"], p["U2"]]) + slope @ s) + drag)


@pytest.mark.parametrize("p, k, published", [
    ({"F1": 12.5, "F2": 12.5, "U1": 0.5, "U2": -0.5, "beta": 0, "mu": 0}, 2, 0.8509629434),
    ({"F1": 12.5, "F2": 12.5, "U1": 0.5, "U2": -0.5, "beta": 5, "mu": 0}, 4, 0.8560452263),
    ({"F1": 25, "F2": 6.25, "U1": 1, "U2": 0, "beta": 5, "mu": 0.05}, 4, 0.37363111)])
def test_two_layers_grow_at_the_rates_of_phillips(triad, mpirun, tmp_path, p, k, published):
    fastest = layer_rates(k, p).real.max()
    assert fastest == pytest.approx(published, abs=1e-8)
    case = write(tmp_path, LAYERS, [32, 16, 1], [f"1e-7*cos({k}*x)", f"1e-7*sin({k}*x)"], 24, 0.05, p, interval=3)
    got = series(mpirun, triad, case)
    rate = math.log(got["energy"][8] / got["energy"][5]) / 2 / (got["t"][8] - got["t"][5])
    assert rate == pytest.approx(fastest, rel=1e-4)
    if p["mu"] > 0:
        record("text-two-layers", abs(rate / fastest - 1), rate)
    assert "2 x 2 matrix per mode, of q1, q2" in explained(triad, case)


def test_equations_print_the_fastest_growth(triad, tmp_path):
    p = {"F1": 12.5, "F2": 12.5, "U1": 0.5, "U2": -0.5, "beta": 0, "mu": 0}
    out = explained(triad, write(tmp_path, LAYERS, [32, 16, 1], ["0", "0"], 1, 0.1, p))
    # U k ((2F - k^2)/(2F + k^2))^(1/2) is largest at k = 3 among integers
    assert f"{0.5 * 3 * math.sqrt((25 - 9) / (25 + 9)):.9g} [1/time], at k = (3, 0, 0)" in out
    assert "transforms of a stage: 6 fields to points, 4 products or sums of products back (2 along z)" in out


@pytest.mark.parametrize("kx, ky, kd2", [(1, 0, 4), (2, 1, 4), (3, 4, 4), (2, 1, 0)])
def test_waves_on_a_beta_plane_have_their_frequency(triad, mpirun, tmp_path, kx, ky, kd2):
    omega = -10 * kx / (kx * kx + ky * ky + kd2)
    equations = """fields = ["q"]
let = ["psi = invert(lap(psi) - kd2*psi, q)"]
evolve = ["dt(q) + dx(psi)*dy(q) - dy(psi)*dx(q) + beta*dx(psi) = 0"]
"""
    end = 2 * math.pi / abs(omega) / 4  # a quarter of a period, of any amplitude
    case = write(tmp_path, equations, [16, 16, 1], [f"cos({kx}*x + {ky}*y)"], end, end / 20, {"beta": 10, "kd2": kd2}, fields=end)
    series(mpirun, triad, case)
    with h5py.File(max((tmp_path / "case/fields").glob("*.h5"))) as file:
        q = file["q"][()][0]
    x = np.arange(16) * 2 * np.pi / 16
    error = np.abs(q - np.cos(kx * x[None, :] + ky * x[:, None] - omega * end)).max()
    assert error < 1e-12
    if (kx, ky, kd2) == (2, 1, 4):
        record("text-rossby", error)


@pytest.mark.parametrize("kx, ky", [(1, 0), (1, 1), (2, 1), (3, 4)])
def test_shallow_water_adjusts_to_balance(triad, mpirun, tmp_path, kx, ky):
    """At rest with a wave of the surface: f = 2, gH = 1. The part 1/(1 + k^2/f^2) stays, the rest turns at omega."""
    equations = """fields = ["vector u", "eta"]
evolve = ["dt(u) + u@grad(u) + f*cross((0,0,1), u) = -g*grad(eta)", "dt(eta) + div((H + eta)*u) = 0"]
"""
    k2 = kx * kx + ky * ky
    omega, stays = math.sqrt(4 + k2), 1 / (1 + k2 / 4)
    period = 2 * math.pi / omega
    case = write(tmp_path, equations, [16, 16, 1], ["0", "0", "0", f"1e-6*cos({kx}*x + {ky}*y)"], period, period / 32,
                 {"f": 2, "g": 1, "H": 1}, interval=period / 4)
    eta = np.sqrt(4 * series(mpirun, triad, case)["eta_energy"]) / 1e-6
    want = [abs(stays + (1 - stays) * math.cos(omega * t)) for t in np.arange(5) * period / 4]
    assert eta == pytest.approx(want, abs=1e-7)
    if (kx, ky) == (2, 1):
        record("text-shallow-water", abs(eta - want).max())
    assert "3 x 3 matrix per mode, of u_x, u_y, eta" in explained(triad, case)


def test_internal_waves_are_exact_with_any_step(triad, mpirun, tmp_path):
    """The velocity is projected in the matrices: omega = N k_h/k, of a wave with its velocity across k."""
    equations = """fields = ["solenoidal u", "theta"]
evolve = ["dt(u) + u@grad(u) = -N*theta*(0,0,1)", "dt(theta) + u@grad(theta) = N*u_z"]
"""
    omega = 3 * 1 / math.sqrt(5)
    end = math.pi / omega / 2
    case = write(tmp_path, equations, [16, 8, 16], ["0", "0", "0", "1e-3*cos(x + 2*z)"], end, end / 4, {"N": 3}, scheme="rk2")
    got = series(mpirun, triad, case)
    assert got["theta_energy"][-1] < 1e-20 and got["u_energy"][-1] == pytest.approx(0.25e-6, rel=1e-12)
    assert got["energy"] == pytest.approx(np.full(5, 0.25e-6), rel=1e-12)


def test_steps_of_coupled_fields_are_rounded_down_to_keep_their_matrices(triad, mpirun, tmp_path):
    """Powers of 2^(1/16), at most the limit by the speed u_x = 1 + sin(x)/4 along x: 0.5 dx/1.25."""
    equations = 'fields = ["u", "v"]\nevolve = ["dt(u) + u*dx(u) = 2*v", "dt(v) + u*dx(v) = -2*u"]\n'
    case = write(tmp_path, equations, [16, 1, 1], ["1 + 0.25*sin(x)", "0"], 1, 0)
    case.write_text(case.read_text().replace("[output]", "cfl = 0.5\nmax_steps = 1\n[output]"))
    dt, limit = series(mpirun, triad, case)["dt"][-1], 0.5 * 2 * math.pi / 16 / 1.25
    assert 16 * math.log2(dt) == pytest.approx(round(16 * math.log2(dt)), abs=1e-9) and limit * 2 ** (-1 / 16) < dt <= limit


def test_kuramoto_sivashinsky_grows_as_k2_less_k4(triad, mpirun, tmp_path):
    k = 4 * math.pi / 22
    equations = 'fields = ["u"]\nevolve = ["dt(u) = -u*dx(u) - dx(dx(u)) - dx(dx(dx(dx(u))))"]\n'
    case = write(tmp_path, equations, [64, 1, 1], [f"1e-8*cos({k!r}*x)"], 20, 0.1, grid="length = [22, 22, 22]")
    got = series(mpirun, triad, case)
    rate = math.log(got["energy"][-1] / got["energy"][0]) / 40
    assert rate == pytest.approx(k * k - k ** 4, rel=1e-9)
    record("text-kuramoto-sivashinsky", abs(rate / (k * k - k**4) - 1), rate)
    assert f"{k * k - k ** 4:.9g} [1/time]" in explained(triad, case)


def test_cahn_hilliard_and_gray_scott_grow_at_their_rates(triad, mpirun, tmp_path):
    case = write(tmp_path, 'fields = ["c"]\nevolve = ["dt(c) = lap(c^3 - c - g*lap(c))"]\ninvariants = ["m = mean(c)"]\n',
                 [32, 1, 1], ["0.3 + 1e-7*cos(3*x)"], 1, 0.002, {"g": 0.01}, grid="radius = 7")
    got = series(mpirun, triad, case)
    wave = got["energy"] - got["m"] ** 2 / 2
    assert got["m"] == pytest.approx(np.full(5, 0.3), abs=1e-13)
    assert math.log(wave[4] / wave[2]) / 2 / (got["t"][4] - got["t"][2]) == pytest.approx(9 * (1 - 0.27) - 0.81, rel=1e-4)
    f, feed, k = 0.02, 0.07, 35.83
    root = math.sqrt(1 - 4 * feed ** 2 / f)
    u, v = (1 - root) / 2, f * (1 + root) / (2 * feed)
    fastest = np.linalg.eigvals([[-2e-5 * k * k - v * v - f, -2 * u * v], [v * v, -1e-5 * k * k + 2 * u * v - feed]]).real.max()
    assert fastest == pytest.approx(0.0140219381, abs=1e-9)
    equations = 'fields = ["u", "v"]\nevolve = ["dt(u) = 2e-5*lap(u) - u*v^2 + F*(1-u)", "dt(v) = 1e-5*lap(v) + u*v^2 - (F+k)*v"]\n'
    case = write(tmp_path, equations, [16, 1, 1], [f"{u!r} + 1e-7*cos({k}*x)", f"{v!r} - 1e-7*cos({k}*x)"], 400, 1, {"F": f, "k": feed - f},
                 grid=f"radius = 3\nlength = [{2 * math.pi / k!r}, 1, 1]", interval=100, name="second")
    slope = series(mpirun, triad, case)["enstrophy"]
    assert math.log(slope[4] / slope[2]) / 400 == pytest.approx(fastest, rel=5e-3)
    assert "2 fields to points, 1 products" in explained(triad, case), "u v^2 serves both equations"


# ---- nonlinear terms ----

@pytest.mark.parametrize("ranks", [1, 2])
def test_surface_flow_keeps_its_invariants(triad, mpirun, tmp_path, ranks):
    equations = """fields = ["b"]
let = ["psi = invert(-sqrt(-lap(psi)), b)", "J(a,c) = dx(a)*dy(c) - dy(a)*dx(c)"]
evolve = ["dt(b) + J(psi,b) = 0"]
invariants = ["half = -mean(psi*b)/2", "variance = mean(b^2)/2"]
"""
    case = write(tmp_path, equations, [64, 64, 1], ["sin(x)*sin(y) + cos(y)"], 2, 0.02, grid='truncation = "box"', interval=1)
    got = series(mpirun, triad, case, ranks)
    assert got["variance"] == pytest.approx(np.full(3, 0.375), rel=1e-10)
    assert got["half"] == pytest.approx(np.full(3, 0.3383883476), rel=1e-9)
    # mean |grad b|^2, by an independent program on 64^2 and 96^2 points
    assert 2 * got["enstrophy"] == pytest.approx([1, 1.0117259387, 1.0515087319], abs=1e-8)
    assert "3 fields to points, 2 products or sums of products back (1 along z)" in explained(triad, case)


def test_two_layers_conserve_energy_and_enstrophy(triad, mpirun, tmp_path):
    p = {"F1": 3, "F2": 6, "U1": 0, "U2": 0, "beta": 0, "mu": 0}
    more = 'invariants = ["energy = mean(2*grad(psi1)@grad(psi1) + grad(psi2)@grad(psi2))/2 + 3*mean((psi1 - psi2)^2)", "z1 = mean(q1^2)"]\n'
    start = ["sin(x)*cos(2*y) + cos(y)", "cos(2*x + y) - 0.5*sin(x)"]
    got = series(mpirun, triad, write(tmp_path, LAYERS + more, [32, 32, 1], start, 1, 0.01, p))
    assert got["energy"] == pytest.approx(np.full(5, got["energy"][0]), rel=1e-9) and got["energy"][0] > 0.1
    assert got["z1"] == pytest.approx(np.full(5, got["z1"][0]), rel=1e-8)


@pytest.mark.parametrize("r, square", [(0.1, 0.0667013527), (0.3, 0.2003115209)])
def test_swift_hohenberg_ends_in_rolls(triad, mpirun, tmp_path, r, square):
    equations = 'fields = ["u"]\nevolve = ["dt(u) = r*u - (u + 2*lap(u) + lap(u, 2)) - u^3"]\ninvariants = ["square = mean(u^2)"]\n'
    case = write(tmp_path, equations, [32, 1, 1], ["0.1*cos(x)"], 200 if r < 0.2 else 80, 0.02, {"r": r}, grid="radius = 7")
    # Newton's method on the modes; the exact integration of the third harmonic's decay moves it by O(dt^4)
    found = series(mpirun, triad, case)["square"][-1]
    assert found == pytest.approx(square, rel=1e-5)
    if r > 0.2:
        record("text-swift-hohenberg", abs(found / square - 1), found)


def test_burgers_is_that_of_cole_and_hopf(triad, mpirun, tmp_path):
    case = write(tmp_path, 'fields = ["s"]\nevolve = ["dt(s) + s*dx(s) = nu*lap(s)"]\n', [256, 1, 1], ["sin(x)"], 2, 0.005, {"nu": 0.05}, interval=1)
    energy = series(mpirun, triad, case)["energy"]
    assert energy == pytest.approx([0.25, 0.218654746002, 0.143070364828], rel=1e-9)
    record("text-burgers", abs(energy[-1] / 0.143070364828 - 1), energy[-1])


def test_profiles_and_sources(triad, mpirun, tmp_path):
    """dq/dt = -a q + s(x) + c and dr/dt = cos(x) r, whose solutions are exponentials."""
    equations = 'fields = ["q", "r"]\nevolve = ["dt(q) + 2*q = sin(x)*cos(3*y) + 3", "dt(r) = cos(y)*r"]\n'
    case = write(tmp_path, equations, [16, 32, 1], ["0", "1"], 0.5, 0.01, fields=0.5)
    series(mpirun, triad, case)
    with h5py.File(max((tmp_path / "case/fields").glob("*.h5"))) as file:
        q, r = file["q"][()][0], file["r"][()][0]
    x, y = np.arange(16) * 2 * np.pi / 16, np.arange(32) * 2 * np.pi / 32
    assert np.abs(q - (1 - math.exp(-1)) / 2 * (np.sin(x)[None, :] * np.cos(3 * y)[:, None] + 3)).max() < 1e-9
    assert np.abs(r - np.exp(0.5 * np.cos(y))[:, None]).max() < 1e-9


def test_a_plane_flow_keeps_its_enstrophy_across_each_axis(triad, mpirun, tmp_path):
    """Without viscosity, also where the axis of one point is y or x: the pressure removes gradients, which have no part along it."""
    for number, (n, u) in enumerate((([32, 32, 1], ["sin(y)+0.3*cos(2*y)", "cos(2*x)", "0"]), ([32, 1, 32], ["sin(z)+0.3*cos(2*z)", "0", "cos(2*x)"]),
                                     ([1, 32, 32], ["0", "sin(z)+0.3*cos(2*z)", "cos(2*y)"]))):
        case = write(tmp_path, 'fields = ["solenoidal u"]\nevolve = ["dt(u) + u@grad(u) = 0*u"]\n', n, u, 1, 0.01, name=f"axis{number}")
        enstrophy = series(mpirun, triad, case)["enstrophy"]
        assert np.abs(enstrophy / enstrophy[0] - 1).max() < 1e-7, n


@pytest.mark.parametrize("terms, rate", [
    ("-0.1*q - 1e-17*lap(q, 4)", lambda k: 0.1 + 1e-17 * k ** 8),
    ("-dx(lap(q)) - 1e-35*lap(q, 8)", lambda k: 1e-35 * k ** 16),
    ("1e-3*lap(q) - 1e-19*lap(q, 4)", lambda k: 1e-3 * k ** 2 + 1e-19 * k ** 8),
    ("1e3*dx(q) - 1e-16*lap(q, 4) - 1e3*dx(q)", lambda k: 1e-16 * k ** 8)])
def test_terms_of_high_order_count_however_small_their_coefficients_are(triad, mpirun, tmp_path, terms, rate):
    """A mode near the largest kept wavenumber decays exactly, though the term is below 1e-12 of the others at small wavenumbers."""
    k, end = 160, 0.2
    case = write(tmp_path, ONE + f'evolve = ["dt(q) = {terms}"]\n', [512, 1, 1], [f"cos({k}*x)"], end, end / 4)
    energy = series(mpirun, triad, case)["energy"]
    assert math.log(energy[0] / energy[-1]) / (2 * end) == pytest.approx(rate(k), rel=1e-9)


def test_products_count_however_small_their_coefficients_are(triad, mpirun, tmp_path):
    """dq/dt = c r k^8 q - q r with q = 1: both products come back in one sum, and c k^8 = 4.3."""
    k, end, c = 160, 1e-3, 1e-17
    equations = f'fields = ["q", "r"]\nevolve = ["dt(q) = {c!r}*q*lap(r, 4) - 1e-3*q*r", "dt(r) = 0*r"]\n'
    case = write(tmp_path, equations, [512, 1, 1], ["1", f"1e-3*cos({k}*x)"], end, end / 4, fields=end)
    series(mpirun, triad, case)
    with h5py.File(max((tmp_path / "case/fields").glob("*.h5"))) as file:
        q = np.ravel(file["q"][()])
    wave = np.fft.rfft(q)[k].real / 256
    assert wave == pytest.approx(1e-3 * end * (c * k ** 8 - 1e-3), rel=1e-5)


def test_an_inverse_exists_however_small_its_operator_is(triad, tmp_path):
    """lap(p, 4) spans 32 decades in a box of 100 : 1, and is 0 for the mean alone."""
    equations = ONE + 'let = ["p = invert(lap(p, 4), q)"]\nevolve = ["dt(q) = dx(p)"]\n'
    out = explained(triad, write(tmp_path, equations, [16, 16, 1], ["0"], 1, 0.1, grid="length = [628.3185307179587, 6.283185307179586, 1]"))
    assert f"linear frequency: at most {0.01 / 0.01 ** 8:.9g} [1/time]" in out, out


def test_what_terms_of_high_order_do_not_keep_is_found(triad, tmp_path):
    equations = ONE + 'evolve = ["dt(q) + q*dx(q) = 10*dx(lap(q)) - 1e-19*lap(q, 4)"]\n'
    out = explained(triad, write(tmp_path, equations, [512, 1, 1], ["0"], 1, 0.1))
    assert "energy: kept by products of fields, not kept by linear terms" in out, out


@pytest.mark.parametrize("equations, fastest", [
    ('fields = ["a", "b"]\nevolve = ["dt(a) = 3*dx(b)", "dt(b) = 3*dx(a)"]', 3 * 5),  # modes up to 5 of 16 points
    ('fields = ["q"]\nlet = ["psi = invert(lap(psi), q)"]\nevolve = ["dt(q) + 10*dx(psi) = 0"]', 10),  # at k = 1
    ('fields = ["q", "r"]\nevolve = ["dt(q) = -2*dx(dx(dx(dx(q))))", "dt(r) = 1000*dx(q)"]', 2 * 5 ** 4)])  # r gives nothing back
def test_explicit_linear_terms_limit_the_step(triad, mpirun, tmp_path, equations, fastest):
    case = write(tmp_path, equations + '\nlinear = "decay"\n', [16, 16, 1], ["0"], 1, 0, grid="radius = 5")
    case.write_text(case.read_text().replace("[output]", "cfl = 0.5\nmax_steps = 2\n[output]"))
    assert series(mpirun, triad, case)["dt"][-1] == pytest.approx(0.5 / fastest, rel=1e-12)


@pytest.mark.parametrize("equations, rate", [
    (ONE + 'evolve = ["dt(q) + 50*sin(y)*dx(q) = 0"]', 50 * 16 / (2 * math.pi)),  # the largest |U|/dx
    ('fields = ["a", "b"]\nevolve = ["dt(a) = 4*cos(x)*dy(b)", "dt(b) = 4*cos(x)*dy(a)"]', 4 * 16 / (2 * math.pi)),  # waves that it carries
    (ONE + 'evolve = ["dt(q) + sin(y)*dx(q) + 2*cos(y)*dy(q) = 0"]', 16 / (2 * math.pi) * max(abs(math.sin(y)) + 2 * abs(math.cos(y)) for y in np.arange(16) * math.pi / 8)),
    (ONE + 'evolve = ["dt(q) = -30*exp(cos(y))*q"]', 30 * math.e),  # a reaction
    (ONE + 'evolve = ["dt(q) + 0.5*dx(q)*q*exp(sin(x)) = 0"]', 0.5 * 16 / (2 * math.pi) * max(abs(math.cos(x)) * math.exp(math.sin(x)) for x in np.arange(16) * math.pi / 8))])
def test_functions_of_position_limit_the_step(triad, mpirun, tmp_path, equations, rate):
    case = write(tmp_path, equations + "\naliased = true\n", [16, 16, 1], ["cos(x)"], 1, 0)
    case.write_text(case.read_text().replace("[output]", "cfl = 0.5\nmax_steps = 1\n[output]"))
    assert series(mpirun, triad, case)["dt"][-1] == pytest.approx(0.5 / rate, rel=1e-12)


def test_products_with_functions_of_position_are_free_of_aliases_or_refused(triad, mpirun, tmp_path):
    """dq/dt = 2 sin(3x) q^2 on 32 points keeps its modes if 3 K + 3 < 32; numpy on 128 points has them all."""
    case = write(tmp_path, ONE + 'evolve = ["dt(q) = 2*sin(3*x)*q^2"]\n', [32, 1, 1], ["0.3*cos(9*x) + 0.2*sin(8*x) + 0.1"], 0.1, 0.01, grid="radius = 10", fields=0.1)
    done = subprocess.run([triad, "run", case, "--dir", tmp_path / "run"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 65 and "products of 2 fields with a function of position in the equation for q are aliased" in done.stderr, done.stderr
    case.write_text(case.read_text().replace("radius = 10", "radius = 9"))
    assert "(free of aliases in the kept modes)" in explained(triad, case)
    series(mpirun, triad, case)
    x = np.arange(128) * 2 * np.pi / 128
    q, dt = 0.3 * np.cos(9 * x) + 0.2 * np.sin(8 * x) + 0.1, 0.001

    def rate(q):
        modes = np.fft.rfft(2 * np.sin(3 * x) * q * q)
        modes[10:] = 0
        return np.fft.irfft(modes)

    for _ in range(100):
        a = rate(q)
        b = rate(q + dt / 2 * a)
        c = rate(q + dt / 2 * b)
        q = q + dt / 6 * (a + 2 * b + 2 * c + rate(q + dt * c))
    with h5py.File(max((tmp_path / "case/fields").glob("*.h5"))) as file:
        assert np.abs(file["q"][()][0, 0] - q[::4]).max() < 1e-10
    case.write_text(case.read_text().replace("2*sin(3*x)*q^2", "tanh(20*sin(x))*q"))
    done = subprocess.run([triad, "run", case, "--dir", tmp_path / "sharp", "--set", "time.max_steps=1"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and "of a function of position in the equation for q is in modes that are aliased" in done.stderr, done.stderr


def test_hundreds_of_terms_are_all_counted(triad, mpirun, tmp_path):
    """800 terms of one equation, 25 products with 32 operators: a step of 1e-8 and the rate by numpy."""
    a, b = ("(" + " + ".join("dx(" * n + name + ")" * n for n in range(5)) + ")" for name in "ab")
    laps = " + ".join(f"{100.0 ** -n!r}*(lap(F, {n}) + lap(dx(F), {n}))" for n in range(1, 17))
    case = write(tmp_path, f'fields = ["a", "b"]\nlet = ["F = {a}*dx({b})"]\nevolve = ["dt(a) = {laps}", "dt(b) = 0*b"]\n', [16, 1, 1],
                 ["sin(x)", "cos(2*x)"], 1e-8, 1e-8, fields=1e-8)
    series(mpirun, triad, case)
    x, k = np.arange(16) * np.pi / 8, np.arange(9)
    f = sum(np.fft.irfft((1j * k) ** n * np.fft.rfft(np.sin(x))) for n in range(5)) * \
        sum(np.fft.irfft((1j * k) ** (n + 1) * np.fft.rfft(np.cos(2 * x))) for n in range(5))
    rate = np.fft.irfft(np.fft.rfft(f) * (1 + 1j * k) * sum(100.0 ** -n * (-1.0 * k * k) ** n for n in range(1, 17)))
    with h5py.File(max((tmp_path / "case/fields").glob("*.h5"))) as file:
        assert np.abs((file["a"][()][0, 0] - np.sin(x)) / 1e-8 - rate).max() < 1e-4 * np.abs(rate).max()


def test_ranks_change_no_bit_also_where_they_share_planes(triad, mpirun, tmp_path):
    equations = """fields = ["solenoidal u", "q"]
evolve = ["dt(u) + u@grad(u) = nu*lap(u) + q*(0,0,1) + sin(y)*(1,0,0)",
  "dt(q) + u@grad(q) = nu*lap(q) + cos(x + z)*q + sin(z)*u_x"]
"""
    case = write(tmp_path, equations, [16, 16, 16], FLOW + ["cos(x)"], 0.2, 0, {"nu": 0.05})
    ends = set()
    for ranks, more in ((1, []), (3, []), (4, ["--set", "parallel.split=[0,2]"])):
        folder = tmp_path / f"on-{ranks}"
        mpirun(ranks, triad, "run", case, "--dir", folder, *more, expect=0)
        ends.add((folder / "series.csv").read_text().splitlines()[-1])
    assert len(ends) == 1, ends


# ---- the built-in sets ----

FLOW = ["sin(x)*cos(y)*cos(z) + 0.3*cos(2*y + z)", "-cos(x)*sin(y)*cos(z) + 0.2*sin(x - z)", "0.1*sin(x + y)"]
FIELD = ["sin(y + 2*z)", "cos(x - z)", "sin(x)*cos(y)"]
SETS = {
    "hd": ("viscosity = 0.01\nrotation = [0.1, 0.2, 0.5]\nhyperviscosity = 1e-5\ndrag = 0.03\nscalars = [0.02]",
           'fields = ["solenoidal u", "s"]\nlet = ["Omega = (0.1, 0.2, 0.5)"]\nevolve = ["dt(u) + u@grad(u) + 2*cross(Omega, u) = nu*lap(u) '
           '- 1e-5*lap(lap(u)) - 0.03*u", "dt(s) + u@grad(s) = 0.02*lap(s)"]', FLOW + ["cos(z)"], ["u", "v", "w", "scalars"],
           "4 fields to points, 8 products or sums of products back (6 along z)"),
    "boussinesq": ("viscosity = 0.01\ndiffusivity = 0.02\nbuoyancy_frequency = 1.5",
                   'fields = ["solenoidal u", "theta"]\nevolve = ["dt(u) + u@grad(u) = -1.5*theta*(0,0,1) + nu*lap(u)", '
                   '"dt(theta) + u@grad(theta) = 1.5*u_z + 0.02*lap(theta)"]', FLOW + ["sin(x + 2*z)*cos(y)"], ["u", "v", "w", "theta"],
                   "4 fields to points, 8 products or sums of products back (6 along z)"),
    "mhd": ("viscosity = 0.01\nresistivity = 0.02\nmean_field = [0, 0.1, 0.7]",
            'fields = ["solenoidal u", "solenoidal b"]\nlet = ["B0 = (0, 0.1, 0.7)"]\nevolve = ["dt(u) + u@grad(u) = b@grad(b) + B0@grad(b) '
            '+ nu*lap(u)", "dt(b) = curl(cross(u, B0 + b)) + 0.02*lap(b)"]', FLOW + FIELD, ["u", "v", "w", "bx", "by", "bz"],
            "6 fields to points, 8 products or sums of products back (7 along z)")}


@pytest.mark.parametrize("solver", SETS)
def test_built_in_sets_written_as_text_give_the_same_fields(triad, mpirun, tmp_path, solver):
    """With as many transforms, found by the compiler."""
    keys, equations, start, names, transforms = SETS[solver]
    case = write(tmp_path, equations + '\nlinear = "decay"\n', [16, 16, 16], start, 0.2, 0.01, {"nu": 0.01}, scheme="rk3", fields=0.2)
    text = case.read_text()
    own = text.split("[equations]")[0] + f'[equations]\nsolver = "{solver}"\n{keys}\n[grid]' + text.split("[grid]")[1]
    lines = [f'{name} = ["{f}"]' if name == "scalars" else f'{name} = "{f}"' for name, f in zip(names, start)]
    own = own.split("fields = [")[0] + "\n".join(lines) + "\n[time]" + own.split("[time]")[1]
    other = tmp_path / "own.toml"
    other.write_text(own)
    got, want = series(mpirun, triad, case), series(mpirun, triad, other)
    assert got["energy"][-1] == pytest.approx(want["energy"][-1], rel=1e-13) or solver == "hd"
    files = [max((tmp_path / folder / "fields").glob("*.h5")) for folder in ("case", "own")]
    with h5py.File(files[0]) as mine, h5py.File(files[1]) as theirs:
        ours = [name for name in mine if getattr(mine[name], "ndim", 0) == 3]
        built_in = [name for name in theirs if getattr(theirs[name], "ndim", 0) == 3]
        rename = {"u_x": "u", "u_y": "v", "u_z": "w", "b_x": "bx", "b_y": "by", "b_z": "bz", "s": "scalar1"}
        assert sorted(rename.get(name, name) for name in ours) == sorted(built_in)
        for name in ours:
            assert np.abs(mine[name][()] - theirs[rename.get(name, name)][()]).max() < 1e-13, name
    assert transforms in explained(triad, case)


def test_restart_continues_bit_for_bit_on_other_ranks(triad, mpirun, tmp_path):
    equations, start = SETS["boussinesq"][1:3]
    case = write(tmp_path, equations, [16, 16, 16], start, 0.2, 0.01, {"nu": 0.01}, scheme="rk3", interval=0.1)
    whole = series(mpirun, triad, case)
    parts = tmp_path / "parts"
    mpirun(2, triad, "run", case, "--dir", parts, "--set", "time.max_steps=10", expect=0)
    mpirun(1, triad, "run", case, "--dir", parts, "--set", "time.max_steps=0", expect=0)
    last = (parts / "series.csv").read_text().splitlines()[-1].split(",")
    assert float(last[3]) == whole["energy"][-1]


def test_slices_and_spectra_show_the_fields(triad, mpirun, tmp_path):
    case = write(tmp_path, 'fields = ["a", "b"]\nevolve = ["dt(a) = -a", "dt(b) = 0"]\ninvariants = ["both = mean(a*b)"]\n', [16, 16, 1],
                 ["sin(x)", "2*cos(3*y) + sin(x)"], 0.1, 0.05)
    case.write_text(case.read_text().replace("slices = []", 'slices = ["z=0: field1, field2"]').replace("spectra_interval = 0", "spectra_interval = 0.1"))
    got = series(mpirun, triad, case)
    assert got["both"][[0, -1]] == pytest.approx([0.5, 0.5 * math.exp(-0.1)], rel=1e-9)
    y = np.arange(16) * 2 * np.pi / 16
    with h5py.File(min((tmp_path / "case/slices").rglob("*.h5"))) as file:
        assert np.abs(file["field2"][()].squeeze() - 2 * np.cos(3 * y)[:, None] - np.sin(y)[None, :]).max() < 1e-12
        assert np.abs(file["field1"][()].squeeze() - math.exp(-0.1) * np.sin(y)[None, :]).max() < 1e-12  # at the end
    with h5py.File(min((tmp_path / "case/spectra").glob("*.h5"))) as file:
        assert file["E_b"][()][[1, 3]] == pytest.approx([0.25, 1]) and file["both"][()][1] == pytest.approx(0.5)
    case.write_text(case.read_text().replace("field2", "field3"))
    done = subprocess.run([triad, "case", case, "--check"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 65 and "no field field3" in done.stderr


# ---- what is refused ----

REFUSED = [
    (ONE + 'evolve = ["dt(q) = -nu*lap(q)"]', 65, "ill-posed"),
    ('fields = ["a", "b"]\nevolve = ["dt(a) = dx(b)", "dt(b) = -dx(a)"]', 65, "ill-posed"),
    ('fields = ["q", "vector u"]\nevolve = ["dt(q) = nu*lap(q) + u", "dt(u) = 0"]', 65,
     'equations.evolve[0], column 19: "nu*lap(q)" is a scalar, "u" a vector: they cannot be added'),
    (ONE + 'evolve = ["dt(q) = nu*lap(q) + i*q"]', 65, "column 21: i is the imaginary unit, but all fields are real"),
    (ONE + 'evolve = ["dt(q) = nu*lap(psy)"]\nlet = ["psi = q"]', 65, 'column 16: unknown name "psy", did you mean "psi"?'),
    ('fields = ["q", "r"]\nevolve = ["dt(q) = 0"]', 65, 'the field "r" has no equation: add "dt(r) = .."'),
    (ONE + 'let = ["psi = invert(lap(psi) + 4*psi, q)"]\nevolve = ["dt(q) + dx(psi) = 0"]', 65, "is 0 for the mode k ="),
    (ONE + 'evolve = ["dt(q + lap(q)/4) + q*dx(q) = 0"]', 65, "what dt(..) is of, is 0 for the mode k = (0, -2, 0)"),
    (ONE + 'let = ["psi = sqrt(-lap(q) - 0.6*q)"]\nevolve = ["dt(q) + psi = 0"]', 65, "an operator whose root is taken is negative for the mode k = (0, 0, 0)"),
    (ONE + 'let = ["a = b", "b = a + q"]\nevolve = ["dt(q) = a"]', 65, "is defined by itself"),
    (ONE + 'let = ["J(a) = J(a)"]\nevolve = ["dt(q) = J(q)"]', 65, "nested too deeply, or defined by itself"),
    (ONE + 'evolve = ["q = nu*lap(q)"]', 65, "the equation has no rate of change"),
    (ONE + 'evolve = ["dt(q) - lap(q)"]', 65, "there is no ="),
    (ONE + 'evolve = ["dt(q) = nu*lap(q"]', 65, "column 12: the parenthesis of lap is not closed"),
    (ONE + 'evolve = ["dt(q) = q/0"]', 65, "is not a finite number"),
    (ONE + 'evolve = ["dt(q) = -q^3"]', 65, "set grid.radius = 3, or equations.aliased = true"),
    ('fields = ["vector u"]\nevolve = ["dt(u) = u*u"]', 65, "use u@v for the scalar product or cross(u, v)"),
    ('fields = ["nu"]\nevolve = ["dt(nu) = 0"]', 65, '"nu" is also a name in [parameters]'),
    (ONE + 'evolve = ["dt(q) = 0"]\ninvariants = ["m = q"]', 65, "put its fields into mean(..)"),
    (ONE + 'evolve = ["dt(q) = sin(q)"]', 69, "functions of fields are not supported yet"),
    (ONE + 'evolve = ["dt(q) = q^4"]', 69, "powers of fields other than 2 and 3 are not supported yet"),
    (ONE + 'evolve = ["dt(q) = 1/q"]', 69, "division by a field is not supported yet"),
    (ONE + 'evolve = ["dt(q) = exp(x*t)"]', 69, "has to be a sum of products of a function of position and a function of t"),
    (ONE + 'evolve = ["sin(t)*dt(q) = 1"]', 69, "dt(..) may be multiplied by numbers and constant operators only"),
    (ONE + 'evolve = ["dt(q) = q*dx(q*q)"]', 69, "write the derivative of the product out"),
    ('fields = ["complex a", "q"]\nevolve = ["dt(a) = 0", "dt(q) = i*q"]', 65, "the equation has an imaginary part, but no rate of a complex field"),
    ('fields = ["complex a"]\nevolve = ["dt(a) = 0"]\ninvariants = ["m = mean(a*a)"]', 65, "use abs2(..), real(..) or imag(..)"),
    ('fields = ["complex a"]\nevolve = ["dt(a) = exp(i*x)*a"]', 69, "functions of complex numbers, and division by them, are not supported yet"),
    ('fields = ["complex a"]\nlet = ["p = invert(real(lap(p)), a)"]\nevolve = ["dt(a) = p"]', 65, "the imaginary part of the operator of invert is 0: it requires p"),
    ('fields = ["complex a"]\nlet = ["p = invert(lap(p) + (4 + 0*i)*p, a)"]\nevolve = ["dt(a) = p"]', 65, "is 0 for the mode k ="),
    ('fields = ["complex a"]\nlet = ["p = invert(lap(p), a*a)"]\nevolve = ["dt(a) = p"]', 69, "invert solves equations that are linear"),
    ('fields = ["odd a"]\nevolve = ["dt(a) = 0"]', 65, "use vector, solenoidal or complex"),
    *[(ONE + f'evolve = ["dt(q) = 0"]\ninvariants = ["{name} = mean(q^2)"]', 65, f'"{name}" is the name of another column or spectrum')
      for name in ("t", "E", "E_q", "enstrophy", "dt", "Pi", "T_q")],
    (ONE + 'evolve = ["dt(q) = 0"]\ninvariants = ["m = mean(q^3)"]', 69, "more than two fields"),
]


@pytest.mark.parametrize("equations, code, reason", REFUSED, ids=[r[2][:40] for r in REFUSED])
def test_bad_equations_are_refused_with_the_reason(triad, tmp_path, equations, code, reason):
    case = write(tmp_path, equations + "\n", [16, 16, 1], ["0"], 1, 0.1, {"nu": 0.1})
    for command in (["case", case, "--equations"], ["run", case, "--dir", tmp_path / "run"]):
        done = subprocess.run([triad, *command], capture_output=True, text=True, timeout=60)
        assert done.returncode == code and reason in done.stderr, done.stderr


def test_an_inverse_that_lacks_one_mode_of_a_large_grid_is_found(triad, mpirun, tmp_path):
    """(lap + 689)^2 + 1000 (dx^2 + 17^2)^2 is 0 at (17, 20) and its images alone, of 10^6 modes of two ranks."""
    equations = """fields = ["q"]
let = ["p = invert(lap(p, 2) + 1378*lap(p) + 474721*p + 1e3*(dx(dx(dx(dx(p)))) + 578*dx(dx(p)) + 83521*p), q)"]
evolve = ["dt(q) + p*dx(q) = 0"]
"""
    case = write(tmp_path, equations, [2048, 2048, 1], ["0"], 1, 0.1)
    done = mpirun(2, triad, "run", case, "--dir", tmp_path / "run", expect=65)
    assert "is 0 for the mode k = (17, " in done.stderr, done.stderr


def test_what_is_not_built_yet_says_so(triad, tmp_path):
    case = write(tmp_path, ONE + 'evolve = ["dt(q) = nu*lap(q)"]\n', [16, 16, 1], ["sin(x)"], 1, 0.1, {"nu": 0.1})
    for setting, code in (('parallel.device="gpu"', 69), ('parallel.device="offload"', 69), ('grid.truncation="none"', 69),
                          ('time.scheme="split2"', 65), ('grid.dealiasing="phase-shift"', 65)):
        done = subprocess.run([triad, "run", case, "--dir", tmp_path / "run", "--set", setting], capture_output=True, text=True, timeout=60)
        assert done.returncode == code, (setting, done.returncode, done.stderr)
    carried = tmp_path / "carried.toml"
    carried.write_text(case.read_text() + '[[particles]]\nname = "p"\ncount = 5\n')
    done = subprocess.run([triad, "run", carried, "--dir", tmp_path / "carried"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 65 and "must be a vector" in done.stderr, "no field is their velocity"
    built_in = tmp_path / "hd.toml"
    built_in.write_text('[equations]\nsolver = "hd"\n[grid]\nn = [8, 8, 8]\n[initial]\nkind = "abc"\n[time]\nend = 1\n')
    done = subprocess.run([triad, "case", built_in, "--equations"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 69 and "the equations of solver hd are built in" in done.stderr
