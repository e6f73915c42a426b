"""Flows about bodies on blocks: their grids, lift and drag, implicit steps to a steady state, ready cases, figures."""

import sys

import h5py
import numpy as np
import pytest

import looks
import outputs
from conftest import ROOT
from multiblock import FLOWS, LAMINAR, STREAM, UNIFORM, differs, run, state  # noqa: F401
from outputs import sets
from verification import record

C_GRID = 'kind = "aerofoil-c"\nn = [{n}, {m}, 1]\nfar = 20\nstretch = 3\nsection = "{section}"'
WING = 'kind = "wing"\nn = [32, 8, 8]\nfar = 10\nstretch = 3\nblocks = [4, 1, 1]'


def test_figures_of_bodies_are_drawn(run, tmp_path):
    """residual, surface and contour of a small aerofoil: nothing empty, clipped or over something else."""
    import matplotlib
    matplotlib.use("Agg")
    sys.path[:0] = [str(ROOT / "tools")]
    from triad_plot import verbs
    from triad_plot.options import Options
    from triad_plot.read.run import Run
    folder = run(grid=C_GRID.format(n=64, m=16, section="0012"), initial="stream", output="fields_interval = 20",
                 patches=f'"aerofoil: slip", "far + outflow: farfield, {STREAM.format(mach=0.5)}"',
                 time="steady = true\nmax_steps = 20\ncfl = 0.5\nresidual = 0")
    for verb in ("residual", "surface", "contour"):
        assert looks.faults(verbs.find(verb).draw([Run(str(folder))], Options())) == []
    drawn = verbs.find("contour").draw([Run(str(folder))], Options(field="p"))
    assert drawn.axes[0].child_axes[0].get_ylabel() == "pressure  [M/(L T$^{2}$)]"
    options = Options()
    options.streamlines, options.plane = True, "z"
    drawn = verbs.find("contour").draw([Run(str(folder))], options)
    assert looks.faults(drawn) == []
    lines = np.concatenate([c.get_segments() for c in drawn.axes[0].collections if hasattr(c, "get_segments")])
    x, y = lines[..., 0], lines[..., 1]
    half = 0.6 * (0.2969 * np.sqrt(abs(x)) - 0.1260 * x - 0.3516 * x**2 + 0.2843 * x**3 - 0.1036 * x**4)
    assert len(lines) > 100 and not ((x > 0.1) & (x < 0.9) & (abs(y) < half - 0.02)).any()  # none in the body; 0.02: a point of the picture
    wall = (np.array([0., 1, 2]), np.array([0.1, 0.3, 0.3]), np.zeros(3), np.array([5., 6, 7]))
    from triad_plot.figures.space.blocks import strip_of
    assert list(strip_of(wall, ("y", 0.25))[3]) == [6, 7] and list(strip_of(wall, ("y", 0.1))[0]) == [0]
    table = tmp_path / "others.csv"
    for head, ends in (("x", None), ("x/c", (0, 1))):
        table.write_text(f"# a tunnel\n{head},cp\n0.25,-0.4\n0.5,-0.3\n")
        beside = verbs.find("surface").draw([Run(str(folder))], Options(beside=str(table)))
        assert looks.faults(beside) == []
        walls, others = beside.axes[0].lines
        assert others.get_label() == "a tunnel" and list(others.get_xdata()) == [0.25, 0.5] and list(others.get_ydata()) == [-0.4, -0.3]
        x = walls.get_xdata()
        assert (x.min(), x.max()) == ends if ends else x.max() < 1
    for text, code in (("y,cp\n1,2\n", 65), ("x,cp\n1\n", 65), ("x,cp\n", 65), ("x,cp\n1,b\n", 65), (None, 66)):
        table.unlink() if text is None else table.write_text(text)
        done = looks.plot_here("surface", folder, "--beside", table)
        assert done.returncode == code and "others.csv" in done.stderr, (text, done.stderr)
    table.write_text("x,cp\n0.25,-0.4\n")
    assert looks.plot_here("contour", folder, "--beside", table).returncode == 64, "a picture has no curves"


