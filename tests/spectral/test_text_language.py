"""Equations as text: functions of time, by their exact solutions; complex fields, by solver gpe and exact waves;
transfers of invariants, by their sum rules and rates of change."""
import math
import subprocess

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


# ---- complex fields ----

GPE = """
[equations]
solver = "gpe"
sound_speed = 1
healing_length = {xi!r}
density = 1
[grid]
n = [64, 16, 1]
radius = 15
[initial]
kind = "formula"
psi_re = "1 + 0.03*cos(x)"
psi_im = "0.02*sin(x + y)"
[time]
end = 0.05
dt = 0.0005
scheme = "rk4"
[output]
fields_interval = 0.05
slices = []
report = false
"""


def fields_of(folder):
    with h5py.File(max((folder / "fields").glob("*.h5"))) as file:
        return {name: file[name][()][0] for name in file if getattr(file[name], "ndim", 0) == 3}


def test_a_superfluid_in_two_lines_is_that_of_gpe(triad, mpirun, tmp_path):
    """alpha = c xi/sqrt 2, beta = c/(sqrt 2 xi rho); all modes of |psi|^2 psi that count are kept."""
    equations = """fields = ["complex psi"]
evolve = ["i*dt(psi) = -alpha*lap(psi) + beta*(abs2(psi) - 1)*psi"]
invariants = ["mass = mean(abs2(psi))", "momentum = mean(imag(conj(psi)*dx(psi)))"]
"""
    xi = math.sqrt(2)
    case = write(tmp_path, equations, [64, 16, 1], ["1 + 0.03*cos(x)", "0.02*sin(x + y)"], 0.05, 0.0005, {"alpha": 1, "beta": 0.5}, grid="radius = 15", fields=0.05)
    got = series(mpirun, triad, case)
    other = tmp_path / "own.toml"
    other.write_text(GPE.format(xi=xi))
    want = series(mpirun, triad, other)
    assert got["mass"] == pytest.approx(np.full(5, 1.00065), rel=1e-13) and want["mass"][-1] == pytest.approx(1.00065, rel=1e-13)
    mine, theirs = fields_of(tmp_path / "case"), fields_of(tmp_path / "own")
    assert sorted(mine) == sorted(theirs) == ["psi_im", "psi_re"]
    for name in mine:
        assert np.abs(mine[name] - theirs[name]).max() < 1e-13, name
    assert "transforms of a stage: 2 fields to points, 2 products" in explained(triad, case)


@pytest.mark.parametrize("before", ["", "(2 - 3*i)*"])
def test_waves_of_ginzburg_and_landau(triad, mpirun, tmp_path, before):
    """sqrt(1 - q^2) exp(i (q x - w t)), w = b + (a - b) q^2, also if the rate has a complex factor; conj and a source with i."""
    a, b, q = 1.5, -1.2, 0.5
    equations = f"""fields = ["complex A", "complex B"]
evolve = ["{before}dt(A) = {before}(A + (1 + {a}*i)*lap(A) - (1 + {b}*i)*abs2(A)*A)", "dt(B) = i*conj(B) + 2*i"]
"""
    case = write(tmp_path, equations, [32, 1, 1], [f"{math.sqrt(1 - q * q)!r}*cos({q}*x)", f"{math.sqrt(1 - q * q)!r}*sin({q}*x)", "1", "0"], 1, 0.005,
                 grid=f"length = [{4 * math.pi!r}, 1, 1]\nradius = 7", fields=1)
    series(mpirun, triad, case)
    got, x = fields_of(tmp_path / "case"), np.arange(32) * 4 * np.pi / 32
    want = math.sqrt(1 - q * q) * np.exp(1j * (q * x - (b + (a - b) * q * q)))
    assert np.abs(got["A_re"][0] + 1j * got["A_im"][0] - want).max() < 1e-9
    # B = u + i v: du/dt = v, dv/dt = u + 2: u + 2 = 3 cosh t, v = 3 sinh t
    assert got["B_re"][0, 0] == pytest.approx(3 * math.cosh(1) - 2, rel=1e-9) and got["B_im"][0, 0] == pytest.approx(3 * math.sinh(1), rel=1e-9)


