"""[target]: what it chooses, what it leaves, what it refuses. That such runs arrive is measured by tests/long/check target."""

import re
import subprocess

import pytest

CASE = """[equations]
solver = "hd"
{equations}
[initial]
kind = "random"
[forcing]
kind = "{kind}"
k_range = [1.0, 2.5]
{forcing}
[target]
{target}
[time]
end = 1.0
"""


@pytest.fixture
def resolved(triad, tmp_path):
    """resolved(target, ..): keys of the resolved case that [target] chose, or the message where it is refused."""
    def ask(target, equations="", forcing="", kind="random", expect=0):
        case = tmp_path / "case.toml"
        case.write_text(CASE.format(target=target, equations=equations, forcing=forcing, kind=kind))
        done = subprocess.run([triad, "case", case], capture_output=True, text=True)
        assert done.returncode == expect, done.stderr
        return done.stderr if expect else dict(re.findall(r"^(\w+) = (.*) # target$", done.stdout, re.M))
    return ask


@pytest.mark.parametrize("re_lambda, kmax_eta", [(30, 1.0), (60, 1.5), (150, 2.0)])
def test_viscosity_and_grid_follow_from_power(resolved, re_lambda, kmax_eta):
    """By the formulas of the page: Re^2 = 15 u' L/(nu C) and k_max = (n - 1)/3, or the radius where fewer modes will do."""
    chosen = resolved(f"re_lambda = {re_lambda}\nkmax_eta = {kmax_eta}", forcing="power = 0.3")
    k = 161.3 / 80  # mean |k| of the 80 modes with 1 <= |k|^2 <= 6
    scale, c = (1.77 + 20.8 / re_lambda) / k, 0.2 * (1 + (1 + (92 / re_lambda)**2)**0.5)
    u = (0.3 * scale / c)**(1 / 3)
    nu = float(chosen["viscosity"])
    assert nu == pytest.approx(15 * u * scale / (c * re_lambda**2), rel=2e-3)
    n = [int(word) for word in chosen["n"].strip("[]").split(",")]
    assert n[0] == n[1] == n[2]
    most = float(chosen.get("radius", (n[0] - 1) // 3))
    assert most <= (n[0] - 1) // 3
    assert most * (nu**3 / 0.3)**0.25 == pytest.approx(kmax_eta, rel=0.04)
    assert chosen["hold"] == '"re_lambda"' and float(chosen["hold_value"]) == re_lambda and "power" not in chosen


def test_power_follows_from_viscosity_as_viscosity_from_power(resolved):
    nu = float(resolved("re_lambda = 50\nkmax_eta = 1.5", forcing="power = 0.3")["viscosity"])
    chosen = resolved("re_lambda = 50\nkmax_eta = 1.5", equations=f"viscosity = {nu}")
    assert float(chosen["power"]) == pytest.approx(0.3, rel=1e-4) and "viscosity" not in chosen


def test_what_the_case_gives_stays(resolved):
    chosen = resolved("re_lambda = 50\nkmax_eta = 1.5", equations="viscosity = 0.01\n[grid]\nn = [32, 32, 32]",
                      forcing='power = 1.0\nhold = "energy"\nhold_value = 2.0')
    assert not chosen


@pytest.mark.parametrize("target, kind, told", [
    ("kmax_eta = 1.5", "random", "target.kmax_eta requires target.re_lambda"),
    ("re_lambda = 50\nkmax_eta = 1.5", "abc", "target.re_lambda requires a force with adjustable power"),
    ("re_lambda = 1e9\nkmax_eta = 1.5", "random", "no grid gives k_max eta = 1.5"),
    ("re_lambda = 50", "random", 'missing required key "grid.n"')])
def test_what_cannot_be_chosen_ends_with_65(resolved, target, kind, told):
    assert told in resolved(target, kind=kind, expect=65)


def test_a_grid_beyond_the_memory_is_refused(triad, mpirun, tmp_path):
    case = tmp_path / "case.toml"
    case.write_text(CASE.format(target="re_lambda = 400\nkmax_eta = 1.5", equations="", forcing="", kind="random"))
    done = mpirun(1, triad, "run", "-q", case, "--dir", tmp_path / "run", expect=71)
    assert "memory" in done.stderr, done.stderr
