"""Equations as text: what the compiler finds in linear terms and products. Numbers that cancel leave no term; growth is told from rounding
errors; what is kept and what decays is recognised however it is written, and nothing else is."""
import math
import subprocess

import h5py
import numpy as np
import pytest

from text_equations import explained, series, write

JACOBIAN = '"J(f,g) = dx(f)*dy(g) - dy(f)*dx(g)"'


def found(triad, folder, equations, n=(32, 32, 1), fields=1, parameters=None):
    return explained(triad, write(folder, equations + "\n", list(n), ["0"] * fields, 1, 0.1, parameters))


def refused(triad, folder, equations, n, fields=1, parameters=None):
    case = write(folder, equations + "\n", list(n), ["0"] * fields, 1, 0.1, parameters)
    done = subprocess.run([triad, "case", case, "--equations"], capture_output=True, text=True, timeout=60)
    return done.returncode == 65 and "ill-posed" in done.stderr


def linear(out):
    return [line.split("linear", 1)[1].strip() for line in out.splitlines() if line.startswith("  dt(") and " linear " in line]


# ---- numbers that cancel ----

@pytest.mark.parametrize("nu, eps", [(0.7, 1e-3), (0.013, 1e-4), (1, 1e-4), (1e-3, 1e-3)])
@pytest.mark.parametrize("terms", [
    "nu*(1+eps)*lap(q,3) - nu*lap(q,3) - nu*eps*lap(q,3)",
    "(c - nu - nu*eps)*lap(q,3)",
    "nu*(1+eps)*(lap(p,3) - lap(p,4)) - nu*lap(q,3) - nu*eps*lap(q,3)",  # p - lap(p) = q
    "nu*(1+eps)*(lap(p,3) - lap(p,4)) - nu*(lap(r,3) - 2*lap(r,4)) - nu*eps*lap(q,3)",  # and r - 2*lap(r) = q
    "nu*(1+eps)*(lap(q,3) + dy(q)) - nu*lap(q,3) - nu*(1+eps)*dy(q) - nu*eps*lap(q,3)"])
def test_terms_that_cancel_in_several_steps_leave_no_residue(triad, tmp_path, terms, nu, eps):
    equations = f'fields = ["q"]\nlet = ["p = invert(p - lap(p), q)", "r = invert(r - 2*lap(r), q)", "c = nu*(1+eps)"]\n' \
                f'evolve = ["dt(q) + dx(q) = {terms}"]'
    assert linear(found(triad, tmp_path, equations, (512, 512, 1), parameters={"nu": nu, "eps": eps})) == ["- dx q   (exact, coupled)"]


def test_sums_in_which_terms_cancel_keep_the_others(triad, tmp_path):
    """dx, lap and dy - dz in one sum: the Laplacian is found in what is left."""
    equations = 'fields = ["q"]\nlet = ["p = invert(p - lap(p), q)"]\n' \
                'evolve = ["dt(q) = 1.0001*(lap(p,3) - lap(p,4)) + 0.5*lap(q) - lap(q,3) - 0.0001*lap(q,3)"]'
    assert linear(found(triad, tmp_path, equations)) == ["+ 0.5 (dx dx + dy dy) q   (exact, decay)"]


def test_products_that_cancel_in_several_steps_leave_no_residue(triad, tmp_path):
    terms = ("1.00001*q*dx(lap(q)) - q*dx(lap(q)) - 0.00001*q*dx(lap(q))", "1.0001*dx(q*q) - 2*q*dx(q) - 0.0002*q*dx(q)")
    assert "products of fields: none" in found(triad, tmp_path, f'fields = ["q"]\nevolve = ["dt(q) = -q + {terms[0]}"]')
    out = found(triad, tmp_path, f'fields = ["q", "r"]\nevolve = ["dt(q) = {terms[1]} + q*r", "dt(r) = 0*r"]', fields=2)
    assert "2 fields to points, 1 products" in out, "the derivative of a product is that of its factors"


