"""Figures of spectra and series: what is drawn is the number that a formula gives, and what makes no sense is refused."""

import shutil

import h5py
import numpy as np
import pytest

import looks
from looks import plot_here

pytest.importorskip("matplotlib", reason="python3-matplotlib is not installed")

from triad_plot import verbs  # noqa: E402
from triad_plot.compute import average  # noqa: E402
from triad_plot.draw import style  # noqa: E402
from triad_plot.figures.scales import compensated  # noqa: E402
from triad_plot.options import GIVEN, Options  # noqa: E402
from triad_plot.problem import Absent  # noqa: E402
from triad_plot.read.run import Run  # noqa: E402

SHELLS, RINGS, PLANES = 12, 8, 5
EPS, ETA, CONSTANT = 0.3, 0.01, 1.7


def write_spectra(folder, step, t, factor, shells=SHELLS):
    """A file as a run writes it: E = factor C eps^(2/3) k^(-5/3) in every shell, H of both signs, rings twice as wide."""
    k = np.arange(shells, dtype=float)
    safe = np.where(k > 0, k, 1)
    data = {"k": k, "k_perp": 2.0 * np.arange(RINGS), "k_par": 4.0 * np.arange(PLANES)}
    energy = np.where(k > 0, factor * CONSTANT * EPS ** (2 / 3) * safe ** (-5 / 3), 0)
    energy[-2:] = 0  # beyond the last mode
    data.update(E=energy, H=np.where(k % 2 == 0, 1, -1) * energy, T=factor * (k - 3), Pi=factor * (k + 1))
    data.update(E_perp=factor * np.exp(-np.arange(RINGS)), E_kinetic_perp=0.5 * factor * np.exp(-np.arange(RINGS)),
                E_par=factor * np.exp(-2.0 * np.arange(PLANES)), T_perp=factor * np.arange(RINGS),
                E_2d=np.ones((RINGS, PLANES)))
    over = {shells: "k", RINGS: "k_perp", PLANES: "k_par"}
    with h5py.File(folder / f"spectra-{step:08d}.h5", "w") as f:
        f.attrs["t"], f.attrs["step"] = t, step
        for name, values in data.items():
            f[name] = values
            f[name].attrs["units"] = "1/L" if name.startswith("k") else "U^2"
            if name.startswith("k"):
                f[name].make_scale(name)
        for name, values in data.items():
            if not name.startswith("k"):
                for axis, n in enumerate(values.shape):
                    f[name].dims[axis].attach_scale(f[over[n]])


def write_run(folder, factors=(1.0, 2.0, 3.0, 4.0, 5.0)):
    """Spectra at t = 0, 1, .., and a series of their times."""
    (folder / "spectra").mkdir(parents=True)
    for i, factor in enumerate(factors):
        write_spectra(folder / "spectra", i, float(i), factor)
    rows = [f"{i},{i},{0.5 + i},{2 * i},{EPS},{ETA},{30 - i}" for i in range(len(factors))]
    (folder / "series.csv").write_text(
        "# energy [U^2]: mean |u|^2/2\n# enstrophy [1/T^2]: Z\n# dissipation [U^2/T]: eps\n# kolmogorov_scale [L]: eta\n"
        "# u_max [U]: largest\nstep,t,energy,enstrophy,dissipation,kolmogorov_scale,u_max\n" + "\n".join(rows) + "\n")
    (folder / "case.resolved.toml").write_text('# runs/made/case.toml as it was understood: ..\n[equations]\nsolver = "hd"\n')
    return folder


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return write_run(tmp_path_factory.mktemp("made") / "run")


def draw(verb, *folders, **options):
    found = [Run(str(f)) for f in folders]
    for one, label in zip(found, options.get("labels") or [f.name for f in folders]):
        one.label = label
    figure = verbs.find(verb).draw(found, Options(**options))
    assert looks.faults(figure) == []
    return figure


def lines(figure, axis=0):
    return {line.get_label(): line.get_data() for line in figure.axes[axis].lines if not line.get_label().startswith("_")}


# ---- series ----

def test_series_draws_the_columns_with_a_panel_for_each_unit(run):
    figure = draw("series", run, columns=["energy", "u_max", "kolmogorov_scale"])
    assert [axis.get_ylabel().split("[")[-1].rstrip("]") for axis in figure.axes] == ["U$^{2}$", "U", "L"]
    for axis, expected in zip(figure.axes, (0.5 + np.arange(5), 30 - np.arange(5), np.full(5, ETA))):
        np.testing.assert_array_equal(axis.lines[0].get_xdata(), np.arange(5))
        np.testing.assert_array_equal(axis.lines[0].get_ydata(), expected)


def test_series_of_several_runs_has_a_line_for_each(run, tmp_path):
    other = write_run(tmp_path / "other", (1.0, 1.0))
    figure = draw("series", run, other, columns=["energy", "dissipation"])
    assert set(lines(figure)) == {"run", "other"} and len(figure.axes[1].lines) == 2


