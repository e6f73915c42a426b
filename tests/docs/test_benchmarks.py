"""docs/benchmarks.py: its references are right. Exact numbers of Sod's tube are those of Toro (2009, table 4.2), the lift of NACA 0012
that of conformal mapping (runs/naca0012-euler/README.md)."""

import importlib.util

import numpy as np
import pytest

from conftest import ROOT
from verification import record

pytestmark = pytest.mark.quick


@pytest.fixture(scope="module")
def benchmarks():
    pytest.importorskip("matplotlib", reason="the script draws")
    pytest.importorskip("h5py", reason="the script reads runs")
    spec = importlib.util.spec_from_file_location("benchmarks", ROOT / "docs/benchmarks.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_sods_tube_has_its_exact_states(benchmarks):
    rho, u, p = benchmarks.riemann((1, 0, 1), (0.125, 0, 0.1), [-2.0, 0.5, 1.0, 2.0])
    np.testing.assert_allclose(p, [1, 0.30313, 0.30313, 0.1], atol=5e-6)
    np.testing.assert_allclose(u, [0, 0.92745, 0.92745, 0], atol=5e-6)
    np.testing.assert_allclose(rho, [1, 0.42632, 0.26557, 0.125], atol=5e-6)


def test_the_rarefaction_is_isentropic_and_its_characteristics_are_straight(benchmarks):
    s = np.linspace(-1.18, -0.08, 50)   # between -sqrt(1.4) and -0.0703
    rho, u, p = benchmarks.riemann((1, 0, 1), (0.125, 0, 0.1), s)
    np.testing.assert_allclose(p, rho**1.4, rtol=1e-12)
    np.testing.assert_allclose(u - np.sqrt(1.4 * p / rho), s, atol=1e-12)


def test_panels_give_the_lift_of_conformal_mapping(benchmarks):
    x, cp, lift = benchmarks.panels(np.radians(5), 400)
    assert lift == pytest.approx(0.6030, abs=1e-3)
    assert cp.max() == pytest.approx(1, abs=1e-3), "a stagnation point"
    x, cp, lift = benchmarks.panels(0.0, 200)
    assert lift == pytest.approx(0, abs=1e-10), "a symmetric section"


def test_compressibility_makes_suction_stronger(benchmarks):
    assert benchmarks.compressed(-1.0, 0.0) == -1
    assert benchmarks.compressed(-1.0, 0.25) == pytest.approx(-1 / (0.9682458 - 0.0625 / 1.9682458 / 2), rel=1e-7)


def test_the_figure_of_gpus_has_each_row_of_the_table(benchmarks):
    found = benchmarks.efficiencies((ROOT / "docs/performance.md").read_text())
    assert len(found) >= 10 and all(0 < value < 130 for _, value in found)
    assert found[0][0].startswith("hd, 512") and any(name.startswith("multiblock, wing") for name, _ in found)


def test_the_history_of_the_taylor_green_vortex_is_the_references(benchmarks):
    t, rate = benchmarks.history(ROOT / "docs/tgv-re1600.csv")
    reference_t, reference = benchmarks.history(ROOT / "docs/tgv-re1600-reference.csv")
    assert reference_t[0] == 0 and reference_t[-1] == 10 and len(reference_t) == 101
    ours = np.interp(reference_t, t, rate)
    assert abs(ours - reference).max() < 1e-3 * reference.max()
    record("hd-taylor-green-1600", abs(ours - reference).max() / reference.max(), rate.max())
