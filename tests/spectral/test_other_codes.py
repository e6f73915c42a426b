"""Flows of the spectral sets against other codes (tests/peers): one in numpy that runs here, and stored series of public codes."""

import math
import sys

import numpy
import pytest

from conftest import ROOT
from outputs import series
from verification import record

sys.path.append(str(ROOT / "tests/peers"))
import flow  # noqa: E402
import pseudospectral  # noqa: E402

CASE = """[equations]
solver = "{solver}"
{equations}
[grid]
n = [{n}, {n}, {n}]
truncation = "{truncation}"
[initial]
{initial}
[time]
end = {end}
dt = {dt}
scheme = "rk4"
[output]
series_interval = {every}
spectra_interval = 0
slices = []
report = false
"""
MOVES = 'kind = "formula"\n' + "".join(f'{name} = "{text}"\n' for name, text in zip("uvw", flow.formulas()))


def test_the_codes_share_a_flow_without_divergence_or_symmetry():
    assert all(abs(sum(a * b for a, b in zip(k, amplitude))) < 1e-15 for k, amplitude, _ in flow.WAVES)


@pytest.fixture(scope="module")
def peers_series(tmp_path_factory, launcher, triad):
    folder = tmp_path_factory.mktemp("peers")
    case = folder / "case.toml"
    case.write_text(CASE.format(solver="hd", equations=f"viscosity = {flow.VISCOSITY}", n=flow.POINTS, truncation="box", initial=MOVES,
                                end=flow.END, dt=0.01, every=0.5))
    launcher(1, triad, "run", "-q", case, "--dir", folder / "run", expect=0, timeout=200)
    return series(folder / "run")


@pytest.mark.limit(300)
@pytest.mark.parametrize("code", sorted(path.stem for path in flow.SERIES.glob("*.csv")))
def test_energy_enstrophy_and_helicity_are_those_of_another_code(peers_series, code):
    """64^3 to t = 2, at five times. Steps of 0.01 by a scheme of order 4 err by some 1e-9."""
    _, theirs = flow.read(code)
    assert theirs["t"] == pytest.approx(list(peers_series["t"]), abs=1e-12)
    error = max(abs(a / b - 1) for column in flow.COLUMNS for a, b in zip(peers_series[column], theirs[column]))
    record(f"hd-peer-{code}", error, peers_series["energy"][-1])


# theta or bx, by, bz of the starts, as formulas for both
THETA = "0.4*cos(x + 2*z) + 0.2*sin(2*y - x)"
FIELD = ("0.5*cos(y + z)", "0.4*sin(x - z)", "0.3*cos(2*x + y)")
SETS = {
    "hd-rotating": ("hd", "viscosity = 0.02\nrotation = [0.3, 0, 1]", MOVES, dict(decay=[0.02] * 3, rotation=(0.3, 0, 1)), ()),
    "boussinesq-numpy": ("boussinesq", "viscosity = 0.02\ndiffusivity = 0.01\nbuoyancy_frequency = 1.5", MOVES + f'theta = "{THETA}"\n',
                         dict(decay=[0.02] * 3 + [0.01], buoyancy_frequency=1.5), (THETA,)),
    "mhd-numpy": ("mhd", "viscosity = 0.02\nresistivity = 0.01",
                  MOVES + "".join(f'{name} = "{text}"\n' for name, text in zip(("bx", "by", "bz"), FIELD)),
                  dict(decay=[0.02] * 3 + [0.01] * 3, magnetic=True), FIELD),
    "mhd-orszag-tang": ("mhd", "viscosity = 0.1\nresistivity = 0.1", 'kind = "orszag-tang"\n', dict(decay=[0.1] * 6, magnetic=True),
                        ("-2*sin(y)", "2*sin(x)", "0*x", "0.8*(-2*sin(2*y) + sin(z))", "0.8*(2*sin(x) + sin(z))", "0.8*(sin(x) + sin(y))")),
}


def difference(solver, ours, theirs):
    """The largest, of energies, enstrophy, and helicity or cross helicity."""
    pairs = [(ours["energy" if solver == "hd" else "kinetic_energy"], theirs["energy"]), (ours["enstrophy"], theirs["enstrophy"])]
    other = {"boussinesq": "potential_energy", "mhd": "magnetic_energy"}.get(solver)
    pairs += [(ours[other], theirs["other_energy"])] if other else []
    last = "cross_helicity" if solver == "mhd" else "helicity"
    return max(abs(a / b - 1) for a, b in [*pairs, (ours[last], theirs[last])])


@pytest.mark.parametrize("name", SETS)
def test_a_set_has_the_numbers_of_a_code_in_numpy(mpirun, triad, tmp_path, name):
    """16^3 to t = 0.4. Both have steps of order 4, which differ in where decay and waves come in: so the differences fall with order 4."""
    solver, equations, initial, keys, texts = SETS[name]
    box = pseudospectral.Box(16, "sphere")
    x, y, z = box.points()
    names = dict(x=x, y=y, z=z, sin=numpy.sin, cos=numpy.cos)
    start = [eval(text, names) for text in texts]
    if len(start) < 6:
        start = [*flow.velocity(x, y, z, numpy.cos), *start]
    errors, case = [], tmp_path / "case.toml"
    for steps in (20, 40):
        case.write_text(CASE.format(solver=solver, equations=equations, n=16, truncation="sphere", initial=initial, end=0.4, dt=0.4 / steps, every=0.4))
        mpirun(1, triad, "run", "-q", case, "--dir", tmp_path / f"run-{steps}", expect=0, timeout=100)
        ours = {column: values[-1] for column, values in series(tmp_path / f"run-{steps}").items()}
        theirs = pseudospectral.Flow(box, box.to_modes(numpy.array(start)), **keys).advance(0.4 / steps, steps).numbers()
        errors.append(difference(solver, ours, theirs))
    assert errors[1] < 2e-9 and errors[0] / errors[1] > 2**3.7, errors
    record(name, errors[1], ours["energy"], order=math.log2(errors[0] / errors[1]))