def test_words_that_are_no_folder_are_columns(run, tmp_path):
    done = plot_here("series", run, "energy", "u_max", "-o", tmp_path / "s.pdf")
    assert done.returncode == 0 and (tmp_path / "s.pdf").read_bytes().startswith(b"%PDF"), done.stderr
    done = plot_here("series", run, "energi")
    assert done.returncode == 65 and "did you mean energy?" in done.stderr and "u_max" in done.stderr
    done = plot_here("series", run)
    assert done.returncode == 64 and "kolmogorov_scale" in done.stderr
    assert plot_here("series", tmp_path / "gone", "energy").returncode == 66


# ---- spectra over other wavenumbers, means ----

def test_a_spectrum_over_rings_is_a_density_over_their_width(run):
    figure = draw("spectrum", run, field="E_perp", at=4.0)
    x, y = figure.axes[0].lines[0].get_data()
    np.testing.assert_allclose(x, 2.0 * np.arange(1, RINGS))
    np.testing.assert_allclose(y, 5 * np.exp(-np.arange(1.0, RINGS)) / 2.0)  # rings are 2 wide
    assert r"k_\perp" in figure.axes[0].get_xlabel()


def test_several_spectra_share_a_figure_and_tell_their_wavenumbers(run):
    figure = draw("spectrum", run, field="E_perp,E_par", at=4.0)
    labels = list(lines(figure))
    assert r"k_\perp" in labels[0] and r"k_\parallel" in labels[1]
    np.testing.assert_allclose(figure.axes[0].lines[1].get_xdata(), 4.0 * np.arange(1, PLANES))
    words = [label.split("$")[0].strip() for label in lines(draw("spectrum", run, field="E_perp,E_kinetic_perp", at=4.0))]
    assert words[:2] == ["total", "kinetic"]


def test_mean_is_the_mean_of_the_times_between(run):
    """Factors 2, 3, 4 at t = 1, 2, 3: mean 3, quartiles 2.5 and 3.5, extremes 2 and 4."""
    figure = draw("spectrum", run, mean=True, t_from=1.0, t_to=3.0)
    x, y = figure.axes[0].lines[0].get_data()
    k = np.arange(1.0, SHELLS - 2)  # the last two shells hold nothing
    np.testing.assert_allclose(x, k)
    np.testing.assert_allclose(y, 3 * CONSTANT * EPS ** (2 / 3) * k ** (-5 / 3), rtol=1e-12)
    bands = [c.get_paths()[0].get_extents() for c in figure.axes[0].collections]
    tops = sorted(b.y1 / (CONSTANT * EPS ** (2 / 3)) for b in bands)
    np.testing.assert_allclose(tops, [3.5, 4.0], rtol=1e-12)


def test_without_times_the_mean_is_of_the_later_half(run):
    files = average.window(Run(str(run)), Options(mean=True), "E")
    assert [s.t for s in files] == [2.0, 3.0, 4.0]


def test_means_of_several_runs_lie_over_each_other(run, tmp_path):
    other = write_run(tmp_path / "other", (7.0, 7.0, 7.0))
    figure = draw("spectrum", run, other, mean=True)
    ratio = lines(figure)["other"][1] / lines(figure)["run"][1]
    np.testing.assert_allclose(ratio, 7 / 4, rtol=1e-12)


def test_a_run_that_changed_its_grid_averages_the_shells_of_its_end(tmp_path):
    folder = write_run(tmp_path / "run", (1.0, 2.0, 3.0))
    write_spectra(folder / "spectra", 1, 1.0, 2.0, shells=SHELLS + 6)
    assert [s.t for s in average.window(Run(str(folder)), Options(t_from=0.0), "E")] == [0.0, 2.0]


def test_what_has_a_sign_has_a_linear_axis(run):
    assert draw("spectrum", run, field="H", at=1.0).axes[0].get_yscale() == "linear"
    assert draw("spectrum", run, field="E", at=1.0).axes[0].get_yscale() == "log"


def test_curves_end_where_the_modes_end(run):
    for verb in ("flux", "transfer"):
        x, _y = draw(verb, run).axes[0].lines[0].get_data()
        assert x[-1] == SHELLS - 3, verb  # shells SHELLS - 2 and SHELLS - 1 hold no energy


def test_area_under_the_transfer_is_its_sum(run):
    """k T over d(log k) is T over dk: of unit shells the curve at k is k T(k)."""
    x, y = draw("transfer", run, t_from=4.0).axes[0].lines[0].get_data()
    np.testing.assert_allclose(y, x * 5 * (x - 3))
    x, y = draw("transfer", run, t_from=4.0, field="T_perp").axes[0].lines[0].get_data()
    np.testing.assert_allclose(y, x / 2.0 * 5 * x / 2.0)