@pytest.mark.parametrize("terms, left", [("nu*(1+eps)*lap(q,3) - nu*lap(q,3)", "+ 7e-10 "), ("(1+eps)*lap(q,3) - 0.3*lap(q,3) - nu*lap(q,3)", "+ 1e-09 ")])
def test_a_small_difference_is_a_term(triad, tmp_path, terms, left):
    equations = f'fields = ["q"]\nevolve = ["dt(q) = {terms}"]'
    (line,) = linear(found(triad, tmp_path, equations, parameters={"nu": 0.7, "eps": 1e-9}))
    assert line.startswith(left) and line.endswith("(exact, decay)"), line
    assert refused(triad, tmp_path, equations.replace("dt(q) = ", "dt(q) + dx(q) = -(").replace('"]', ')"]').replace('["q)"]', '["q"]'), (32, 32, 1),
                   parameters={"nu": 0.7, "eps": 1e-9}), "of the other sign it is ill-posed"


# ---- growth ----

@pytest.mark.parametrize("c", [0.37, 0.7, 1, 1.3, 2.1])
@pytest.mark.parametrize("order", [2, 3, 4])
def test_rounding_errors_of_inverses_are_no_growth(triad, tmp_path, c, order):
    """a + c k a = q, so that the second term is 0."""
    equations = f'fields = ["q"]\nlet = ["a = invert(a + {c}*sqrt(-lap(a)), q)"]\nevolve = ["dt(q) = dx(lap(q)) + lap(a + {c}*sqrt(-lap(a)) - q, {order})"]'
    out = found(triad, tmp_path, equations, (512, 1, 1))
    assert "linear growth: none" in out and f"linear frequency: at most {170 ** 3} " in out


def test_rounding_errors_at_a_wavenumber_are_no_growth(triad, tmp_path):
    """a + k a = q again, in a sum with dx between its terms, so that no part of it is 0: its numbers of 10^9 have errors of 10^-7."""
    equations = 'fields = ["q"]\nlet = ["a = invert(a + sqrt(-lap(a)), q)"]\n' \
                'evolve = ["dt(q) = dx(lap(q)) + lap(a, 2) + 3*dx(q) + lap(sqrt(-lap(a)), 2) - 0.7*dx(dx(dx(q))) - lap(q, 2)"]'
    assert "linear growth: none" in found(triad, tmp_path, equations, (512, 1, 1))


@pytest.mark.parametrize("equations, fields", [
    ('fields = ["q"]\nevolve = ["dt(q) = dx(lap(q, 2)) - 1e-7*lap(q)"]', 1),
    ('fields = ["q", "r"]\nevolve = ["dt(q) = lap(dx(q), 2) - 1e-7*lap(q)", "dt(r) = dx(lap(r, 2)) + q"]', 2),
    ('fields = ["solenoidal u"]\nevolve = ["dt(u) = dx(lap(u, 2)) - 1e-7*lap(u)"]', 3),
    ('fields = ["q"]\nlet = ["p = invert(-sqrt(-lap(p)), q)"]\nevolve = ["dt(q) = 1e3*dx(lap(q)) - 1e-9*lap(p, 2)"]', 1)])
def test_waves_do_not_hide_that_equations_are_ill_posed(triad, tmp_path, equations, fields):
    assert refused(triad, tmp_path, equations, (512, 1, 1), fields)
    assert not refused(triad, tmp_path, equations.replace("- 1e-", "+ 1e-"), (512, 1, 1), fields)


@pytest.mark.parametrize("equations, fields, rate", [
    ('fields = ["q"]\nevolve = ["dt(q) = dx(lap(q)) + 1e-12*q"]', 1, "1e-12"),
    ('fields = ["q", "r"]\nevolve = ["dt(q) = dx(lap(q)) + 1e-4*q", "dt(r) = dx(lap(r)) + q"]', 2, "0.0001"),
    ('fields = ["q", "r"]\nevolve = ["dt(q) = dx(lap(q)) - 1e-8*lap(q) - 5e-13*lap(q,2)", "dt(r) = dx(lap(r)) - r + q"]', 2, "5e-5"),  # k = 100
    ('fields = ["a", "b"]\nevolve = ["dt(a) = 1e4*dx(b) + 1e-4*a", "dt(b) = 1e4*dx(a) + 1e-4*b"]', 2, "0.0001")])
