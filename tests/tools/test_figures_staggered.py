"""Figures of the staggered solver's runs and benchmarks, and the numbers that `tests/long/numbers` prints, of formulae."""

import subprocess
import sys

import numpy as np
import pytest

import looks
from looks import ROOT, plot_here

pytest.importorskip("matplotlib", reason="python3-matplotlib is not installed")

from triad_plot import verbs  # noqa: E402
from triad_plot.figures.bench import mcups, overlap  # noqa: E402
from triad_plot.figures.time import decay  # noqa: E402
from triad_plot.options import Options  # noqa: E402
from triad_plot.problem import Absent  # noqa: E402
from triad_plot.read.records import Bench  # noqa: E402
from triad_plot.read.run import Run  # noqa: E402
from triad_plot.report import checks  # noqa: E402

CASE = """[equations]
solver = "staggered"
viscosity = 1e-6
[grid]
n = [64, 64, 64]
length = [0.24, 0.24, 0.24]
[solids]
kind = "random-cubes"
count = 96
side = 4
release = 7.0
[solver]
tolerance = 1e-08
[strain]
rates = {rates}
start = 12.0
end = 20.0
[profiles]
start = 1.0
"""
NAMES = ("step", "t", "energy", "dissipation", "injection", "production", "large_eddy_scale", "large_eddy_reynolds", "mean_u",
         "mean_v", "mean_w", "displacement_x", "displacement_y", "displacement_z", "iterations", "divergence")
SOLID = 96 * 4**3 / 64**3


def power_law(t, n, origin=6.0):
    """Energy and dissipation of 1e-3 (t - origin)^-n."""
    return 1e-3 * (t - origin)**-n, n * 1e-3 * (t - origin)**(-n - 1)


def write_run(folder, n=1.25, rates="[0.0, 0.0, 0.0]", jump=1.0, mean=0.0, divergence=1e-8, end=30.0):
    """Energy as t^-n from 7 s on, of 1 - SOLID of the box as much before; a row each 0.1 s."""
    folder.mkdir()
    t = np.round(np.arange(6.5, end + 0.05, 0.1), 10)
    energy, dissipation = power_law(t, n)
    energy = np.where(t > 7, jump * energy, energy / (1 - SOLID))
    u = np.sqrt(2 * energy / 3)
    scale = u**3 / dissipation
    production = np.where((t > 12) & (t < 20) & ("0.1" in rates), 1e-9, 0)
    rows = zip(np.arange(len(t)), t, energy, dissipation + production, production, production, scale, u * scale / 1e-6, mean * u,
               0 * t, 0 * t, np.exp(-10 * t), 0 * t, 0 * t, 20 + 0 * t, divergence * np.sqrt(2 * energy) * 64 / 0.24)
    (folder / "series.csv").write_text("# energy [U^2]: E\n# dissipation [U^2/T]: eps\n" + ",".join(NAMES) + "\n" +
                                       "".join(",".join(f"{value:.17g}" for value in row) + "\n" for row in rows))
    (folder / "case.resolved.toml").write_text(CASE.format(rates=rates))
    return folder


def numbers(*words):
    done = subprocess.run([sys.executable, ROOT / "tests/long/numbers", *words], capture_output=True, text=True, timeout=60)
    return done.returncode, {line[6:].split("  ")[0]: line for line in done.stdout.splitlines()}


# ---- decay ----

def test_the_exponent_of_a_decay_is_found_whatever_its_origin():
    t = np.linspace(8, 30, 200)
    for n in (1.1, 1.5):
        for origin in (0.0, 6.0):
            np.testing.assert_allclose(decay.exponent(t, *power_law(t, n, origin)), n, rtol=1e-9)


def test_the_tunnel_decays_as_is_known_of_it():
    """Its energy over dissipation is t/n from the virtual origin at 3.5 mesh times, n = 1.25 within 2 %: the three stations are
    consistent with each other."""
    energy = 1.5 * decay.TUNNEL[:, 1]**2
    n = (decay.TUNNEL[:, 0] - 3.5) * decay.MESH_TIME * decay.TUNNEL[:, 2] / energy
    np.testing.assert_allclose(n, 1.25, rtol=0.02)


