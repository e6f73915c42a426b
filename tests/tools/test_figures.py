"""Figures: every verb draws what the files hold, legibly; what is wrong with the files is said in a line."""

import json
import os
import re
import shutil
import sys
import xml.etree.ElementTree

import h5py
import numpy as np
import PIL.Image
import pytest

import looks
from conftest import ROOT
from looks import plot, plot_here

matplotlib = pytest.importorskip("matplotlib", reason="python3-matplotlib is not installed")
import matplotlib.image  # noqa: E402

from triad_plot import verbs  # noqa: E402
from triad_plot.compute import balance, derivative  # noqa: E402
from triad_plot.draw import page, style  # noqa: E402
from triad_plot.figures.bench import ladder, scaling  # noqa: E402
from triad_plot.options import Options  # noqa: E402
from triad_plot.problem import Absent  # noqa: E402
from triad_plot.read import planes  # noqa: E402
from triad_plot.read.records import Bench  # noqa: E402
from triad_plot.read.run import Run  # noqa: E402

OF_RUNS = [verb for verb in verbs.VERBS if verb.of_runs and not verb.columns and not verb.solid]  # test_space.py has those


@pytest.fixture(scope="module")
def runs(triad, launcher, tmp_path_factory):
    return looks.make_all(triad, launcher, tmp_path_factory.mktemp("runs"))


def bench(ranks=1, threads=1, grid=(64, 64, 64), median=0.1, **more):
    return {"solver": "hd", "grid": list(grid), "precision": "double", "scheme": "rk2", "device": "cpu", "ranks": ranks,
            "threads": threads, "step_s": {"median": median, "q1": 0.95 * median, "q3": 1.1 * median},
            "phases_s": {"fft": 0.5 * median, "transpose": 0.2 * median, "exchange": 0.1 * median, "copies": 0,
                         "pointwise": 0.15 * median, "rest": 0.05 * median}, **more}


def files(folder, *records):
    folder.mkdir(exist_ok=True)
    for i, record in enumerate(records):
        (folder / f"bench-{i}.json").write_text(json.dumps(record))
    return sorted(folder.glob("bench-*.json"))


def drawn(verb, items, **options):
    figure = verb.draw(items, Options(**options))
    return looks.faults(figure), figure


# ---- they are drawn ----

def test_all_draws_what_a_run_has_as_png_and_svg(runs):
    done = plot("all", runs["boussinesq"])
    assert done.returncode == 0, done.stderr
    names = "energy enstrophy dissipation budget spectrum compensated map flux transfer slice".split()
    folder = runs["boussinesq"] / "figures"
    assert {p.name for p in folder.iterdir()} == {f"{v}.{k}" for v in names for k in ("png", "svg")}
    for path in folder.glob("*.png"):
        picture = matplotlib.image.imread(path)
        assert picture.shape[1] > 600 and np.ptp(picture[..., :3]) > 0.5, f"{path} is blank"
    for path in folder.glob("*.svg"):
        assert xml.etree.ElementTree.parse(path).getroot().tag.endswith("svg")


HAS = {"hd": "energy enstrophy dissipation budget spectrum compensated flux transfer slice",
       "calm": "energy enstrophy dissipation budget spectrum compensated flux transfer slice",
       "mhd": "energy enstrophy dissipation budget spectrum compensated flux transfer slice",
       "boussinesq": "energy enstrophy dissipation budget spectrum compensated map flux transfer slice",
       "gpe": "energy enstrophy budget spectrum slice gpe"}


@pytest.mark.parametrize("name", HAS)
def test_nothing_is_clipped_or_lies_over_something_else(name, runs):
    run, found = Run(str(runs[name])), []
    for verb in OF_RUNS:
        try:
            complaints, figure = drawn(verb, [run])
        except Absent:
            continue
        found.append(verb.name)
        assert run.case_name in figure._suptitle.get_text() and "\ufffd" not in figure._suptitle.get_text()
        assert complaints == [], f"{verb.name} of {name}"
    assert found == HAS[name].split()