def test_slow_growth_is_found_beside_fast_waves(triad, tmp_path, equations, fields, rate):
    """Fields that do not depend on each other have no rounding errors of eigenvalues, and waves at larger wavenumbers do not count."""
    line = next(line for line in found(triad, tmp_path, equations, (512, 1, 1), fields).splitlines() if line.startswith("linear growth"))
    assert float(line.split()[4]) == pytest.approx(float(rate), rel=1e-6), line


# ---- what is kept ----

def kept(out, name):
    line = next(line for line in out.splitlines() if line.startswith(name + ":"))
    return "not kept by products" not in line, "not kept by linear" not in line


@pytest.mark.parametrize("n", [64, 4096])
@pytest.mark.parametrize("operator", ["p - lap(p)", "lap(p) - 0.0001*p", "lap(p)"])
def test_invariants_of_plane_flow_are_kept_on_any_grid(triad, tmp_path, operator, n):
    equations = f"""fields = ["q"]
let = ["p = invert({operator}, q)", {JACOBIAN}]
evolve = ["dt(q) + J(q,p) = 0.3*dy(p){{more}}"]
invariants = ["e = mean(p*q)/2", "z = mean(q^2)", "no = mean(p^2)"]"""
    out = found(triad, tmp_path, equations.replace("{more}", ""), (n, n, 1))
    assert kept(out, "e") == kept(out, "z") == (True, True)
    assert kept(out, "no") == (False, True)
    out = found(triad, tmp_path, equations.replace("{more}", " + 1e-9*q*dx(q) - 1e-9*q"), (n, n, 1))
    assert kept(out, "e") == (False, False) and kept(out, "z") == (True, False), "a small term counts"


@pytest.mark.parametrize("n", [32, 2048])
def test_two_layers_keep_their_energy_on_any_grid(triad, tmp_path, n):
    equations = f"""fields = ["a", "b"]
let = ["p = invert(lap(p) + F*(r-p), a)", "r = invert(lap(r) + F*(p-r), b)", {JACOBIAN}]
evolve = ["dt(a) + J(p,a) = 0*a", "dt(b) + J(r,b) = 0*b"]
invariants = ["e = -mean(p*a + r*b)/2", "no = -mean(p*a + 1.001*r*b)/2"]"""
    for f in (1e-4, 2, 1e4):
        out = found(triad, tmp_path, equations, (n, n, 1), 2, {"F": f})
        assert kept(out, "e") == (True, True) and kept(out, "no") == (False, True), f


# ---- decay ----

DECAYS = [
    ('fields = ["psi"]\nlet = [%s]\nevolve = ["dt(sqrt(-lap(psi))) + J(psi, sqrt(-lap(psi))) = 0.01*lap(sqrt(-lap(psi)))"]' % JACOBIAN, 1, "0.01 (dx dx + dy dy)"),
    ('fields = ["q"]\nlet = ["p = invert(sqrt(-lap(p)), q)"]\nevolve = ["dt(q) = 0.01*lap(sqrt(-lap(p)))"]', 1, "0.01 (dx dx + dy dy)"),
    ('fields = ["q"]\nevolve = ["dt(q) = -0.01*sqrt(lap(q,2))"]', 1, "0.01 (dx dx + dy dy)"),
    ('fields = ["q"]\nlet = ["c = invert(lap(c), q)", "p = invert(lap(p), c)"]\nevolve = ["dt(q) = 0.01*lap(lap(lap(p)))"]', 1, "0.01 (dx dx + dy dy)"),
    ('fields = ["a", "b"]\nlet = ["p = invert(lap(p)+2*(r-p), a)", "r = invert(lap(r)+2*(p-r), b)"]\n'
     'evolve = ["dt(a) = 0.01*lap(lap(p)+2*(r-p))", "dt(b) = 0.02*lap(lap(r)+2*(p-r))"]', 2, "0.01 (dx dx + dy dy)")]


