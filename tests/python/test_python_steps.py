"""`import triad` (docs/python.md): the same steps and files as `triad run`, call-backs at their times, columns of diagnostics."""

import re

import pytest

from scripts import python, rows  # noqa: F401


def test_steps_and_files_are_those_of_triad_run(python, triad, mpirun):
    mpirun(1, triad, "run", "case.toml", "--dir", "program", cwd=python.folder, expect=0)
    python("triad.Flow('case.toml', dir='driven').advance()")
    assert rows(python.folder / "program") == rows(python.folder / "driven")
    names = {str(p.relative_to(python.folder / "program")) for p in (python.folder / "program").rglob("*")}
    assert names == {str(p.relative_to(python.folder / "driven")) for p in (python.folder / "driven").rglob("*")}
    fields = [next((python.folder / run / "checkpoints").glob("*/manifest.txt")).read_text() for run in ("program", "driven")]
    sums = [re.findall(r"^sums .*$", text, re.M) for text in fields]
    assert sums[0] and sums[0] == sums[1]


def test_a_flow_that_is_closed_goes_on_as_if_it_had_not_been(python, triad, mpirun):
    python("""
        triad.Flow("case.toml", dir="whole").advance()
        with triad.Flow("case.toml", dir="parts") as flow:
            flow.step(2)
            steps = flow.steps
        with triad.Flow("case.toml", dir="parts") as flow:
            assert flow.steps == steps == 2 and not flow.finished, flow
            flow.step()
        """)
    mpirun(1, triad, "run", "case.toml", "--dir", "parts", cwd=python.folder, expect=0)
    assert rows(python.folder / "whole") == rows(python.folder / "parts")
    python("""
        flow = triad.Flow("case.toml", dir="parts")
        assert flow.finished and flow.t == 0.4 and flow.numbers()["energy"] > 0
        flow.advance()
        """)


def test_ranks_change_no_bit_of_the_series(python):
    for n in (1, 2, 3):
        python(f"triad.Flow('case.toml', dir='run-{n}').advance()", n)
    assert rows(python.folder / "run-1") == rows(python.folder / "run-2") == rows(python.folder / "run-3")


def test_all_ranks_use_the_folder_of_rank_0(python):
    """triad.demo() makes a folder with a random name on each rank."""
    (python.folder / "temporary").mkdir()
    done = python("""
        import tempfile
        tempfile.tempdir = os.path.abspath("temporary")
        triad.demo(points=16)
        """, 2)
    (folder,) = (python.folder / "temporary").iterdir()
    assert len(rows(folder)) == 151 and f"pictures are in {folder}" in done.stdout


def test_diagnostics_are_columns_and_what_is_kept_comes_back(python):
    script = """
        flow = triad.Flow("case.toml", dir="run")
        print(flow.keep)
        @flow.diagnostic(unit="U^2")
        def half(flow):
            "mean square velocity, halved"
            return sum(flow.sum(flow.modes.weight * abs(flow.modes[c])**2) for c in "uvw") / 2
        flow.keep["count"] = flow.keep.get("count", 0) + 1
        flow.advance(to=flow.t + 0.2)
        flow.close()
        """
    first, second = python(script, 2), python(script, 1)
    assert first.stdout.count("{}") == 2 and "{'count': 1}" in second.stdout
    table = rows(python.folder / "run")
    assert len(table) == 5 and all(abs(float(r["half"]) / float(r["energy"]) - 1) < 1e-13 for r in table)
    assert "# half [U^2]: mean square velocity, halved" in (python.folder / "run/series.csv").read_text()
    failed = python(script.replace("@flow.diagnostic", "#").replace("to=flow.t + 0.2", "to=0.5")
                    .replace('dir="run"', 'dir="run", time=dict(end=0.5)'), expect=65)
    assert "CaseError" in failed.stderr and "is not a series of" in failed.stderr


def test_a_diagnostic_need_return_nothing_but_on_rank_0(python):
    python("""
        flow = triad.Flow("case.toml", dir="run")
        @flow.diagnostic()
        def peak(flow):
            most = flow.max(abs(flow.points("u")))
            if flow.rank == 0:
                return most
        flow.advance()
        """, 2)
    assert all(float(row["peak"]) > 0.1 for row in rows(python.folder / "run"))


def test_numbers_of_steps_may_be_of_any_type(python):
    python("""
        flow = triad.Flow("case.toml", dir="run")
        called = []
        flow.every(steps=2.0)(lambda flow: called.append(flow.steps))
        flow.step(np.int64(1)).step(2.0).step(np.float32(1))
        assert flow.steps == 4 and called == [2, 4], (flow.steps, called)
        """)