@pytest.mark.parametrize("rates, panels", [("[0.0, 0.0, 0.0]", 4), ("[0.1, -0.1, 0.0]", 6)])
def test_decay_is_drawn_from_when_solids_have_long_been_released(tmp_path, rates, panels):
    run = Run(str(write_run(tmp_path / "run", rates=rates)))
    figure = verbs.find("decay").draw([run], Options())
    assert looks.faults(figure) == [] and len(figure.axes) == panels
    t = figure.axes[1].lines[0].get_xdata()
    assert t[0] == pytest.approx(12) and t[-1] == pytest.approx(30)
    x, y = figure.axes[0].lines[0].get_data()
    np.testing.assert_allclose(y, (1 + (x - 1) / 1.25)**-1.25 if panels == 4 else y, rtol=1e-9)
    assert figure.axes[0].lines[1].get_xdata()[0] == figure.axes[0].lines[1].get_ydata()[0] == 1
    later = verbs.find("decay").draw([run], Options(t_from=20.0))
    assert later.axes[1].lines[0].get_xdata()[0] == pytest.approx(20)


def test_decay_of_another_solver_is_absent(tmp_path):
    write_run(tmp_path / "run")
    text = (tmp_path / "run/series.csv").read_text().replace("large_eddy_scale", "other")
    (tmp_path / "run/series.csv").write_text(text)
    with pytest.raises(Absent):
        verbs.find("decay").draw([Run(str(tmp_path / "run"))], Options())
    assert plot_here("decay", tmp_path / "run").returncode == 65


# ---- numbers of long runs ----

def test_numbers_of_a_decay_are_those_of_its_formula(tmp_path):
    code, lines = numbers("stirred", write_run(tmp_path / "run", n=1.2))
    assert code == 0 and "1.200 " in lines["exponent of the decay, t = 12 to 20"], lines
    assert lines["energy of all fluid after the release, from the rows that follow, over that before"].startswith("ok")


@pytest.mark.parametrize("values, bad", [(dict(n=1.5), "exponent of the decay, t = 12 to 20"),
                                         (dict(jump=1.05), "energy of all fluid after the release"),
                                         (dict(mean=0.02), "mean flow at t = 7"), (dict(end=7.2), "rows after the release")])
def test_numbers_find_what_does_not_hold(tmp_path, values, bad):
    code, lines = numbers("stirred", write_run(tmp_path / "run", **{"n": 1.2, **values}))
    failed = [name for name, line in lines.items() if line.startswith("FAIL")]
    assert code == 1 and any(name.startswith(bad) for name in failed), lines


def test_numbers_of_a_channel_are_those_of_its_profiles(tmp_path):
    """Of stresses that balance: -uv = 1 - y - viscosity du/dy, uu with its largest at y = 0.1."""
    folder = write_run(tmp_path / "run")
    edges = (1 + np.tanh(1.6 * (2 * np.arange(129) / 128 - 1)) / np.tanh(1.6))
    y, nu = (edges[1:] + edges[:-1]) / 2, 1 / 180
    near = np.minimum(y, 2 - y)
    u = 18.3 * (1 - np.exp(-near / 0.1) * (1 - near))
    slope = 18.3 * np.exp(-near / 0.1) * ((1 - near) / 0.1 + 1)
    uv = -(1 - near - nu * slope) * np.where(y < 1, 1, -1)
    uu = (2.65 * near / 0.1 * np.exp(1 - near / 0.1))**2
    names = ("y", "u", "v", "w", "p", "uu", "vv", "ww", "uv", "uw", "vw", "pp")
    columns = dict(y=y, u=u, uu=uu, vv=uu / 4, ww=uu / 9, uv=uv)
    table = np.array([columns.get(name, 0 * y) for name in names]).T
    (folder / "profiles.csv").write_text("# means\n" + ",".join(names) + "\n" +
                                         "".join(",".join(f"{value:.17g}" for value in row) + "\n" for row in table))
    text = (folder / "series.csv").read_text().replace("divergence", "wall_shear")
    (folder / "series.csv").write_text(text)
    (folder / "case.resolved.toml").write_text(CASE.format(rates="[0.0, 0.0, 0.0]").replace("1e-6", str(nu)))
    code, lines = numbers("channel", folder)
    assert "2.65" in lines["root of uu at its peak, y+"] and ", 18.0" in lines["root of uu at its peak, y+"], lines
    assert lines["u in the middle"].startswith("ok") and lines["-uv + viscosity du/dy, furthest from 1 - y/h"].startswith("ok")
    assert lines["wall shear, in the mean"].startswith("FAIL") and code == 1


def test_numbers_without_runs_are_64():
    assert numbers("stirred")[0] == 64 and numbers("flow", "run")[0] == 64


# ---- iterations for the pressure ----