@pytest.mark.parametrize("equations, fields, first", DECAYS)
@pytest.mark.parametrize("how", ["exact", "decay"])
def test_decay_through_inverses_and_roots_is_decay(triad, tmp_path, equations, fields, first, how):
    out = found(triad, tmp_path, equations + f'\nlinear = "{how}"', fields=fields)
    assert len(linear(out)) == fields and all(line.endswith("(exact, decay)") for line in linear(out)), out
    assert first in linear(out)[0] and "matrix" not in out


def test_decay_of_layers_is_exact_with_any_step(triad, mpirun, tmp_path):
    """Viscosity, drag and hyperviscosity of what invert gives back: exp(-(nu k^2 + mu + k^6/1000) t), 9 nu = 4.5; twice that of b."""
    law = "0.5*lap({0}) - 0.1*({0}) + 0.001*lap({0}, 3)"
    of = ("lap(p) + 2*(r-p) - 0.1*p", "lap(r) + 2*(p-r) - 0.1*r")
    equations = f'fields = ["a", "b"]\nlinear = "decay"\nlet = ["p = invert({of[0]}, a)", "r = invert({of[1]}, b)"]\n' \
                f'evolve = ["dt(a) = {law.format(of[0])}", "dt(b) = 2*({law.format(of[1])})"]\n'
    got = series(mpirun, triad, write(tmp_path, equations, [16, 16, 1], ["cos(3*x)", "cos(3*y)"], 1, 0.5, interval=1))
    for name, times in (("a", 1), ("b", 2)):
        energy = got[f"{name}_energy"]
        assert math.log(energy[0] / energy[-1]) / 2 == pytest.approx(times * (4.5 + 0.1 + 0.729), rel=1e-9), name
    assert all(line.endswith("(exact, decay)") for line in linear(explained(triad, tmp_path / "case.toml")))


def test_what_is_no_sum_of_powers_of_k2_is_said_to_be_in_a_matrix_or_explicit(triad, tmp_path):
    one = 'fields = ["q"]\nlinear = "{}"\nevolve = ["dt(q) = {}"]'
    assert linear(found(triad, tmp_path, one.format("exact", "-0.01*sqrt(-lap(q))")))[0].endswith("(exact, decay)")
    assert linear(found(triad, tmp_path, one.format("decay", "-0.01*sqrt(-lap(q))")))[0].endswith("(explicit)")
    assert linear(found(triad, tmp_path, one.format("decay", "-0.01*sqrt(-lap(q)) - 0.1*q")))[0].endswith("(decay exact, the rest explicit)")
    assert linear(found(triad, tmp_path, one.format("exact", "dx(q) + lap(q)")))[0].endswith("(exact, coupled)")
    layers = DECAYS[4][0].replace("0.01*lap(lap(p)+2*(r-p))", "0.01*lap(lap(p)+2.0001*(r-p))")
    out = found(triad, tmp_path, layers, fields=2)
    assert "a 2 x 2 matrix per mode" in out and all(line.endswith("(exact, coupled)") for line in linear(out)), out


# ---- matrices of invert ----

def test_a_variable_has_a_mean_though_one_that_depends_on_it_has_none(triad, mpirun, tmp_path):
    """c is q/(1 + k^2), p is -c/k^2 and has no mean: the mean of q decays as exp(-t), the mode k = 1 as exp(-3 t/4)."""
    equations = 'fields = ["q"]\nlet = ["c = invert(c - lap(c), q)", "p = invert(lap(p), c)"]\nevolve = ["dt(q) = -c + 0.5*p"]\ninvariants = ["m = mean(q)"]\n'
    got = series(mpirun, triad, write(tmp_path, equations, [16, 1, 1], ["2 + cos(x)"], 1, 0.25))
    assert got["m"] == pytest.approx(2 * np.exp(-got["t"]), rel=1e-12)
    assert got["energy"] - got["m"] ** 2 / 2 == pytest.approx(np.exp(-1.5 * got["t"]) / 4, rel=1e-12)


