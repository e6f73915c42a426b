"""The judgement of a report: resolved, stationary, next to published ranges; what to do next; methods with BibTeX."""

import html
import itertools
import json
import re
import shutil
import subprocess

import numpy as np
import pytest

import looks  # noqa: F401  (finds triad_plot)
from conftest import ROOT
from looks import plot_here
from outputs import sets
from test_report import table_of

pytest.importorskip("matplotlib", reason="python3-matplotlib is not installed")

from triad_plot.compute import errors, ranges, shells  # noqa: E402
from triad_plot.report import about, ahead, judge, methods  # noqa: E402
from triad_plot.read.log import Log  # noqa: E402
from triad_plot.read.run import Run  # noqa: E402

FORCED = """[equations]
solver = "hd"
viscosity = 0.05
[grid]
n = [24, 24, 24]
[initial]
kind = "random"
spectrum = "gaussian"
wavenumber = 2
energy = 0.5
[forcing]
kind = "random"
power = 0.1
k_range = [1, 2.5]
[time]
end = 40
dt = 0.05
[output]
series_interval = 0.2
spectra_interval = 2
structure_functions = "log"
means = ["moments"]
means_interval = 0.4
means_from = 20
slices = []
report = false
"""


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    """The run of docs/isotropic-turbulence.md, of which its series and means are kept."""
    folder = tmp_path_factory.mktemp("published") / "run"
    shutil.copytree(ROOT / "docs/data/isotropic-turbulence", folder)
    case = (ROOT / "runs/isotropic-turbulence/case.toml").read_text()
    (folder / "case.resolved.toml").write_text(case.replace('["2pi", "2pi", "2pi"]', str([2 * np.pi] * 3)))
    return Run(str(folder))


@pytest.fixture(scope="module")
def forced(triad, launcher, tmp_path_factory):
    work = tmp_path_factory.mktemp("forced")
    (work / "case.toml").write_text(FORCED)
    done = launcher(1, triad, "run", "-q", work / "case.toml", "--dir", work / "run", timeout=100)
    assert done.code == 0, done
    return work / "run"


@pytest.fixture(scope="module")
def page(triad, forced):
    done = plot_here("report", forced, "--triad", triad)
    assert done.returncode == 0, done.stderr
    return (forced / "report.html").read_text()


# ---- numbers that are known ----

def test_numbers_and_verdicts_of_the_published_run_are_those_of_its_page(published):
    """docs/isotropic-turbulence.md, Numbers: each with the digits that the page has."""
    j = judge.Judgement(published)
    found = {line.words: line for line in j.lines()}
    text = (ROOT / "docs/isotropic-turbulence.md").read_text()
    for words, value, digits in (("Re_", 144.6, 1), ("C_", 0.444, 3), ("skewness", 0.533, 3), ("flatness", 5.87, 2), ("square of u", 0.98, 2),
                                 ("square of v", 0.95, 2), ("square of w", 1.07, 2), ("15", 1.001, 3)):
        (line,) = [line for name, line in found.items() if words in name and "spectrum" not in name and "law" not in name]
        assert str(value) in text and round(float(line.value.split()[0]), digits) == pytest.approx(value, abs=0.11 * (digits == 1) + 1e-9), line
    assert {line.verdict for line in found.values()} == {"within", ""}
    assert j.turnovers == pytest.approx(9.7, abs=0.1) and j.eta[1] == pytest.approx(1.49, abs=0.005)
    assert j.sentence().startswith("This run may be published as resolved and stationary (k_max \u03b7 = 1.49")


@pytest.mark.parametrize("length", [[2 * np.pi] * 3, [4 * np.pi, 2 * np.pi, 2 * np.pi]])
def test_a_spectrum_whose_modes_are_a_power_of_k_has_no_teeth(length):
    """Modes of k^(-11/3) each, added up one by one; the spectrum is k^(-5/3)."""
    step = [2 * np.pi / side for side in length]
    width, most = min(step), 16
    energy = np.zeros(most)
    reach = [range(-int(most * width / h) - 1, int(most * width / h) + 2) for h in step]
    for n in itertools.product(*reach):
        k = np.sqrt(sum((i * h) ** 2 for i, h in zip(n, step)))
        if k > 0 and int(k / width + 0.5) < most:
            energy[int(k / width + 0.5)] += k ** (-11 / 3) * np.prod(step) / (4 * np.pi)
    k = width * np.arange(most)
    level = energy[4:] / width * k[4:] ** (5 / 3)
    assert np.ptp(level) > 0.15
    assert level * shells.law_over_sum(k, width, length)[4:] == pytest.approx(1, abs=1e-12)


