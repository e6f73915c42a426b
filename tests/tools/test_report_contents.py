"""What the report of each solver says: the grid that was used, boundaries and bodies, forces first, and no figure without a meaning."""

import html
import re

import numpy as np
import pytest

import browser
import looks  # noqa: F401  (finds triad_plot)
import msh
import outputs
from outputs import sets
from test_report import report_on, table_of, verdict_of

pytest.importorskip("matplotlib", reason="python3-matplotlib is not installed")

CUBE = """[equations]
solver = "staggered"
viscosity = 0.05
[grid]
n = [16, 12, 12]
length = [8, 6, 6]
[boundaries]
x = ["inflow", "outflow"]
y = ["slip", "slip"]
z = ["slip", "slip"]
[solids]
kind = "boxes"
boxes = [4, 5, 5, 2, 2, 2]
[initial]
kind = "uniform"
[time]
end = 1
dt = 0.05
[output]
series_interval = 0.1
slices = ["z=0: u"]
probes = ["[6, 3, 3]"]
probes_interval = 0.1
report = false
"""

WEDGE = """[equations]
solver = "fct"
[grid]
file = "{file}"
[boundaries]
patches = ["xmin: inflow, pressure=1, density=1.4, u=2", "xmax: outflow", "ymin: slip", "ymax: slip", "zmin: slip", "zmax: slip"]
[initial]
kind = "uniform"
density = 1.4
velocity = [2, 0, 0]
pressure = 1
[time]
end = 0.01
[output]
fields_interval = 0.01
report = false
"""

SECTION = """[equations]
solver = "multiblock"
[grid]
{grid}
[boundaries]
patches = ["{body}: slip", "{far}: farfield, mach=0.25, pressure=84307, temperature=300, alpha=5"]
[initial]
kind = "stream"
[time]
steady = true
residual = 0
max_steps = 20
[output]
series_interval = 5
fields_interval = 20
report = false
"""

ROUND = 'kind = "aerofoil"\nn = [32, 16, 1]\nfar = 10'


def what(page):
    return [tuple(row) for row in table_of(html.unescape(page), "Case")]


def numbers(page):
    return {row[0]: row[1:] for row in table_of(html.unescape(page), "Numbers")}


def captions(page):
    return [html.unescape(c) for c in re.findall("<figcaption>(.*?)</figcaption>", page)]


@pytest.fixture
def cube(run_case):
    return run_case(CUBE)


def test_a_mesh_of_a_file_is_told_by_its_file_its_cells_and_its_extent(run_case, tmp_path):
    """A box of 6 x 2 x 2 cubes cut into six tetrahedra each, 1 x 0.3 x 0.3; the case's default of 16 cubes and 2 pi is not its grid."""
    msh.write_msh(tmp_path / "box.msh", "4.1", False)
    folder = run_case(WEDGE.format(file=tmp_path / "box.msh"))
    page = report_on(folder)
    rows = dict(what(page))
    assert rows["grid"] == "mesh box.msh, 144 cells" and rows["extent"] == "1 \u00d7 0.3 \u00d7 0.3"
    assert "box" not in rows and "prandtl" not in rows and "2\u03c0" not in str(rows) and "16\u00b3" not in page.split("<h2>")[0]
    assert ("patch", "xmin: inflow, pressure=1, density=1.4, u=2") in what(page)
    assert rows["Mach number"].startswith("2,")   # c = (1.4 p/rho)^(1/2) = 1
    names = re.findall(r'href="(fields/[^"]*\.vtkhdf)"', page)
    assert names and all((folder / name).exists() for name in names)


def test_blocks_of_a_file_are_told_by_cells_blocks_and_the_extent_of_their_nodes(run_case, mpirun, triad, tmp_path):
    (tmp_path / "made.toml").write_text(SECTION.format(grid=ROUND, body="aerofoil", far="far"))
    mpirun(1, triad, "grid", tmp_path / "made.toml", "--write", tmp_path / "a.x")
    words = (tmp_path / "a.x").read_bytes()
    grid = f'kind = "file"\nfile = "{tmp_path / "a.x"}"'
    names = "1.jmin", "1.jmax"
    done = run_case(SECTION.format(grid=grid, body=names[0], far=names[1]), expect=None)
    folder = next(p for p in tmp_path.iterdir() if p.name.startswith("run-") and p.is_dir())
    assert words and getattr(done, "code", 0) == 0, done
    page = report_on(folder)
    rows = dict(what(page))
    assert rows["grid"] == "file a.x, 512 cells in 1 block"
    nodes = [outputs_nodes(folder, a) for a in "xyz"]
    for said, x in zip(rows["extent"].split(" \u00d7 "), nodes):
        assert float(said) == pytest.approx(np.ptp(x), rel=1e-7)
    assert rows["Mach number"] == "0.25, angle 5\u00b0"
    assert not {"viscosity", "sutherland", "prandtl", "viscosity law"} & set(rows), "an Euler flow has none of them"