@pytest.mark.parametrize("grid", [C_GRID.format(n=64, m=16, section="0012"), C_GRID.format(n=64, m=16, section="4412"), WING])
def test_a_stream_stays_about_a_body(run, grid):
    """Blocks joined to themselves along the wake and beyond the tip; a body that lets all through."""
    folder = run(grid=grid, patches=f'"*: farfield, {STREAM.format(mach=0.5)}"', solution=UNIFORM.format(mach=0.5),
                 time="steady = true\nmax_steps = 20\ncfl = 0.5\nresidual = 0", reference__up="y")
    series = outputs.series(folder)
    for field, size in (("rho", 1), ("u", 300), ("p", 1e5)):
        assert series[f"error_largest_{field}"][-1] < 20e-13 * size


def test_a_c_grid_has_its_section_for_a_wall(run, tmp_path, triad, mpirun):
    """Nodes of the wall on NACA's formula with a closed trailing edge; cut into 16 the flow is the same."""
    about = dict(grid=C_GRID.format(n=64, m=16, section="0012"), initial="stream", output="fields_interval = 20",
                 patches=f'"aerofoil: slip", "far + outflow: farfield, {STREAM.format(mach=0.5)}"',
                 time="steady = true\nmax_steps = 20\ncfl = 0.5\nresidual = 0")
    folder = run(**about)
    with h5py.File(folder / "fields/grid.h5") as f:
        x, y = f["x.1"][0, 0, 8:57], f["y.1"][0, 0, 8:57]
    exact = 0.6 * (0.2969 * np.sqrt(abs(x)) - 0.1260 * x - 0.3516 * x**2 + 0.2843 * x**3 - 0.1036 * x**4)
    assert np.abs(np.abs(y) - exact).max() < 1e-14 and x.min() < 1e-12 and abs(x[[0, -1]] - 1).max() < 1e-12
    assert differs(state(folder), state(run(**about, ranks=3, parallel__pieces=16))) < 1e-12


def test_the_wing_has_its_size(run):
    """ONERA M6: half area 0.753057, span 1.1963; the section is 9.786 % thick, in metres of the root's chord 0.8059."""
    folder = run(grid=WING.replace("32, 8, 8", "96, 8, 16"), initial="stream", output="fields_interval = 1",
                 patches=f'"wing: slip", "*: farfield, {STREAM.format(mach=0.5)}"',
                 time="steady = true\nmax_steps = 1\ncfl = 0.5\nresidual = 0")
    with h5py.File(sorted((folder / "surfaces").glob("*.h5"))[-1]) as f:
        area, y, z = f["area_z.wing"][:], f["y.wing"][:], f["z.wing"][:]
    inner = y < 1.1963
    assert np.abs(area[inner]).sum() / 2 == pytest.approx(0.753057, rel=1e-3)
    with h5py.File(folder / "fields/grid.h5") as f:
        root = np.concatenate([f[f"z.{b}"][0, 0] for b in (2, 3)])
        along = np.concatenate([f[f"x.{b}"][0, 0] for b in (2, 3)])
    assert np.ptp(root) == pytest.approx(2 * 0.04893 * 0.8059, rel=2e-3)
    assert np.ptp(along) == pytest.approx(0.8059, rel=1e-12)
    assert 0.37 < along[np.argmax(root)] / 0.8059 < 0.39


AEROFOIL = dict(grid='kind = "aerofoil"\nn = [64, 48, 1]\nfar = 100', initial="stream",
                patches='"aerofoil: slip", "far: farfield, mach=0.25, pressure=84307, temperature=300, alpha=5"',
                equations='limiter = "none"')


def test_aerofoil_has_its_lift_and_next_to_no_drag(run):
    """NACA 0012, M 0.25, alpha 5: Prandtl and Glauert's rule makes 0.6228 of the incompressible 0.6030; a grid of 64 cells round
    may miss it by 3 % (another code on such a grid: 0.5965, drag 0.0096). The drag of an inviscid flow is the grid's alone."""
    series = outputs.series(run(**AEROFOIL, time='steady = true\nscheme = "implicit"\nmax_steps = 1500\ncfl = 10\nresidual = 1e-6',
                                threads=2))
    assert series["step"][-1] < 1500
    assert series["cl"][-1] == pytest.approx(0.6228, rel=0.03)
    assert 0 < series["cd"][-1] < 0.012
    record("multiblock-aerofoil", abs(series["cl"][-1] / 0.6228 - 1), series["cl"][-1])
    assert abs(series["mass_error"][-1]) < 1e-6


