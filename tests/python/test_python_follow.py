"""`import triad` with a grid that follows the flow: the same steps, arrays of the grid before, what is set, memory that is not there."""

import pytest

import following
import outputs
from scripts import python, rows  # noqa: F401


@pytest.mark.parametrize("ranks", [1, 2])
def test_a_grid_that_follows_the_flow_does_so_as_in_triad_run(python, triad, mpirun, ranks):
    (python.folder / "follow.toml").write_text(following.CASE)
    python("""
        with triad.Flow("follow.toml", dir="driven", time=dict(max_steps=30)) as flow:
            flow.step(13)  # and again from where it is closed: the grid is that of the checkpoint
            n = flow.modes.n
        with triad.Flow("follow.toml", dir="driven", time=dict(max_steps=30)) as flow:
            assert flow.modes.n == n != (40, 40, 40) and flow.case["grid.n"] == list(n)
            flow.advance()
            assert flow.steps == 30 and flow.finished
        """, ranks)
    mpirun(1, triad, "run", "-q", "follow.toml", "--dir", "program", "--set", "time.max_steps=30", cwd=python.folder, expect=0)
    program, driven = python.folder / "program", python.folder / "driven"
    assert len(following.changes(program)) > 2 and following.changes(program) == following.changes(driven)
    assert outputs.same_bits(program, driven) and rows(program) == rows(driven)


@pytest.mark.parametrize("ranks", [1, 2])
def test_arrays_of_the_grid_before_stay_what_they_are(python, ranks):
    (python.folder / "follow.toml").write_text(following.CASE)
    done = python("""
        import warnings
        warnings.simplefilter("always")
        flow = triad.Flow("follow.toml", dir="run", time=dict(max_steps=30))
        sizes, rows = [], []
        @flow.diagnostic()
        def held(flow):
            m = flow.modes
            assert m["u"].shape == m.kept.shape == (*m.kx.shape[:2], m.kz.size)
            rows.append(m.n)
            return sum(flow.sum(m.weight * abs(m[c])**2) for c in "uvw") / 2
        @flow.every(steps=1)
        def look(flow):
            sizes.append(flow.modes.n)
            assert flow.points("u").whole == flow.modes.n[::-1] == tuple(len(x) for x in flow.grid)[::-1]
        flow.step()  # where it begins the grid is looked at too
        m, said = flow.modes, []
        u = m["u"]
        if flow.rank < flow.size - 1:
            u = None  # one rank looks, all keep
        while flow.modes.n == m.n:
            before = None if u is None else u.copy()
            with warnings.catch_warnings(record=True) as said:
                flow.step()
        assert flow.rank > 0 or any("arrays of the previous grid" in str(w.message) for w in said), said
        # it shows the flow at the step that was the last of its grid: closer to the step before than that is to 0
        big = [np.random.default_rng(0).normal(size=1000000) for i in range(8)]  # memory that was free is written over
        assert u is None or u.shape == m.kept.shape and 0 < np.abs(u - before).max() < 0.1 * np.abs(before).max()
        for stale in (lambda: m["u"], lambda: m.__setitem__("u", 0)):
            try:
                stale()
                assert False, "fields of another grid"
            except triad.UsageError as error:
                assert "use flow.state or flow.modes again" in str(error)
        shown = flow.modes.n
        flow.step(4)
        flow.modes["u"] = flow.modes["u"] * 1.0
        flow.advance()
        assert len(sizes) == 30 and len(set(sizes)) > 2 and sizes[0] != rows[0] == (40, 40, 40), sizes
        flow.close()
        assert u is None or np.isfinite(u).all()
        """, ranks)
    table = rows(python.folder / "run")
    assert len(table) == 31 and all(abs(float(r["held"]) / float(r["energy"]) - 1) < 1e-13 for r in table)
    assert (done.stdout + done.stderr).count("arrays of the previous grid") == 0


def test_what_is_set_at_the_step_of_a_checkpoint_is_in_it(python):
    python("""
        import glob
        with triad.Flow("case.toml", dir="run") as flow:
            flow.step()
            flow.save()
            flow.modes["u"] = 2 * flow.modes["u"]
            flow.modes["v"] = 2 * flow.modes["v"]
            flow.modes["w"] = 2 * flow.modes["w"]
            flow.keep["mark"] = 3
            energy = flow.numbers()["energy"]
            flow.save()
        with triad.Flow("case.toml", dir="run") as flow:
            assert flow.steps == 1 and flow.numbers()["energy"] == energy and flow.keep == {"mark": 3}
        """)
    # likewise where the step after it begins with a look at the grid, which goes through a checkpoint
    (python.folder / "follow.toml").write_text(following.CASE)
    python("""
        options = dict(dir="follow", target=dict(n_most=40, n_least=40))
        with triad.Flow("follow.toml", **options) as flow:
            flow.step(5)
        options["target"]["n_least"] = 24
        with triad.Flow("follow.toml", **options) as flow:
            for c in "uvw":
                flow.modes[c] = 2 * flow.modes[c]
            energy = flow.numbers()["energy"]
            flow.step()
            assert flow.modes.n[0] < 40 and abs(flow.numbers()["energy"] / energy - 1) < 0.01
        """)


@pytest.mark.parametrize("ranks", [1, 2])
def test_a_grid_beyond_the_memory_leaves_the_checkpoint_and_no_flow(python, ranks):
    (python.folder / "follow.toml").write_text(following.CASE)
    python("""
        flow = triad.Flow("follow.toml", dir="run", initial=dict(kind="random", wavenumber=9), grid=dict(n=[24, 24, 24]),
                          target=dict(n_least=4096))
        u = flow.modes["u"]
        try:
            flow.step()
            assert False
        except triad.OutOfMemory as error:
            assert "Possible here" in str(error), error
        assert flow.steps == 0 and flow.t == 0 and not flow.finished and u.any()
        for ask in (lambda: flow.modes, lambda: flow.points("u"), lambda: flow.numbers(), lambda: flow.state["u"]):
            try:
                ask()
                assert False
            except triad.Error as error:
                assert error.code in (64, 69), (error.code, error)
        try:
            flow.step()
            assert False
        except triad.OutOfMemory as error:
            assert "failed" in str(error)
        flow.close()
        """, ranks)
    assert [path.name for path in (python.folder / "run/checkpoints").glob("step*")] == ["step-00000000"]