def test_a_level_spectrum_tells_its_constant(run):
    figure = draw("compensated", run, at=0.0)
    (label,) = [text for text in lines(figure) if "flattest octave" in text]
    assert f"{CONSTANT:.2f}" in label
    first, end, level = compensated.plateau(*figure.axes[0].lines[0].get_data())
    assert level == pytest.approx(CONSTANT, rel=1e-12) and end == pytest.approx(2 * first)


def test_a_spectrum_that_is_level_where_viscosity_is_felt_has_no_constant(tmp_path):
    """eta is 0.01 of a shell, and then as large as one: the same spectrum begins in the inertial range, or beyond it."""
    fine, coarse = write_run(tmp_path / "fine"), write_run(tmp_path / "coarse")
    series = coarse / "series.csv"
    series.write_text(series.read_text().replace(f",{EPS},{ETA},", f",{EPS},{100 * ETA},"))
    labels = ["".join(lines(draw("compensated", folder, at=0.0))) for folder in (fine, coarse)]
    assert "flattest octave" in labels[0] and "flattest octave" not in labels[1] and "experiments" in labels[1]


def test_a_steep_spectrum_has_no_constant():
    k = np.arange(1.0, 40)
    assert compensated.plateau(k, np.exp(-k / 2)) is None
    # k^(-0.4): falls by 24 % in an octave; k^(-0.5): by 29 %, in logs 0.35
    assert compensated.plateau(k, k ** -0.4) is not None and compensated.plateau(k, k ** -0.5) is None


def test_the_constant_is_that_of_the_most_level_octave():
    """A bump of exp(-2 (ln k/10)^2) on the level 2: level far away from it."""
    k = np.arange(1.0, 200)
    first, end, level = compensated.plateau(k, 2 * np.exp(0.7 * np.exp(-2 * np.log(k / 10) ** 2)))
    assert level == pytest.approx(2.0, rel=0.01) and first > 50


def test_all_tells_of_a_broken_file_once(tmp_path):
    folder = write_run(tmp_path / "cut")
    broken = folder / "spectra/spectra-00000002.h5"
    broken.write_bytes(broken.read_bytes()[:1000])
    done = plot_here("all", folder)
    assert done.returncode == 65 and (folder / "figures/energy.png").is_file(), done.stderr
    assert done.stderr.count(broken.name) == 1, done.stderr


# ---- what makes no sense is refused ----

@pytest.mark.parametrize("words, code, text", [
    (("energy", "--field", "H"), 64, "--field does not apply"), (("energy", "--at", "1"), 64, "--at does not apply"),
    (("spectrum", "--plane", "z"), 64, "--plane does not apply"), (("flux", "--mean"), 64, "--mean does not apply"),
    (("spectrum", "--mean", "--at", "1"), 64, "--at selects one time"), (("all", "--field", "E"), 64, "--field does not apply"),
    (("spectrum", "--at", "1,2"), 64, "--at T1,T2,.. does not apply"), (("spectrum", "--at", "1,two"), 64, "--at"),
    (("report", "--from", "1"), 64, "--from, --to do not apply"), (("movie", "--mean"), 64, "--mean does not apply"),
    (("flux", "--field", "E"), 64, "no flux"), (("spectrum", "--from", "3", "--to", "2"), 64, "later than"),
    (("energy", "--label", "a", "--label", "b"), 64, "2 times for 1"),
    (("energy", "--from", "30", "--to", "40"), 65, "the data cover t = 0 to 4"),
    (("spectrum", "--from", "30"), 65, "the data cover t = 0 to 4"),
    (("flux", "--from", "30"), 65, "the data cover t = 0 to 4"), (("budget", "--to", "-1"), 65, "has no column injection"),
    (("spectrum", "--field", "E_2d"), 65, "E_perp"), (("spectrum", "--field", "E_nothing"), 65, "E_kinetic_perp")])
def test_refusals(words, code, text, run):
    done = plot_here(words[0], run, *words[1:])
    assert done.returncode == code and text in done.stderr, done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_every_verb_takes_options_that_there_are_and_a_title():
    for verb in verbs.VERBS:
        assert set(verb.takes) <= set(GIVEN) and "--title" in verb.takes, verb.name


def test_symbols_of_names_are_formulae_or_nothing():
    for name in ("H_cross", "mass", "scalar1_variance"):
        assert "\\" not in style.name_of(name) and "_" not in style.name_of(name)


def test_absent_is_left_out_by_all(run, tmp_path):
    """A flow without slices and structure functions: `all` draws the rest."""
    shutil.copytree(run, tmp_path / "copy")
    done = plot_here("all", tmp_path / "copy")
    assert done.returncode == 0, done.stderr
    names = {p.stem for p in (tmp_path / "copy/figures").glob("*.png")}
    assert names == {"energy", "enstrophy", "dissipation", "spectrum", "compensated", "map", "flux", "transfer"}
    with pytest.raises(Absent):
        draw("slice", run)
