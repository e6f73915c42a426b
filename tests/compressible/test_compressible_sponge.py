"""Sponges of a gas: exact relaxation, waves that they take away, ranks and restart; wrong ones."""

import numpy as np
import pytest

import outputs
from compressible_runs import last, runs
from outputs import sets

CASE = """[equations]
solver = "compressible"
[grid]
n = [{n}, 4, 4]
length = [{length}, 1.0, 1.0]
[boundaries]
x = {sides}
[initial]
kind = "formula"
rho = "{rho}"
u = "{u}"
p = "{p}"
[time]
end = {end}
[output]
report = false
slices = []
series_interval = 0
fields_interval = {end}
"""
UNIFORM = dict(n=12, length=1.0, sides='["periodic", "periodic"]', rho="1", u="0.3", p="1", end=0.5)
PULSE = dict(n=200, length=4.0, sides='["reflecting", "reflecting"]', end=4.0,
             rho="1.4*(1 + 0.01*exp(-100*(x - 1)^2))", u="0.01*exp(-100*(x - 1)^2)", p="1 + 0.014*exp(-100*(x - 1)^2)")
AT_REST = sets(**{"sponge.rho": "1.4", "sponge.p": "1"})


@pytest.fixture
def run(run_case, tmp_path):
    return runs(run_case, tmp_path, CASE)


def test_a_uniform_gas_goes_to_the_state_exponentially(run):
    """Of the conserved fields, exactly: the scheme does nothing to a uniform state, and the steps' exponentials multiply."""
    sponge = sets(**{"sponge.rate": "3", "sponge.rho": "2", "sponge.v": "0.5", "sponge.p": "1.5"})
    got = last(run("a", *sponge, ranks=2, **UNIFORM))
    start = np.array([1, 0.3, 0, 0, 1 / 0.4 + 0.3**2 / 2])
    to = np.array([2, 0, 2 * 0.5, 0, 1.5 / 0.4 + 2 * 0.5**2 / 2])
    rho, mu, mv, _, e = to + (start - to) * np.exp(-3 * 0.5)
    want = {"rho": rho, "u": mu / rho, "v": mv / rho, "w": 0, "p": 0.4 * (e - (mu**2 + mv**2) / (2 * rho))}
    for name, value in want.items():
        np.testing.assert_allclose(got[name], value, rtol=0, atol=1e-12, err_msg=name)


def test_a_forced_gas_with_a_sponge_is_not_told_that_its_energy_goes_astray(run, command):
    """What a sponge takes and gives has no column: a report's check of the energy's budget says nothing of such a run."""
    force = sets(**{"forcing.kind": "linear", "forcing.rate": 0.5})
    for sponge, told in (([], True), (sets(**{"sponge.rate": "3", "sponge.p": "2"}), False)):
        folder = run("with" if sponge else "without", *force, *sponge, **{**UNIFORM, "u": "0.3*sin(2*pi*x)"})
        said = command("report", folder, expect=0)
        assert ("Energy budget closes" in (folder / "report.html").read_text()) == told
        assert "of the energy exchanged" not in said.stdout + said.stderr


def test_a_sponge_takes_a_wave_away_before_the_boundary(run):
    """Sound of speed 1 from x = 1 meets a wall at 4, and would be back at 2 by t = 4. In the layer and back the wave of
    pressure and velocity decays alike, by exp(-2 integral of s) = exp(-16). What stays is the start's: it is a wave that runs one way but
    for squares of its amplitude of 0.01."""
    free = last(run("free", **PULSE))["p"] - 1
    held = last(run("held", *AT_REST, *sets(**{"sponge.rate": "24*max(0, x - 3)^2"}), **PULSE))["p"] - 1
    assert abs(free).max() > 0.01
    assert abs(held).max() < 0.01**2


def test_a_sponge_is_the_same_on_any_ranks_and_goes_on_bit_for_bit(run):
    same = [*AT_REST, *sets(**{"sponge.rate": "24*max(0, x - 3)^2", "time.max_steps": 40, "parallel.reproducible": True,
                               "output.fields_interval": 0})]
    whole = run("whole", *same, **PULSE)
    assert outputs.rows(run("ranks", *same, ranks=3, **PULSE)) == outputs.rows(whole)
    run("halves", *same, *sets(time__max_steps=15), **PULSE)
    assert outputs.rows(run("halves", *same, **PULSE)) == outputs.rows(whole)


@pytest.mark.parametrize("values, told", [
    ({"sponge.rate": "x - 0.5"}, "sponge.rate is -0.5"),
    ({"sponge.rate": "1/x"}, "sponge.rate is infinite at x = 0"),
    ({"sponge.rate": "1", "sponge.rho": "-1"}, "sponge.rho is -1"),
    ({"sponge.rate": "1", "sponge.p": "x"}, "must be positive"),
    ({"sponge.rate": "1 +"}, "the formula ends where a number")])
def test_a_wrong_sponge_ends_with_65_and_the_place(run, values, told):
    done = run("bad", *sets(**values), expect=65, **UNIFORM)
    assert done.stderr.count(told) == 1, done.stderr


def test_a_rate_that_is_empty_is_no_sponge(run, triad, mpirun, tmp_path):
    """A resolved case names every key: run anew, it takes the memory of the case that named no sponge."""
    run("none", **UNIFORM)
    told = [mpirun(1, triad, "case", path, "--check").stdout.split("\n", 1)[1]
            for path in (tmp_path / "none.toml", tmp_path / "none/case.resolved.toml")]
    assert told[0] == told[1]