def test_implicit_steps_lead_to_the_same_flow(run):
    """A steady state is one whose residual is 0, whatever the steps; on any ranks alike."""
    about = dict(FLOWS["laminar"], patches='"*: exact"', equations=LAMINAR)
    steady = "steady = true\nmax_steps = 3000\n"
    explicit = state(run(**about, time=steady + "residual = 0\ncfl = 0.8"))
    implicit = run(**about, time=steady + 'residual = 1e-9\nscheme = "implicit"\ncfl = 5')
    assert differs(explicit[[0, 1, 2, 4]], state(implicit)[[0, 1, 2, 4]]) < 1e-7
    assert outputs.series(implicit)["step"][-1] < 600
    few = dict(about, time='steady = true\nscheme = "implicit"\nmax_steps = 20\nresidual = 0\ncfl = 5')
    one = state(run(**few))
    assert differs(one, state(run(**few, ranks=3, parallel__pieces=2))) < 1e-12


@pytest.mark.parametrize("name, n, steps", [("naca0012-euler", [32, 24, 1], 60), ("naca0012-laminar", [32, 16, 1], 60),
                                            ("onera-m6", [32, 8, 8], 40), ("flat-plate", [16, 12, 1], 300), ("inlet", [52, 16, 1], 60),
                                            ("oblique-shock", [52, 16, 1], 60), ("supersonic-vortex", [16, 8, 1], 60)])
def test_ready_cases_begin_to_settle_on_few_cells(mpirun, triad, tmp_path, name, n, steps):
    """Signs are what they must be: lift up, drag back."""
    mpirun(1, triad, "run", "-q", ROOT / f"runs/{name}/case.toml", "--dir", tmp_path / "run",
           *sets(grid__n=n, time__max_steps=steps, time__residual=0, output__report=False), timeout=100)
    series = outputs.series(tmp_path / "run")
    assert series["residual_mass"][-1] < 0.9
    if name.startswith(("naca", "onera")):
        assert series["cl"][-1] > 0 and series["cd"][-1] > 0
    if name == "flat-plate":
        assert series["cd_friction"][-1] > 0.0043


def test_coefficients_refer_to_the_density_and_velocity_of_the_case(run):
    """Forces over rho U^2/2 A of [reference], drag along its velocity; without these keys those of the stream."""
    about = dict(grid=C_GRID.format(n=64, m=16, section="0012"), initial="stream",
                 patches=f'"aerofoil: slip", "far + outflow: farfield, {STREAM.format(mach=0.5)}"',
                 time="steady = true\nmax_steps = 20\ncfl = 0.5\nresidual = 0")
    s = outputs.series(run(**about, reference__density=2.5, reference__velocity=[0, 30, 0], reference__area=0.7))
    head = 2.5 * 30**2 / 2 * 0.7
    np.testing.assert_allclose(s["cd"], s["force_y"] / head, rtol=1e-13)
    np.testing.assert_allclose(s["cl"], -s["force_x"] / head, rtol=1e-13)
    plain = outputs.series(run(**about))
    assert abs(s["force_y"] - plain["force_y"]).max() == 0 and "strouhal" not in plain, "a steady flow has no frequency"


def test_an_unsteady_flow_past_a_wall_has_a_strouhal_number(run):
    s = outputs.series(run(grid=C_GRID.format(n=64, m=16, section="0012"), initial="stream",
                           patches=f'"aerofoil: slip", "far + outflow: farfield, {STREAM.format(mach=0.5)}"', time="end = 1e-5\ncfl = 0.5"))
    assert list(s)[-1] == "strouhal" and np.isnan(s["strouhal"]).all()      # no whole cycle yet