def test_call_backs_come_at_their_times_and_steps(python):
    out = python("""
        flow = triad.Flow("case.toml", dir="run")
        timed, stepped, once = [], [], []
        flow.every(0.15)(lambda flow: timed.append(flow.t))
        flow.every(steps=2)(lambda flow: stepped.append(flow.steps))
        flow.at(0.05, 0.3)(lambda flow: once.append(flow.t))
        flow.advance(to=0.1).advance()
        assert timed == [0.15, 0.3] and once == [0.05, 0.3], (timed, once)
        assert stepped == list(range(2, flow.steps + 1, 2)) and flow.t == 0.4 and flow.finished
        fixed = triad.Flow("case.toml", dir="fixed", time=dict(dt=0.04))
        late = []
        fixed.every(0.15)(lambda flow: late.append(round(flow.t, 12)))
        fixed.advance()
        assert late == [0.16, 0.32], "with a fixed step the first one past"
        """)
    assert out.stderr == ""


def test_call_backs_go_on_where_many_roundings_miss_their_times(python):
    """10580 steps of 1e-4 come to 1.0579999999999, which is 1.058 within 1e-12 of itself, and not within 1e-9 of a step."""
    done = python("""
        flow = triad.Flow("case.toml", dir="run", grid=dict(n=[4, 4, 4]), initial=dict(kind="rest"), time=dict(dt=1e-4, end=1.07),
                          output=dict(series_interval=1, spectra_interval=0))
        called = []
        flow.every(1e-4)(lambda flow: called.append(flow.steps))
        flow.every(1e-15)(lambda flow: None)
        flow.advance()
        assert flow.finished and called[-1] == flow.steps and abs(len(called) - flow.steps) <= 1, (len(called), flow.steps)
        """)
    assert done.stderr == ""


def test_communicators_of_mpi4py_divide_the_ranks(python):
    pytest.importorskip("mpi4py")
    done = python("""
        from mpi4py import MPI
        half = MPI.COMM_WORLD.Split(MPI.COMM_WORLD.rank // 2)
        flow = triad.Flow("case.toml", dir=f"run-{MPI.COMM_WORLD.rank // 2}", comm=half)
        flow.step()
        os.write(1, f"{flow.size} {flow.numbers()['energy']}\\n".encode())
        """, 3)
    said = done.stdout.split("\n")[:3]
    assert sorted(line.split()[0] for line in said) == ["1", "2", "2"] and len({line.split()[1] for line in said}) == 1


def test_a_mean_shear_moves_wavenumbers_and_takes_changes_into_its_work(python):
    python("""
        flow = triad.Flow("case.toml", dir="run", equations=dict(shear=2.0), time=dict(end=1.0, scheme="rk4", dt=0.02))
        m = flow.modes
        def has_moved():
            skew = flow.numbers()["shear_skew"]
            assert abs(m.ky - (m.my * 2 * np.pi / m.length[1] - skew * m.kx)).max() < 1e-12
            divergence = sum(1j * k * m[c] for k, c in zip((m.kx, m.ky, m.kz), "uvw"))
            assert abs(divergence).max() < 1e-14
            return skew
        assert has_moved() == 0
        flow.step(3)
        assert abs(has_moved() - 0.12) < 1e-12
        for c in "uvw":
            m[c] = 2 * m[c]
        before = flow.numbers()
        flow.step()
        after = flow.numbers()
        mean = (before["shear_production"] + after["shear_production"]) / 2
        assert abs(after["work_done"] - before["work_done"] - 0.02 * mean) < 1e-12 * abs(mean)
        ky = m.ky
        flow.close()
        assert np.array_equal(m.ky, ky)
        """)


def test_fields_of_a_sheared_flow_are_not_read_as_periodic_along_y(python):
    python("""
        from triad import getdata, samples
        with triad.Flow("case.toml", dir="run", equations=dict(shear=2.0), output=dict(fields_interval=0.2)) as flow:
            flow.advance()
        run = triad.open("run")
        first, last = run.fields[0], run.fields[-1]
        assert getdata.Grid(first, run.case).periodic == [True, True, True]
        assert abs(last.notes["shear_skew"] - (2.0 * 0.4 - 1)) < 1e-12   # the frame has returned onto the grid once
        assert getdata.Grid(last, run.case).periodic == [True, False, True]
        assert not samples.Samples("run", cube=4).periodic
        """)


def test_a_plane_of_a_sheared_flow_is_not_sought_through_the_side(python):
    """At skew 0.3 fields repeat along y only if they are shifted along x; at skew 0 they repeat."""
    python("""
        import math
        with triad.Flow("case.toml", dir="run", equations=dict(shear=2.0), time=dict(end=0.15)) as flow:
            assert flow.points("u", y=-1.0).shape == flow.points("u", y=2 * math.pi - 1.0).shape
            flow.advance()
            try:
                flow.points("u", y=-1.0)
            except triad.UsageError as error:
                assert "outside the box" in str(error)
            else:
                raise AssertionError("a plane at y = -1 of fields that are not periodic along y")
        """)