def test_the_look_finds_faults():
    """What the test above relies on."""
    figure, axis = page.one()
    axis.plot([1, 2], [1, 2])
    assert looks.faults(figure) == []
    axis.text(0.5, 0.5, "one", transform=axis.transAxes)
    axis.text(0.5, 0.5, "two", transform=axis.transAxes)
    axis.text(3, 0.5, "out", transform=axis.transAxes, in_layout=False)
    assert looks.faults(figure) == ["'out' leaves the picture", "'one' lies over 'two'"]
    figure, axis = page.one()
    assert looks.faults(figure) == ["empty axes"]


@pytest.mark.parametrize("name", ["energy", "dissipation", "budget", "spectrum", "compensated", "flux", "transfer", "slice"])
def test_two_runs_share_a_figure(name, runs):
    found, figure = drawn(verbs.find(name), [Run(str(runs["hd"])), Run(str(runs["calm" if name != "slice" else "mhd"]))])
    assert found == []
    if name != "slice":
        labels = [t.get_text() for t in figure.axes[-1].get_legend().get_texts()]
        assert any("hd" in label for label in labels) and any("calm" in label for label in labels)


def test_bench_figures_are_legible(tmp_path):
    records = [bench(1, 1), bench(2, 1, median=0.055), bench(2, 2, median=0.03), bench(8, 1, median=0.02),
               bench(2, 1, (128, 64, 64), 0.11), bench(8, 1, (128, 128, 128), 0.13)]
    paths = files(tmp_path / "b", *records)
    for name in ("phases", "scaling"):
        verb = verbs.find(name)
        found, _figure = drawn(verb, [verb.open(str(p)) for p in paths])
        assert found == [], name
        done = plot(name, *paths, "-o", tmp_path / name)
        assert done.returncode == 0 and (tmp_path / f"{name}.svg").stat().st_size > 5000, done.stderr


def test_the_bench_of_this_build_can_be_drawn(triad, mpirun, tmp_path):
    for ranks in (1, 2):
        mpirun(ranks, triad, "bench", "runs/bench-hd/case.toml", "--steps", 2, "--set", "grid.n=[16,16,16]", "--json",
               tmp_path / f"{ranks}.json", expect=0)
    for name in ("phases", "scaling"):
        done = plot(name, tmp_path / "1.json", tmp_path / "2.json", "-o", tmp_path / name)
        assert done.returncode == 0, done.stderr


def test_a_folder_needs_no_arguments(runs, tmp_path):
    shutil.copytree(runs["hd"], tmp_path / "one")
    done = plot("energy", cwd=tmp_path)
    assert done.returncode == 0 and (tmp_path / "one/figures/energy.png").is_file(), done.stderr
    done = plot("spectrum", cwd=tmp_path / "one")
    assert done.returncode == 0 and (tmp_path / "one/figures/spectrum.svg").is_file(), done.stderr


def test_the_same_data_give_the_same_file(runs, tmp_path):
    for name in ("a", "b"):
        assert plot_here("energy", runs["hd"], "-o", tmp_path / name).returncode == 0
        assert plot_here("energy", runs["hd"], "-o", tmp_path / f"{name}.pdf").returncode == 0
    assert (tmp_path / "a.pdf").read_bytes().startswith(b"%PDF")
    for kind in ("png", "svg", "pdf"):
        assert (tmp_path / f"a.{kind}").read_bytes() == (tmp_path / f"b.{kind}").read_bytes()


def test_line_colours_stay_apart_for_colour_blind_eyes():
    """Deuteranopia and protanopia by Machado, Oliveira and Fernandes 2009, IEEE Trans. Vis. Comput. Graph. 15, 1291. A
    distance of 2.3 is just noticeable; lines differ in their dashes besides."""
    deuteranopia = np.array([[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]])
    protanopia = np.array([[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]])
    for matrix in (np.eye(3), deuteranopia, protanopia):
        assert looks.colours_apart(style.COLORS[:5], matrix) > 4 * 2.3