def outputs_nodes(folder, axis):
    import h5py
    with h5py.File(folder / "fields/grid.h5") as f:
        return np.concatenate([f[name][:].ravel() for name in f if name.startswith(f"{axis}.")])


def test_boundaries_bodies_and_probes_are_in_what_was_run(cube):
    rows = dict(what(report_on(cube)))
    assert rows["boundaries"] == "x: inflow, outflow; y: slip; z: slip" and rows["inflow"].startswith("1, 0, 0")
    assert rows["solids"].startswith("boxes: boxes 4, 5, 5, 2, 2, 2") and "0.347 % of the box" in rows["solids"]   # 8 of 2304 cells
    assert rows["probes"] == "[6, 3, 3]; every 0.1"
    assert rows["Reynolds number"].startswith("20,")   # 1 x 1/0.05


def test_coefficients_come_first_and_are_forces_over_the_dynamic_pressure(cube):
    """c_d = F/(U^2 A/2) of a face of 1 x 1 in a stream of 1: twice the column of the force over the density."""
    page = report_on(cube)
    found = numbers(page)
    first = list(found)[1]
    assert first == "drag coefficient, c_d" and dict(what(page))["coefficients"].startswith("area 1 of the solids along the stream, velocity 1")
    assert float(found[first][0]) == pytest.approx(2 * outputs.series(cube)["drag_x"][-1], rel=1e-3)
    assert not any("large eddy" in name for name in found)


def test_a_laminar_flow_past_a_body_has_neither_decay_nor_budget(cube):
    page = report_on(cube)
    shown = captions(page)
    assert shown[0].startswith("Drag coefficient") and "budget" not in page.split("<h2>Figures")[1].split("<h2>Files")[0].lower()
    assert not any("grid" in c and "decay" in c for c in shown)
    assert all(words not in page for words in ("Energy budget", "grid turbulence"))


def test_turbulence_that_was_stirred_and_decays_is_drawn_beside_grid_turbulence(run_case):
    from test_work_done import CUBES
    page = report_on(run_case(CUBES.format(rows=0.1, end=3, release=1.7, more="")))
    assert any("compared with grid turbulence" in c for c in captions(page))


def test_the_decay_begins_when_the_solids_have_gone(run_case):
    """Most is dissipated while the flow is brought back to rest, which is no decay."""
    from test_work_done import CUBES
    from triad_plot.figures.time import decay
    from triad_plot.options import Options
    from triad_plot.read.run import Run
    run = Run(str(run_case(CUBES.format(rows=0.1, end=3, release=1.7, more=""))))
    assert run.series.t[np.argmax(run.series["dissipation"])] < 1.7 <= decay.of_run(run, Options())[0][0]


def test_forces_and_coefficients_of_a_steady_flow_are_numbers_and_a_figure(run_case):
    folder = run_case(SECTION.format(grid=ROUND, body="aerofoil", far="far"))
    page = report_on(folder)
    found, s = numbers(page), outputs.series(folder)
    assert list(found)[1] == "lift coefficient, c_l" and float(found["lift coefficient, c_l"][0]) == pytest.approx(s["cl"][-1], rel=1e-3)
    assert len(found["lift coefficient, c_l"]) == 2, "a steady flow has no mean over its later half"
    shown = captions(page)
    assert shown[0].startswith("Lift coefficient, drag coefficient") and any("Pressure coefficient of aerofoil" in c for c in shown)
    assert any(c.startswith("Mach number in the first layer of cells") for c in shown)
    assert re.findall(r'href="surfaces/surface-[^"]*\.h5"', page)


def test_particles_are_in_what_was_run_and_among_the_files(run_case):
    import particles
    page = report_on(run_case(particles.head(0.05, (8, 8, 8), end=0.2, every=0.1) + particles.ABC +
                              particles.group("swarm", count=120)))
    assert ("particles", "swarm: 120 tracer") in what(page) and 'href="particles/swarm.h5"' in page


def test_a_spread_is_no_standard_error(cube):
    """+- is for means and their standard errors."""
    page = html.unescape(report_on(cube))
    table = page.split("<h2>Numbers")[1].split("</table>")[0]
    assert "rms about it" in table and "\u00b1" not in table


# ---- sessions and changes of the case ----

@pytest.fixture
def changed(command):
    """run(case, settings): goes on in one directory."""
    def go(viscosity, end, *more, expect=0):
        command.work.mkdir(exist_ok=True)
        (command.work / "case.toml").write_text(f"""[equations]
solver = "hd"
viscosity = {viscosity}
[grid]
n = [16, 16, 16]
[initial]
kind = "taylor-green"
[time]
end = 1.0
dt = 0.02
[output]
series_interval = 0.04
spectra_interval = 0
slices = []
report = false
""")
        command("run", "-q", "case.toml", "--dir", "d", *sets(time__end=end), *more, expect=expect)
        return command.work / "d"
    return go