def test_a_value_far_from_its_range_is_outside_and_one_within_its_error_is_not():
    allowed = ranges.of(145).skewness     # 0.50 to 0.57
    assert [ranges.judged(value, error, allowed) for value, error in ((0.53, 0.01), (0.47, 0.02), (0.45, 0.02), (0.60, 0.01))] == \
        ["within", "within", "outside", "outside"]
    assert ranges.judged(0.60, 0.0, allowed, widened=True) == "within" and ranges.of(20) is None and ranges.of(1000) is None


def test_the_page_of_ranges_has_every_range_and_every_source():
    text = (ROOT / ranges.PAGE).read_text()
    for row in ranges.ROWS:
        cells = [part.text() if part else "none" for part in row[1:]]
        assert f"| {row.re_lambda[0]} to {row.re_lambda[1]} | {' | '.join(cells)} |" in text
    anchors = {line[3:].lower() for line in text.splitlines() if line.startswith("## ")}
    assert anchors == set(ranges.SOURCES)
    for one in (ranges.ISOTROPY, ranges.SMALL_SCALES, ranges.POWER, ranges.FLUX):
        assert one.text() in text


# ---- drifts ----

def noise(rng, n, memory=10):
    """Correlated over `memory` rows, of unit variance."""
    out, last, keep = np.empty(n), rng.standard_normal(), np.exp(-1 / memory)
    for i in range(n):
        last = out[i] = keep * last + np.sqrt(1 - keep**2) * rng.standard_normal()
    return out


def test_stationary_noise_drifts_in_a_twentieth_of_all_runs_and_a_trend_is_found():
    rng, t = np.random.default_rng(1), np.linspace(0, 1, 400)
    for memory in (0.1, 10):
        wrong = np.mean([any(errors.drifts(*errors.drift_of(t, noise(rng, 400, memory)), tests=6) for _ in range(6)) for _ in range(100)])
        assert wrong < 0.15, wrong
    rise, error, dof = errors.drift_of(t, 3 * t + noise(rng, 400, 0.1))
    assert abs(rise - 3) < 4 * error and errors.drifts(rise, error, dof, 6)
    # the error of a rise of white noise is (12/n)^(1/2)
    assert np.median([errors.drift_of(t, noise(rng, 400, 0.1))[1] for _ in range(100)]) == pytest.approx((12 / 400) ** 0.5, rel=0.15)


def test_quantiles_are_those_of_the_tables():
    for p, dof, exact in ((0.975, 6, 2.447), (0.975, 30, 2.042), (0.995, 8, 3.355)):
        assert errors.student(p, dof) == pytest.approx(exact, rel=2e-3)


# ---- the page ----

def test_the_sentence_has_reasons_and_numbers_have_errors(page, forced):
    (sentence,) = re.findall('<p class="judged">(.*?)</p>', page)
    assert "turnover times" in sentence and "k_max \u03b7 = " in html.unescape(sentence)
    rows = {row[0]: row[1:] for row in table_of(page, "Compared with published ranges")}
    import h5py
    with h5py.File(forced / "means.h5") as f:
        moments = np.mean([[f[f"{name}_moments"][p] for p in (1, 2)] for name in ("du_dx", "dv_dy", "dw_dz")], axis=0)
    (skewness,) = [cells for words, cells in rows.items() if words.startswith("skewness")]
    assert float(skewness[0].split()[0]) == pytest.approx(-moments[1] / moments[0] ** 1.5, rel=0.05) and "\u00b1" in skewness[0]
    third = next(cells for words, cells in rows.items() if words.startswith("4/5"))
    assert 0 < float(third[0].split()[0]) < 0.8
    assert page.count('<span class="number">') == len(rows) - 1 and len(rows) > 10