# ---- they show the numbers ----

def test_compensated_curve_is_the_spectrum_in_kolmogorov_units(runs):
    run = Run(str(runs["hd"]))
    figure = verbs.find("compensated").draw([run], Options(at=1.0))
    x, y = figure.axes[0].lines[0].get_data()
    with h5py.File(sorted((runs["hd"] / "spectra").glob("*.h5"))[-1]) as f:
        k, e = f["k"][:], f["E"][:]
    rows = [r for r in (runs["hd"] / "series.csv").read_text().splitlines() if not r.startswith("#")]
    last = dict(zip(rows[0].split(","), map(float, rows[-1].split(","))))
    keep = (k > 0) & (e > 1e-14 * e.max())
    eta = (0.05 ** 3 / last["dissipation"]) ** 0.25
    np.testing.assert_allclose(x, k[keep] * eta, rtol=1e-9)
    np.testing.assert_allclose(y, e[keep] * k[keep] ** (5 / 3) * last["dissipation"] ** (-2 / 3), rtol=1e-9)


@pytest.mark.parametrize("n", [(12, 10, 8), (9, 7, 11)])
@pytest.mark.parametrize("letter", "zyx")
def test_vorticity_of_a_plane_is_exact(n, letter, tmp_path):
    """Fields with few modes have exact derivatives on any grid, across the plane too, even and odd."""
    lengths = (2 * np.pi, 3.0, 5.0)
    kx, ky, kz = (2 * np.pi / length for length in lengths)
    z, y, x = np.meshgrid(*(np.arange(n[i]) * lengths[2 - i] / n[i] for i in range(3)), indexing="ij")
    u, v, w = np.sin(2 * kz * z) + np.cos(ky * y), np.sin(kx * x) * np.cos(kz * z), np.cos(2 * kx * x) * np.sin(ky * y)
    curl = (ky * np.cos(2 * kx * x) * np.cos(ky * y) + kz * np.sin(kx * x) * np.sin(kz * z),
            2 * kz * np.cos(2 * kz * z) + 2 * kx * np.sin(2 * kx * x) * np.sin(ky * y),
            kx * np.cos(kx * x) * np.cos(kz * z) + ky * np.sin(ky * y))
    expected = np.sqrt(sum(c * c for c in curl))
    with h5py.File(tmp_path / "f.h5", "w") as f:
        f["u"], f["v"], f["w"] = u, v, w
        f.attrs["length"], f.attrs["t"] = lengths, 0.0
    normal = "zyx".index(letter)
    m = 3
    with h5py.File(tmp_path / "f.h5") as f:
        cut = planes.cut_field(f, "vorticity", letter, m * lengths[2 - normal] / n[normal])
    np.testing.assert_allclose(cut.values, np.take(expected, m, axis=normal), atol=1e-12)


def test_slices_and_fields_show_the_same_plane(runs):
    """The run sums modes on the plane, the figure differentiates the points of the field: round-off of 16 points a side."""
    run = Run(str(runs["hd"]))
    ours = {cut.where: cut for cut in planes.of_run(run, Options())}
    assert set(ours) == {"z = 0", "x = 3.14"} and [c.name for c in ours.values()] == ["vorticity", "speed"]
    with h5py.File(run.field_files[-1]) as f:
        for name, letter, place in (("vorticity", "z", 0.0), ("speed", "x", np.pi)):
            cut = planes.cut_field(f, name, letter, place)
            other = ours[cut.where]
            assert (cut.t, cut.rows[0], cut.columns[0], cut.unit) == (other.t, other.rows[0], other.columns[0], other.unit)
            np.testing.assert_allclose(other.values, cut.values, atol=1e-12 * cut.values.max())
            np.testing.assert_allclose(other.rows[1], cut.rows[1])
    # a plane that no slice shows is cut out of the fields
    (cut,) = planes.of_run(run, Options(plane="y=1.0"))
    assert cut.where.startswith("y = ") and cut.name == "vorticity"