# ---- transfers ----

def spectra(folder):
    found = []
    for path in sorted((folder / "spectra").glob("*.h5")):
        with h5py.File(path) as file:
            found.append({name: file[name][()] for name in file if name != "notes"})
    return found


def test_transfers_are_the_rates_of_spectra_and_sum_to_zero(triad, mpirun, tmp_path):
    """Surface flow: d/dt of the spectra of both invariants, by differences, is their transfer."""
    equations = """fields = ["b"]
let = ["psi = invert(-sqrt(-lap(psi)), b)", "J(a,c) = dx(a)*dy(c) - dy(a)*dx(c)"]
evolve = ["dt(b) + J(psi,b) = 0"]
invariants = ["half = -mean(psi*b)/2", "slope = mean(grad(b)@grad(b))"]
"""
    case = write(tmp_path, equations, [32, 32, 1], ["sin(x)*sin(y) + cos(y) + cos(x + 2*y + 1) + 0.5*sin(2*x + y)"], 0.002, 0.001)
    case.write_text(case.read_text().replace("spectra_interval = 0", "spectra_interval = 0.001"))
    series(mpirun, triad, case)
    before, now, after = spectra(tmp_path / "case")
    for spectrum, transfer, flux in (("E", "T", "Pi"), ("half", "T_half", "Pi_half"), ("slope", "T_slope", "Pi_slope")):
        rate = (after[spectrum] - before[spectrum]) / 0.002
        assert np.abs(rate - now[transfer]).max() < 1e-5 * np.abs(rate).max() and np.abs(rate).max() > 5e-3, transfer
        assert now[flux] == pytest.approx(-np.cumsum(now[transfer]), abs=1e-15)
    for name in ("T", "T_half"):
        assert abs(now[name].sum()) < 1e-14 * np.abs(now[name]).sum(), name
    said = explained(triad, case)
    for line in ("energy: kept by products of fields, kept by linear terms", "half: kept by products of fields, kept by linear terms",
                 "slope: not kept by products of fields, kept by linear terms"):
        assert line in said


def test_the_transfer_of_stratified_flow_is_that_of_boussinesq(triad, mpirun, tmp_path):
    start = ["sin(x)*cos(y)*cos(z) + 0.3*cos(2*y + z)", "-cos(x)*sin(y)*cos(z) + 0.2*sin(x - z)", "0.1*sin(x + y)", "sin(x + 2*z)*cos(y)"]
    equations = """fields = ["solenoidal u", "theta"]
evolve = ["dt(u) + u@grad(u) = -1.5*theta*(0,0,1) + 0.01*lap(u)", "dt(theta) + u@grad(theta) = 1.5*u_z + 0.02*lap(theta)"]
linear = "decay"
"""
    case = write(tmp_path, equations, [16, 16, 16], start, 0.01, 0.01)
    case.write_text(case.read_text().replace("spectra_interval = 0", "spectra_interval = 0.01"))
    other = tmp_path / "own.toml"
    text = case.read_text().split("[grid]")[1].split("[initial]")
    other.write_text('[equations]\nsolver = "boussinesq"\nviscosity = 0.01\ndiffusivity = 0.02\nbuoyancy_frequency = 1.5\n[grid]' + text[0] + '[initial]\nkind = "formula"\n'
                     + "".join(f'{name} = "{f}"\n' for name, f in zip(("u", "v", "w", "theta"), start)) + "[time]" + text[1].split("[time]")[1])
    series(mpirun, triad, case)
    series(mpirun, triad, other)
    mine, theirs = spectra(tmp_path / "case")[-1], spectra(tmp_path / "own")[-1]
    assert np.abs(mine["T"] - theirs["T"]).max() < 1e-13 * np.abs(theirs["T"]).max()
    said = explained(triad, case)
    assert "energy: kept by products of fields, not kept by linear terms" in said and "linear growth: none" in said


# ---- the mean, and operators on products ----