def test_links_of_ranges_lead_to_their_sources_on_the_page(page):
    named = set(re.findall('href="#(source-[^"]+)"', page))
    assert named and named == set(re.findall('id="(source-[^"]+)"', page))


def test_methods_have_the_case_and_all_keys_of_triad_cite(page, forced, triad):
    text = html.unescape(page.split("<h2>Methods</h2>")[1].split("<h2>")[0])
    bibtex = subprocess.run([triad, "cite", forced], capture_output=True, text=True, check=True).stdout
    assert bibtex.strip() in text
    for words in ("24\u00b3 points", "rk3", "steps of 0.05", "viscosity 0.05", "Orszag 1971; Williamson 1980", "power 0.1"):
        assert words in text, words
    assert methods.entries("@book{Key,\n  author = {A, B and C, D and E, F},\n  year = {1999},\n}") == [("Key", "A et al.", "1999")]


def test_costs_of_what_is_next_are_ratios_of_plans(page, forced, triad, tmp_path):
    (line,) = re.findall(r"<li>(To reach twice .*?)</li>", html.unescape(page))
    n, nu = json.loads(re.search(r"grid.n = (\[.*?\])", line)[1]), float(re.search(r"viscosity = (\S+),", line)[1])
    assert nu == pytest.approx(0.05 / 4) and n == [72, 72, 72]       # 24 4^(3/4) = 67.9, and 72 = 2^3 3^2
    (tmp_path / "m.toml").write_text(ahead.MACHINE)

    def plan(*more):
        done = subprocess.run([triad, "plan", forced / "case.resolved.toml", "--machine", tmp_path / "m.toml", "--json", *more], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        found = json.loads(done.stdout)
        return np.array([found["step_s"], found["memory_bytes"]["total"]])
    work, memory = plan(*sets(grid__n=n)) / plan() * [3, 1]          # three times as many steps
    assert f"{work:.2g} times the work" in line and f"{memory:.2g} times the memory" in line


def test_lengths_of_grids_have_small_factors():
    assert [ahead.good_length(n) for n in (2, 7, 67.9, 96, 97, 1019)] == [2, 8, 72, 96, 100, 1024]


def test_a_flow_that_nothing_maintains_is_not_called_stationary(run_case):
    folder = run_case(FORCED.replace('kind = "random"\npower = 0.1\nk_range = [1, 2.5]', 'kind = "none"').replace("end = 40", "end = 2")
                      .replace("means_from = 20", "means_from = 0"))
    j = judge.Judgement(Run(str(folder)))
    assert "nothing maintains the flow" in j.sentence() and j.lines() == [] and j.drifts == []


def test_a_short_or_coarse_run_may_not_be_published(run_case):
    folder = run_case(FORCED.replace("viscosity = 0.05", "viscosity = 0.005").replace("end = 40", "end = 6").replace("means_from = 20", "means_from = 3"))
    j = judge.Judgement(Run(str(folder)))
    assert j.sentence().startswith("This run may not be published as resolved and stationary") and "under-resolved" in j.sentence()


def test_bodies_sponges_and_subgrid_models_are_in_the_case_and_the_methods(run_case):
    text = FORCED.replace("end = 40", "end = 0.2").replace('kind = "random"\npower = 0.1\nk_range = [1, 2.5]', 'kind = "none"')
    text = text.replace("viscosity = 0.05", "viscosity = 0.05\nmean_velocity = [1, 0, 0]").replace("[24, 24, 24]", "[16, 16, 16]")
    text = re.sub(r"(?m)^(structure|means|spectra_int).*\n", "", text)
    text += '[closure]\nmodel = "wale"\n[[bodies]]\nshape = "sphere"\nradius = 1\ncenter = [3, 3, 3]\n[[sponges]]\nrate = "2"\nlayer = "x"\nrange = [5, 6]\nu = "1"\n'
    run = Run(str(run_case(text)))
    rows = about.what(run)
    assert [name for name, _ in rows if name in ("body", "sponge", "subgrid model")] == ["body", "sponge", "subgrid model"]
    assert judge.is_driven(run) and not judge.is_isotropic(run)
    said = methods.paragraph(run, None, "", Log(run / "log.txt"))
    assert "Body: shape sphere; center 3, 3, 3; radius 1" in said and "Subgrid model: model wale" in said