def bench(n, ranks=1, device="cpu", precision="double", rate=400.0, **more):
    return Bench("b.json", {"solver": "staggered", "grid": list(n), "precision": precision, "scheme": "rk2", "device": device,
                            "ranks": ranks, "threads": 1, "step_s": {"median": 1.0, "q1": 1.0, "q3": 1.0}, "phases_s": {},
                            "linear_solver": {"mcups": rate, "bytes_per_cell": 64}, **more})


MANY = [bench((n, n, n), ranks, device, precision, base * n**1.5 / ranks**(12 / n) * (2 if precision == "single" else 1))
        for n in (128, 256) for ranks in (1, 2) for device, base in (("cpu", 3), ("gpu: some", 100))
        for precision in ("double", "single")]


def test_mcups_is_drawn_by_size_strong_weak_and_over_a_core():
    weak = [bench((128, 128, 256), 2, "gpu: some", rate=12000.0)]
    figure = verbs.find("mcups").draw(MANY + weak, Options())
    assert looks.faults(figure) == []
    assert [axis.get_title(loc="left") for axis in figure.axes] == ["by size", "strong scaling: one grid", "weak scaling: equal cells per processor",
                                                                   "strong scaling: one grid", "GPU over core"]
    strong = mcups.strong(MANY)
    assert {name[0] for name in strong} == {"128\u00b3", "256\u00b3"} and len(strong) == 8
    assert [name[0] for name in mcups.weak(MANY + weak)] == ["128\u00b3 per processor"]
    for precision, points in mcups.ratios(MANY).items():
        assert [ratio for _, ratio in points] == pytest.approx([100 / 3, 100 / 3]), precision


def test_mcups_takes_the_fastest_of_equal_files_and_leaves_direct_solves_out():
    slow, fast, direct = bench((64, 64, 64), rate=1.0), bench((64, 64, 64), rate=9.0), bench((32, 32, 32), linear_solver={})
    found = mcups.by_size([slow, fast, bench((32, 32, 32), rate=2.0)])
    assert [mcups.rate(b) for b in next(iter(found.values()))] == [2.0, 9.0]
    with pytest.raises(Absent):
        verbs.find("mcups").draw([slow, fast, direct], Options())


# ---- overlap ----

def told(n, ranks, on, solve_s, device="gpu: some", **more):
    """A step of three solves and 30 iterations; a microsecond of packing an iteration, two of messages, and so on."""
    names = ("copies", "messages", "boundary_planes", "interior", "sums")
    return bench((n, n, n), ranks, device, linear_solver={
        "mcups": 1.0, "bytes_per_cell": 80, "solves_per_step": 3, "iterations_per_step": 30, "solve_s": solve_s, "overlap": on,
        "parts_s": {name: 30e-6 * (i + 1) for i, name in enumerate(names)}}, **more)


def test_overlap_tables_the_parts_of_an_iteration_and_what_is_saved():
    """An iteration takes 3 solve_s/30; parts are 1, 2, 3, 4, 5 us in the order of names above."""
    benches = [told(64, 2, True, 120e-6), told(64, 2, True, 400e-6), told(64, 2, False, 150e-6), told(128, 2, False, 1e-3),
               told(64, 1, False, 1e-4), told(64, 2, True, 5e-3, "cpu"), bench((64, 64, 64))]
    found = overlap.rows(benches)
    assert [overlap.label(b) for b, *_ in found] == ["64\u00b3, 2 cores", "64\u00b3, 2 GPUs", "64\u00b3, 1 GPU", "128\u00b3, 2 GPUs"]
    head, body = overlap.table_of(found)
    assert body[1] == ["64\u00b3, 2 GPUs", "1.0", "4.0", "2.0", "3.0", "5.0", "15.0", "12.0", "15.0", "20 %"]
    assert body[3][-3:] == ["", "100", ""] and len(head) == len(body[0])
    figure = verbs.find("overlap").draw(benches, Options())
    assert looks.faults(figure) == [] and "20 %" in figure.caption
    with pytest.raises(Absent):
        verbs.find("overlap").draw([bench((64, 64, 64))], Options())


# ---- the report's check ----

def test_divergence_of_a_staggered_run_is_measured_by_its_tolerance(tmp_path):
    assert checks.solenoidal(Run(str(write_run(tmp_path / "good", divergence=5e-8)))).verdict == checks.PASS
    assert checks.solenoidal(Run(str(write_run(tmp_path / "bad", divergence=5e-7)))).verdict == checks.FAIL