@pytest.mark.parametrize("equations", [
    'fields = ["q"]\nlet = ["psi = invert(lap(psi), q)"]\nevolve = ["dt(q) = -lap(psi)"]',
    'fields = ["q"]\nevolve = ["dt(lap(q)) = -lap(q)"]',
    'fields = ["q"]\nlet = ["c = invert(lap(c), -q)"]\nevolve = ["dt(q) = lap(q) - grad(q)@grad(c) - q*lap(c)"]'])
def test_what_an_inverse_leaves_out_of_the_mean_does_not_come_back_with_its_operator(triad, mpirun, tmp_path, equations):
    """lap(invert(..)) has no mean, so these equations keep that of q."""
    case = write(tmp_path, equations + '\ninvariants = ["m = mean(q)"]\n', [16, 16, 1], ["1 + 0.1*sin(x) + 0.05*cos(x - 2*y)"], 0.5, 0.01)
    m = series(mpirun, triad, case)["m"]
    assert np.abs(m - 1).max() < 1e-13


def test_the_mean_of_an_operator_on_a_product_is_that_of_its_mean(triad, mpirun, tmp_path):
    """q = sin x: the mean of lap(q^2) is 0, that of q^2 1/2."""
    case = write(tmp_path, 'fields = ["q"]\nevolve = ["dt(q) = 0*q"]\ninvariants = ["a = mean(lap(q^2))", "b = mean(q^2 - lap(q*q))"]\n',
                 [16, 1, 1], ["sin(x)"], 0.1, 0.1)
    got = series(mpirun, triad, case)
    assert abs(got["a"][0]) < 1e-15
    assert got["b"][0] == pytest.approx(0.5, abs=1e-15)


@pytest.mark.parametrize("evolve, kept", [("dt(q) = q^2 - q", False), ("dt(q) = lap(q) - q*dx(q)", True)])
def test_a_mean_is_said_to_be_kept_where_it_is(triad, tmp_path, evolve, kept):
    case = write(tmp_path, f'fields = ["q"]\nevolve = ["{evolve}"]\ninvariants = ["m = mean(q)"]\n', [16, 1, 1], ["0"], 1, 0.1)
    line = next(line for line in explained(triad, case).splitlines() if line.strip().startswith("m:"))
    assert ("kept by products of fields, kept by linear terms" in line) == kept, line
    assert kept or "kept by" not in line.replace("not kept by", ""), line


@pytest.mark.parametrize("equations, words", [
    ('fields = ["q"]\nlet = ["F(a) = 3*a", "a = 2"]\nevolve = ["dt(q) = F(-q)"]', '"a" is an argument of "F"'),
    ('fields = ["q"]\nlet = ["F(a, a) = 3*a"]\nevolve = ["dt(q) = F(q, q)"]', '"a" is there twice'),
    ('fields = ["q"]\nevolve = ["dt(dx(q)) = -dx(q)"]', "k = (0, "),
    ('fields = ["complex p"]\nevolve = ["dt(p) = p^(2 + 3*i)"]', "powers of fields other than 2 and 3"),
    ('fields = ["complex p"]\nevolve = ["dt(p) = lap(p, 1 + 2*i)"]', "requires an integer n")])
def test_what_would_act_differently_is_refused(triad, tmp_path, equations, words):
    start = ["0", "0"] if "complex" in equations else ["0"]
    case = write(tmp_path, equations + "\n", [16, 16, 1], start, 1, 0.1)
    done = subprocess.run([triad, "run", case, "--dir", tmp_path / "out"], capture_output=True, text=True, timeout=60)
    assert done.returncode in (65, 69) and words in done.stderr, (done.returncode, done.stderr)


def test_a_jump_in_time_does_not_shorten_steps_to_nothing(triad, mpirun, tmp_path):
    case = write(tmp_path, 'fields = ["q"]\nevolve = ["dt(q) + dx(q) = (t > 0.5)*sin(x)"]\n', [16, 1, 1], ["cos(x)"], 1, 0)
    case.write_text(case.read_text().replace("[output]", "cfl = 0.5\nmax_steps = 1\n[output]"))
    assert series(mpirun, triad, case)["dt"][-1] > 0.01