def test_unknowns_that_each_stand_in_the_equation_of_another_are_real(triad, tmp_path):
    """lap(b) = q, lap(a) = r: b is -q/k^2, and sqrt(-lap(b)) is -q/k."""
    equations = 'fields = ["q", "r"]\nlet = ["a = invert(lap(b), q)", "b = invert(lap(a), r)"]\nevolve = ["dt(q) = sqrt(-lap(b))", "dt(r) = sqrt(-lap(a))"]'
    lines = linear(found(triad, tmp_path, equations, fields=2))
    assert len(lines) == 2 and all(line.endswith("(exact, decay)") for line in lines), lines


# ---- complex unknowns ----

def test_complex_unknowns_are_solved_mode_by_mode(triad, mpirun, tmp_path):
    """dt(a) = p with ((1 + 2i) - (1 + i) lap) p = a, exactly; dt(c) = s of two unknowns, and of the conjugate of b, by numpy."""
    equations = """fields = ["complex a", "complex b", "complex c", "complex d"]
let = ["p = invert((1 + 2*i)*p - (1 + i)*lap(p), a)",
  "r = invert(lap(r) - 3*r + i*dx(s), b + 0.5*conj(b))", "s = invert(s - 2*lap(s) + (1 - i)*conj(r), i*b)"]
evolve = ["dt(a) = p", "dt(b) = 0*b", "dt(c) = s + 2*i*dx(r)", "dt(d) = s*b"]
"""
    n, end = 32, 0.5
    x = np.arange(n) * 2 * np.pi / n
    start = ["0.7 + cos(x)", "sin(x) - 0.2*cos(3*x)", "cos(x) + 0.3*sin(2*x)", "0.4 + sin(x)", "0", "0", "0", "0"]
    case = write(tmp_path, equations, [n, 1, 1], start, end, end / 2, fields=end)
    series(mpirun, triad, case)
    with h5py.File(max((tmp_path / "case/fields").glob("*.h5"))) as file:
        got = {f: file[f"{f}_re"][()][0, 0] + 1j * file[f"{f}_im"][()][0, 0] for f in "abcd"}
    k = np.fft.fftfreq(n, 1 / n)
    a, b = 0.7 + np.cos(x) + 1j * (np.sin(x) - 0.2 * np.cos(3 * x)), np.cos(x) + 0.3 * np.sin(2 * x) + 1j * (0.4 + np.sin(x))
    assert np.abs(got["a"] - np.fft.ifft(np.fft.fft(a) * np.exp(end / (1 + 2j + (1 + 1j) * k * k)))).max() < 1e-12
    # conj(r) has the conjugates of the modes of -k: r(k), s(k), conj(r(-k)), conj(s(-k)) are a system of four
    one, two = np.fft.fft(b + 0.5 * np.conj(b)), np.fft.fft(1j * b)
    r, s = np.zeros(n, complex), np.zeros(n, complex)
    for m in range(n):
        q, back = k[m], -m % n
        matrix = np.array([[-q * q - 3, -q, 0, 0], [0, 1 + 2 * q * q, 1 - 1j, 0],
                           [0, 0, -q * q - 3, q], [1 + 1j, 0, 0, 1 + 2 * q * q]])
        r[m], s[m] = np.linalg.solve(matrix, [one[m], two[m], np.conj(one[back]), np.conj(two[back])])[:2]
    s_x, rate = np.fft.ifft(s), np.fft.ifft(s - 2 * k * r)
    assert np.abs(got["c"] - end * rate).max() < 1e-12 and np.abs(rate).max() > 0.3
    assert np.abs(got["d"] - end * s_x * b).max() < 1e-12
    assert "p_re" not in explained(triad, case).split("transforms")[0] and "s_im" in explained(triad, case)