def test_derivative_row_is_that_of_the_interpolant():
    """Against the derivative of every mode that n points resolve."""
    for n in (8, 9):
        x = np.arange(n) * 3.0 / n
        for q in range(-(n // 2) + (n % 2 == 0), (n - 1) // 2 + 1):
            f = np.exp(2j * np.pi * q * x / 3.0)
            for m in range(n):
                assert abs(derivative.row(n, m, 3.0) @ f - 2j * np.pi * q / 3.0 * f[m]) < 1e-12


class Columns(dict):
    """Stands in for a series."""
    t = property(lambda self: self["t"])


def closed(n, leak=0.0):
    """E' = P - eps, with eps = E and P = 1 + sin t: E = 1 + (sin t - cos t)/2 + c exp(-t), on uneven times."""
    t = np.linspace(0, 6, n)
    t = t + 0.3 * (6 / n) * np.sin(7 * t)
    energy = 1 + (np.sin(t) - np.cos(t)) / 2 + np.exp(-t)
    return Columns(t=t, energy=energy + leak * t, injection=1 + np.sin(t), dissipation=energy)


def test_budget_closes_to_the_order_of_its_quadrature():
    """Each interval's error is O(h^5), so a rate's is O(h^4): halving h takes 16 times off, 12 at least before the limit."""
    coarse, fine = (np.abs(balance.Balance(closed(n)).residual).max() for n in (61, 121))
    assert fine < coarse / 12
    assert balance.Balance(closed(121)).unaccounted() < 1e-6


def test_budget_finds_a_leak():
    b = balance.Balance(closed(121, leak=0.05))
    np.testing.assert_allclose(b.residual, 0.05, atol=1e-4)
    assert b.unaccounted() > 0.01


def test_scaling_compares_like_with_like():
    items = [Bench(str(i), record) for i, record in enumerate([
        bench(1), bench(2, median=0.05), bench(4, median=0.04), bench(2, grid=(128, 64, 64), median=0.2),
        bench(2, precision="single", median=0.01), bench(4, median=0.035, device="gpu: some")])]
    strong = scaling.strong_groups(items)
    assert [[b.workers for b in group] for group in strong] == [[1, 2, 4]]
    weak = scaling.weak_groups(items)
    assert [[(b.workers, b.median) for b in group] for group in weak] == [[(1, 0.1), (2, 0.2)]]


def test_scaling_takes_files_of_one_flow_whatever_their_grids():
    def of(ranks, median, *said, case="runs/inlet/case.toml"):
        return Bench("b", bench(ranks, median=median) | {"case": case, "set": ["parallel.threads=1", *said]})
    items = [of(1, 0.1), of(2, 0.05, "grid.blocks=[2,1,1]"), of(1, 0.2, "equations.model=laminar"),
             of(2, 0.11, 'equations.model="laminar"'), of(2, 0.01, case="wing.toml")]
    assert [[b.median for b in group] for group in scaling.strong_groups(items)] == [[0.1, 0.05], [0.2, 0.11]]
    complaints, figure = drawn(verbs.find("scaling"), items)
    assert complaints == []
    labels = [t.get_text() for t in figure.axes[0].get_legend().get_texts()]
    assert [label.split(", ", 1)[1] for label in labels if "," in label] == ["inlet: 100 %", "inlet, laminar: 91 %"]


def test_a_ladder_compares_with_the_first_of_its_panel():
    """Cells over time: 64^3 cells in 0.1 s of a core are 2.62 million a second; of a mesh those that the file counts."""
    def of(ranks, median, *said, **more):
        return Bench("b", bench(ranks, median=median) | {"case": "runs/inlet/case.toml", "set": ["time.cfl=1", *said], **more})
    items = [of(1, 0.1), of(2, 0.05), of(1, 0.05, "equations.riemann=roe"), of(2, 0.1, 'equations.riemann="roe"', "time.cfl=1"),
             of(1, 0.1, cells=6 * 64**3)]
    assert ladder.rate(items[0]) == pytest.approx(0.262144 / 0.1) and ladder.rate(items[4]) == pytest.approx(6 * 2.62144)
    complaints, figure = drawn(verbs.find("ladder"), items)
    assert complaints == []
    one, two = figure.axes
    assert [one.get_title(loc="left").split(", ")[2], two.get_title(loc="left").split(", ")[2]] == ["1 core", "2 cores"]
    assert [t.get_text() for t in one.get_yticklabels()] == ["as in the case", "riemann = roe", "as in the case"]
    assert [t.get_text() for t in two.texts] == ["2.62   \u00d7 1.00", "1.31   \u00d7 0.50"]
    assert [ladder.rate_text(rate) for rate in (2.6214, 99.94, 999.6, 2332.6)] == ["2.62", "99.9", "1000", "2333"]
    assert ladder.rate(of(1, 0.1, processor_s=0.05)) == pytest.approx(0.262144 / 0.05)  # of one core, on a machine that others load
    assert ladder.rate(of(2, 0.1, processor_s=0.05)) == pytest.approx(0.131072 / 0.1)
    named = verbs.find("ladder").draw(items[:2], Options(labels=["a", "b"]))
    assert [t.get_text() for axis in named.axes for t in axis.get_yticklabels()] == ["a", "b"]


TABLE = """transport  nstreams  threads      total        fft  transpose   exchange     copies  pointwise       rest   [ms]
nccl              4        1     40.000     20.000      5.000      9.000      0.000      5.000      1.000
staged            4        1     90.000     20.000      5.000     39.000     20.000      5.000      1.000
nccl              1        1     60.000     20.000      5.000     29.000      0.000      5.000      1.000
nccl              4        2     30.000     20.000      5.000      0.000      0.000      5.000      0.000
(cpu)             4        1    300.000    100.000     50.000     50.000      0.000     80.000     20.000
"""


def test_the_tuners_table_is_read(tmp_path):
    (tmp_path / "table.txt").write_text("1 rank\n" + TABLE + "best: nstreams 4\n")
    lines = [json.dumps({"time": "now", "level": "info", "text": line}) for line in TABLE.splitlines()]
    (tmp_path / "table.jsonl").write_text("\n".join(lines) + "\n")
    verb = verbs.find("tune")
    for name in ("table.txt", "table.jsonl"):
        rows = verb.open(str(tmp_path / name))
        assert [(r.transport, r.nstreams, r.threads, r.total) for r in rows] == [
            ("nccl", 4, 1, 0.04), ("staged", 4, 1, 0.09), ("nccl", 1, 1, 0.06), ("nccl", 4, 2, 0.03), ("(cpu)", 4, 1, 0.3)]
        complaints, figure = drawn(verb, [rows])
        assert complaints == []
        assert list(figure.axes[0].lines[0].get_ydata()) == [60, 40]  # of nccl, in ms, by nstreams


# ---- what is wrong is said ----

def test_the_launcher_passes_words_and_codes_on(tmp_path):
    expect(plot("energy", tmp_path / "no such run"), 66, "no such run: no such file or folder")
    assert "triad-plot VERB" in plot("--help").stdout


def expect(done, code, *words):
    assert done.returncode == code, done.stderr
    assert len(done.stderr.strip().splitlines()) == 1 and done.stderr.startswith("triad-plot: "), done.stderr
    for word in words:
        assert word in done.stderr, done.stderr


def test_wrong_command_lines_are_64(runs, tmp_path):
    expect(plot_here("enery", runs["hd"]), 64, "did you mean energy?")
    expect(plot_here("energy", runs["hd"], "--form", "1"), 64, "--form")
    expect(plot_here("energy", runs["hd"], "--from", "nan"), 64, "--from: 'nan' is not a number")
    expect(plot_here("slice", runs["hd"], "--at", "1,two"), 64, "--at: 'two' is not a number")
    expect(plot_here("vortices", runs["hd"], "--grid", "1"), 64, "--grid: '1' is not a number of points")
    expect(plot_here("series", runs["hd"], "no_such"), 65, "no_such. The columns are dt, energy")
    expect(plot_here("overlap", runs["hd"]), 65, "is a folder; a file is required")
    expect(plot_here("slice", runs["hd"], "--plane", "q=1"), 64, "--plane q=1")
    expect(plot_here("energy", runs["hd"], "-o", tmp_path / "a.eps"), 64, ".png, .svg or .pdf")
    expect(plot_here("phases"), 64, "triad bench --json")
    assert plot_here().returncode == 64 and plot_here("--help").returncode == 0


def test_missing_files_are_66(tmp_path):
    expect(plot_here("energy", tmp_path / "gone"), 66, "gone: no such file or folder")
    expect(plot_here("phases", tmp_path / "gone.json"), 66, "gone.json: no such file")
    expect(plot_here("energy", cwd=tmp_path), 66, "give its path")


def test_wrong_kinds_of_files_are_65(runs, tmp_path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "text.json").write_text("hello")
    (tmp_path / "list.json").write_text("[1, 2]")
    expect(plot_here("energy", tmp_path / "empty"), 65, "not a run directory")
    expect(plot_here("energy", runs["hd"] / "series.csv"), 65, "a run directory is required")
    expect(plot_here("phases", tmp_path / "text.json"), 65, "not JSON")
    expect(plot_here("phases", tmp_path / "list.json"), 65, "not a file of triad bench --json")
    expect(plot_here("phases", runs["hd"] / "provenance.json"), 65, "not a file of triad bench --json")
    expect(plot_here("gpe", runs["hd"]), 65, "quantum_energy")
    expect(plot_here("tune", runs["hd"] / "log.txt"), 65, "neither a table of triad tune")
    expect(plot_here("map", runs["hd"]), 65, "output.spectra_axis")
    expect(plot_here("structure", runs["hd"]), 65, "--structure")
    expect(plot_here("scaling", *files(tmp_path / "b", bench(1))), 65, "two or more")


@pytest.mark.parametrize("damage", ["cut", "empty", "text", "other"])
@pytest.mark.parametrize("part, words", [("spectra", ["spectrum"]), ("fields", ["slice", "--plane", "y"]),
                                         ("slices", ["slice"])])
def test_unreadable_data_are_65(damage, part, words, runs, tmp_path):
    shutil.copytree(runs["hd"], tmp_path / "run")
    path = sorted((tmp_path / "run" / part).glob("*.h5"))[-1]
    if damage == "other":
        with h5py.File(path, "w") as f:
            f["something"] = np.zeros(3)
    else:
        whole = path.read_bytes()
        path.write_bytes({"cut": whole[:len(whole) // 2], "empty": b"", "text": b"what is this"}[damage])
    expect(plot_here(*words, tmp_path / "run"), 65, path.name)


@pytest.mark.parametrize("text, words", [("", "column names are missing"), ("step,t,dt,energy\n", "no rows"),
                                         ("step,t,dt,energy\n0,0,0,1\n1,1,x,1\n", "cannot be read"),
                                         ("step,t,dt,energy\n0,0,0,1\n1,1\n2,2,1,1\n", "row 2"),
                                         ("\x89PNG\r\n\x1a\n" + "\0" * 99, "column names are missing")])
def test_a_broken_series_is_65(text, words, tmp_path):
    (tmp_path / "run").mkdir()
    (tmp_path / "run/series.csv").write_text(text)
    expect(plot_here("energy", tmp_path / "run"), 65, "series.csv", words)


def test_half_a_last_row_is_passed_over(runs, tmp_path):
    shutil.copytree(runs["hd"], tmp_path / "run")
    with open(tmp_path / "run/series.csv", "a") as f:
        f.write("999,1.5,0.1,0.3")
    assert plot_here("energy", tmp_path / "run").returncode == 0


def test_what_cannot_be_written_is_74(runs, tmp_path):
    (tmp_path / "file").write_text("")
    expect(plot_here("energy", runs["hd"], "-o", tmp_path / "file/energy.png"), 74, "cannot be written")


@pytest.mark.parametrize("module, apt", [("h5py", "python3-h5py"), ("matplotlib", "python3-matplotlib")])
def test_a_missing_module_is_named_with_its_packages(module, apt, runs, tmp_path):
    (tmp_path / f"{module}.py").write_text(f"raise ImportError('No module named {module}')\n")
    done = plot("energy", runs["hd"], env=dict(os.environ, PYTHONPATH=str(tmp_path), PYTHON=sys.executable))
    assert done.returncode == 69
    assert f"apt install {apt}\n" in done.stderr and f"pip install {module}\n" in done.stderr, done.stderr


def test_control_characters_reach_no_terminal(tmp_path):
    done = plot("energy", tmp_path / "\x1b[31mred")
    assert done.returncode == 66 and "\x1b" not in done.stderr and "\\x1b" in done.stderr


# ---- the page that shows them ----

def test_every_verb_has_an_example_made_by_a_command_beside_it():
    page = "\n".join(p.read_text() for p in sorted((ROOT / "docs/reference").glob("figures*.md")))
    for verb in verbs.VERBS:
        command = [line for line in page.splitlines() if line.startswith(f"tools/triad-plot {verb.name} ")]
        assert command, f"docs/reference/figures*.md show no triad-plot {verb.name}"
        shown = [word for line in command for word in line.split() if word.startswith("docs/gallery/")]
        assert shown, f"{command} makes no picture of docs/gallery"
        for name in shown:
            path = ROOT / name
            assert path.is_file() and path.stat().st_size < 1_200_000, f"{name} is missing or too large"
            assert f"](../{name.removeprefix('docs/')})" in page, f"docs/reference/figures*.md do not show {name}"
    linked = {name for name in page.replace(")", "(").split("(") if name.startswith("../gallery/")}
    flagship = (ROOT / "docs/isotropic-turbulence.md").read_text()  # its run takes a GPU, and its page has the commands
    linked |= {f"../{name}" for name in flagship.replace(")", "(").split("(") if name.startswith("gallery/isotropic/")}
    assert {f"../{p.relative_to(ROOT / 'docs')}" for p in (ROOT / "docs/gallery").rglob("*.*")} == linked


def test_every_picture_of_the_gallery_has_a_caption_below_it():
    for page in [*sorted((ROOT / "docs/reference").glob("figures*.md")), ROOT / "docs/isotropic-turbulence.md"]:
        lines = page.read_text().splitlines()
        bare = [line for line, below in zip(lines, lines[1:]) if line.startswith("![") and not re.match(r"\*\w", below)]
        assert not bare, f"{page.name}: {bare}"


def test_a_picture_for_print_has_300_dots_per_inch(runs, tmp_path):
    assert plot_here("energy", runs["hd"], "-o", tmp_path / "e.png").returncode == 0
    with PIL.Image.open(tmp_path / "e.png") as image:
        assert image.size == (2100, 1260) and image.info["dpi"] == pytest.approx((300, 300), abs=0.1)


def test_a_legend_hides_no_line():
    """Noise over the whole panel, where no corner is free, and a straight line, beside which one is."""
    for noisy in (True, False):
        figure, axis = page.one()
        x = np.linspace(0, 1, 2000)
        for i in range(3):
            axis.plot(x, np.random.default_rng(i).random(2000) if noisy else x, label=f"a curve with a long name {i}")
        page.legend(axis)
        page.clear_legends(figure)
        figure.draw_without_rendering()
        outside = axis.get_legend().get_window_extent().x0 > axis.get_window_extent().x1 - 1
        assert outside == noisy


def test_blanks_that_do_not_break_stay_in_titles():
    from triad_plot.draw import page as pages
    assert pages.wrap("hd, \u03bd\u00a0=\u00a00.01\x07", 40) == ["hd, \u03bd\u00a0=\u00a00.01\ufffd"]
