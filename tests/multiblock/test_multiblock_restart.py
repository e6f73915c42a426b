"""The multi-block solver goes on: bit for bit, frozen or settled, from a coarser grid; where a steady run ends."""

import numpy as np

import outputs
from multiblock import FLOWS, UNIFORM, blocks_of, differs, orders, run, state, write_plot3d  # noqa: F401


def test_a_run_resumes_bit_for_bit_and_on_other_ranks(run):
    about = dict(FLOWS["laminar"], patches='"*: exact"', time="steady = true\nmax_steps = 20\ncfl = 0.5\nresidual = 0")
    whole = run(**about)
    half = run(**dict(about, time=about["time"].replace("20", "10")))
    again = run(**about, folder=half)
    assert (state(whole) == state(again)).all()
    series, resumed = outputs.series(whole), outputs.series(again)
    assert series["residual_mass"][-1] == resumed["residual_mass"][-1]
    half = run(**dict(about, time=about["time"].replace("20", "10")))
    assert differs(state(whole), state(run(**about, folder=half, ranks=3))) < 1e-12


def test_a_run_does_not_go_on_among_other_nodes(run, tmp_path):
    """A file of as many cells, its nodes moved: refused; the same nodes in another form of file are the same grid."""
    path = tmp_path / "two.x"
    write_plot3d(path, blocks_of(), "<f8")
    about = dict(grid=f'file = "{path}"', patches='"*: exact"', solution=UNIFORM.format(mach=2))
    steps = "steady = true\nmax_steps = {}\ncfl = 0.5\nresidual = 0"
    folder = run(**about, time=steps.format(5))
    write_plot3d(path, blocks_of(), ">f8", dims=3)
    run(**about, time=steps.format(10), folder=folder)
    write_plot3d(path, [1.5 * b for b in blocks_of()], "<f8")
    result = run(**about, time=steps.format(15), folder=folder, expect=65)
    assert f"{path} has other nodes" in result.stderr and 'initial.kind = "coarser"' in result.stderr


def test_frozen_limiters_let_the_residual_fall_on(run):
    """The shock's limiters go to and fro at some percent of the first residual; frozen they let it fall by orders. A run that is cut in
    two, before or after they are frozen, has the same bits, and on other ranks differs by rounding."""
    about = dict(grid='kind = "wedge"\nn = [26, 12, 1]\nlength = [1, 1.1, 1]\nupstream = 0.3\nangle = 10',
                 patches='"inflow + top: supersonic-inflow, mach=2, pressure=1e5, temperature=300", "wall + plate: slip", '
                         '"outflow: supersonic-outflow"', initial="stream", equations='limiter = "van-albada"')
    time = "steady = true\nmax_steps = {n}\ncfl = 0.8\nresidual = 0\nlimiter_freeze = {at}"
    free = outputs.series(run(**about, time=time.format(n=700, at=0)))
    whole = run(**about, time=time.format(n=700, at=0.05))
    series = outputs.series(whole)
    assert series["frozen"][-1] == 1 and series["residual_mass"][-1] < 1e-8 and not free["frozen"].any()
    frozen = int(series["step"][np.argmax(series["frozen"] > 0)])
    for at, ranks in ((frozen - 30, 1), (frozen + 30, 1), (frozen + 30, 3)):
        half = run(**about, time=time.format(n=at, at=0.05))
        again = run(**about, time=time.format(n=700, at=0.05), folder=half, ranks=ranks)
        assert differs(state(whole), state(again)) <= (0 if ranks == 1 else 1e-12)


def test_a_settled_run_stays_settled(run, mpirun, triad):
    """The same command again takes no step, nor do more steps in the case; a smaller residual does. t counts steps."""
    about = dict(grid="n = [8, 8, 1]", patches='"*: exact"', solution='kind = "manufactured-euler"')
    folder = run(**about)
    series = outputs.series(folder)
    steps = series["step"][-1]
    assert "finished: the flow is steady" in mpirun(1, triad, "info", folder).stdout
    assert series["t"][-1] == steps < 20000 and "the flow is steady" in (folder / "log.txt").read_text()
    run(**about, folder=folder)
    assert outputs.series(folder)["step"][-1] == steps
    run(**about, folder=folder, time__max_steps=30000)
    assert outputs.series(folder)["step"][-1] == steps
    run(**about, folder=folder, time__residual=1e-11)
    series = outputs.series(folder)
    assert series["step"][-1] > steps and (np.diff(series["t"]) > 0).all() and series["residual_mass"][-1] < 1e-11


def test_a_start_from_a_coarser_grid_is_linear_between_its_cells(run):
    """Of the same blocks, turned: fields that were linear in x, y and z stay so but in the outermost half cell; on any ranks alike."""
    about = dict(patches='"*: exact"', solution='kind = "manufactured-3d"', equations='limiter = "none"',
                 time="steady = true\nmax_steps = 1\nresidual = 0\ncfl = 1e-9")
    errors, grid = [], "n = [{0}, {0}, {0}]\nblocks = [2, 1, 2]\nturned = true"
    for n in (8, 16):
        coarse = run(grid=grid.format(n), output="fields_interval = 1", **about)
        start = dict(about, grid=grid.format(2 * n), initial="coarser", initial__file=str(coarse / "fields/blocks-00000000.h5"))
        fine = run(**start)
        exact = run(grid=grid.format(2 * n), **about)
        errors.append(np.sqrt(np.mean((state(fine)[0] - state(exact)[0])**2)))
    assert differs(state(fine), state(run(**start, ranks=3))) < 1e-12
    assert orders(errors)[0] > 1.4 and errors[-1] < 3e-3  # 1.5: the outermost cells are of order 1, and fewer by a half
    result = run(**dict(start, initial__file=str(coarse / "fields/grid.h5")), expect=65)
    assert "rho.1" in result.stderr


def test_a_steady_run_ends_at_its_residual(run):
    series = outputs.series(run(grid="n = [8, 8, 1]", patches='"*: exact"', solution='kind = "manufactured-euler"'))
    last = max(series[f"residual_{e}"][-1] for e in ("mass", "x", "y", "energy"))
    before = max(series[f"residual_{e}"][-2] for e in ("mass", "x", "y", "energy"))
    assert last <= 1e-9 < before and series["step"][-1] < 20000
    assert abs(series["mass_error"][-1]) < 0.05  # of a source: boundaries do not balance