def test_a_refused_start_is_no_error_of_the_run(changed):
    changed(0.05, 0.2)
    changed(0.1, 0.4, expect=65)
    folder = changed(0.05, 0.4)
    assert "contains a run of another case" in (folder / "log.txt").read_text()
    page = report_on(folder)
    assert verdict_of(page, "no errors")[0] == "passed" and "Errors and warnings in the log" not in page
    assert "(2 sessions)" in page


def test_errors_of_a_start_that_ran_are_counted(changed):
    folder = changed(0.05, 0.2)
    with open(folder / "log.txt", "a") as log:
        log.write("2030-01-01T00:00:00.000Z error    the disk is on fire\n")
    assert verdict_of(report_on(folder), "no errors")[0] == "failed"


def test_a_change_of_viscosity_in_mid_run_is_known_to_the_budget(changed):
    """Ten times the viscosity dissipates ten times as much from one step to the next: no integral may span that."""
    changed(0.01, 0.4)
    folder = changed(0.01, 0.8, *sets(equations__viscosity=0.1))
    s = outputs.series(folder)
    at = int(np.argmin(abs(s["t"] - 0.4)))
    assert s["dissipation"][at + 1] > 8 * s["dissipation"][at], "the case is not one that the test means"
    verdict, text = verdict_of(report_on(folder), "budget")
    assert verdict == "passed" and "equations.viscosity changes at t = 0.4" in text and float(text.split()[1]) < 1e-4, text


def test_a_leak_after_a_change_is_still_found(changed):
    changed(0.01, 0.4)
    folder = changed(0.01, 0.8, *sets(equations__viscosity=0.1))
    lines = (folder / "series.csv").read_text().splitlines()
    head = next(i for i, line in enumerate(lines) if line.startswith("step"))
    names = lines[head].split(",")
    for i in range(head + 1, len(lines)):
        row = lines[i].split(",")
        t, e = float(row[1]), names.index("energy")
        row[e] = repr(float(row[e]) * (1 + 0.1 * max(0, t - 0.5)))
        lines[i] = ",".join(row)
    (folder / "series.csv").write_text("\n".join(lines) + "\n")
    assert verdict_of(report_on(folder), "budget")[0] == "failed"


# ---- on a phone ----

# Numbers of the tables that are on more than one line.
BROKEN = r"""
(() => {
  const out = [], walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node; (node = walk.nextNode());) {
    if (!node.parentElement.closest('.tables, .numbers')) continue;
    for (const m of node.textContent.matchAll(/(?<![\w.-])[-\u2212]?\d[\d.]*(e[-+]?\d+)?/g)) {
      const range = document.createRange();
      range.setStart(node, m.index); range.setEnd(node, m.index + m[0].length);
      if (new Set([...range.getClientRects()].map(r => Math.round(r.top))).size > 1) out.push(m[0]);
    }
  }
  return out;
})()"""


@pytest.mark.limit(240)
def test_no_number_is_broken_on_a_phone(cube):
    if not browser.find():
        pytest.skip(f"no Chromium: {browser.PACKAGE}")
    report_on(cube)
    with browser.Browser() as b:
        for width in (320, 360, 400):
            assert b.open(cube / "report.html", width, 844, True).evaluate(BROKEN) == []


def test_a_layer_heated_from_below_has_its_rayleigh_and_nusselt_numbers(run_case):
    """Ra = g beta dT d^3/(nu kappa) = 4 x 0.5 x 2 x 1/(0.02 x 0.04) = 5000, Pr = 0.5."""
    folder = run_case('[equations]\nsolver = "staggered"\nviscosity = 0.02\ndiffusivity = 0.04\ntemperature = true\nthermal_expansion = 0.5\n'
                      'gravity = [0, 0, -4]\n[grid]\nn = [8, 1, 8]\nlength = [2, 1, 1]\n[boundaries]\nz = ["wall", "wall"]\n'
                      'thermal_z = ["isothermal", "isothermal"]\nwall_temperature = [0, 0, 0, 0, 3, 1]\n[initial]\nkind = "rest"\n'
                      'temperature = "3 - 2*z + 0.1*sin(pi*z)*cos(pi*x)"\n[time]\nend = 0.5\n[output]\nseries_interval = 0.05\nreport = false\n')
    page = report_on(folder)
    rows, found = dict(what(page)), numbers(page)
    assert rows["Rayleigh number"].startswith("5000,") and rows["Prandtl number"] == "0.5"
    names = list(found)
    assert any("lower" in name for name in names[:3]), names
    column = next(name for name in names if "volume" in name)
    assert float(found[column][0]) == pytest.approx(outputs.series(folder)["nusselt_volume"][-1], rel=1e-3)
