"""`import triad`: a flow that is called from where it cannot be, a call-back, another thread, a forked process, and texts and numbers that
outlive it or its locale."""

import os
import re
import shutil
import subprocess

import pytest

from scripts import python, rows  # noqa: F401


@pytest.mark.parametrize("call, words", [
    ("flow.close()", "a flow cannot be closed within a call-back"),
    ("triad.Flow('case.toml', dir='run')", "a flow cannot be closed within a call-back"),  # which closes the one of this directory
    ("flow.step()", "a call-back or a diagnostic cannot take steps"),
])
def test_a_call_back_neither_steps_nor_ends_its_flow(python, call, words):
    done = python(f"""
        flow = triad.Flow("case.toml", dir="run")
        @flow.every(steps=2)
        def bad(flow):
            {call}
        try:
            flow.advance()
        except triad.UsageError as error:
            print(flow.steps, error)
        flow.close()
        """)
    assert done.stdout.startswith("2 ") and words in done.stdout


def test_one_thread_at_a_time_has_steps_taken(python):
    """The others are refused, and may look where it is."""
    python("""
        import threading
        flow = triad.Flow("case.toml", dir="run", time=dict(dt=1e-4, end=1e3))
        refused, go_on = [], threading.Event()
        def other():
            for call in (flow.step, flow.save, flow.close, flow.numbers, lambda: flow.points("u"), lambda: flow.modes):
                try:
                    call()
                except triad.UsageError as error:
                    refused.append(str(error))
            assert flow.steps >= 1 and flow.t > 0
            go_on.set()
        @flow.at(1e-4)
        def wait(flow):
            thread = threading.Thread(target=other)
            thread.start()
            assert go_on.wait(30)
            thread.join()
            assert flow.numbers()["energy"] > 0, "a call-back is of the thread that steps"
        flow.step(3)
        assert len(refused) == 6 and all("thread" in text for text in refused), refused
        thread = threading.Thread(target=flow.step)
        thread.start()
        thread.join()
        assert flow.steps == 4
        """)


def test_a_forked_process_has_no_part_in_a_flow(python):
    """Its end closes nothing; arrays can be looked at there."""
    done = python("""
        import sys
        flow = triad.Flow("case.toml", dir="run")
        flow.step(2)
        u = flow.modes["u"]
        child = os.fork()
        if child == 0:
            said = []
            for call in (flow.step, flow.save, lambda: flow.t, lambda: triad.Flow("case.toml", dir="other")):
                try:
                    call()
                except triad.UsageError as error:
                    said.append("fork" in str(error))
            flow.close()
            sys.exit(0 if said == [True] * 4 and np.isfinite(u).all() else 1)
        assert os.waitpid(child, 0) == (child, 0)
        assert os.path.exists("run/run.lock") and not os.listdir("run/checkpoints"), "the flow is still this process's"
        flow.step()
        flow.close()
        assert os.listdir("run/checkpoints")
        """)
    assert not done.stderr, done.stderr


@pytest.mark.parametrize("ranks", [1, 2])
def test_ctrl_c_has_an_ensemble_stop_in_good_order(python, ranks):
    """Its runs save a checkpoint and end, before the exception comes; they go on when it is run again."""
    python(f"""
        import signal, threading, time
        signal.signal(signal.SIGINT, signal.default_int_handler)  # it is ignored where a shell started the tests with &
        case = {{"equations": {{"solver": "hd", "viscosity": 0.05}}, "grid": {{"n": [32, 32, 32]}}, "time": {{"end": 1e3, "dt": 1e-3}},
                "initial": {{"kind": "random", "wavenumber": 2}}, "output": {{"report": False}}}}
        many = triad.Ensemble(case, {{"initial.seed": [1, 2]}}, dir="many")
        begun = "many/run-00{ranks}/series.csv"
        def interrupt():
            while not os.path.exists(begun):
                time.sleep(0.05)
            os.kill(os.getpid(), signal.SIGINT)
        thread = threading.Thread(target=interrupt)
        thread.start()
        try:
            many.run(ranks={ranks})
            assert False
        except triad.Interrupted:
            thread.join()
        for i in range({ranks}):
            assert os.listdir(f"many/run-00{{i + 1}}/checkpoints") and not os.path.exists(f"many/run-00{{i + 1}}/run.lock"), i
        step = triad.open("many/run-001").checkpoints[-1].step
        assert step > 0
        """)


@pytest.mark.parametrize("rank", [0, 1])
def test_an_array_that_one_rank_alone_keeps_holds_no_other_up(python, rank):
    done = python(f"""
        flow = triad.Flow("case.toml", dir="run")
        flow.step(2)
        u = flow.modes["u"] if flow.rank == {rank} else None
        flow.close()
        assert u is None or np.isfinite(u).all()
        flow = triad.Flow("case.toml", dir="other")
        flow.step()
        flow.close()
        """, 2)
    assert done.seconds < 60


def test_texts_of_a_closed_flow_are_its_own(python):
    python("""
        case = dict(equations=dict(scalars=[0.1] * 20))
        flow = triad.Flow("case.toml", dir="run", **case)
        modes, told = flow.modes, [flow.modes.about(name) for name in flow.modes.names]
        assert told[-1] == ("passive scalar 20", "S")
        flow.close()
        others = [triad.Flow("case.toml", dir=f"other-{i}") for i in range(3)]  # what was freed is somebody else's
        assert [modes.about(name) for name in modes.names] == told
        """)


def test_what_is_kept_may_be_of_numpy_and_what_cannot_be_ends_the_flow_all_the_same(python):
    python("""
        flow = triad.Flow("case.toml", dir="run")
        flow.keep |= {"count": np.int64(3), "row": np.array([1.5, 2.5]), "one": np.float32(0.5)}
        flow.step()
        flow.save()
        flow.keep["file"] = object()
        for call in (flow.save, flow.step, flow.close):
            try:
                call()
                assert False
            except triad.UsageError as error:
                assert "flow.keep accepts numbers, strings, lists" in str(error)
        assert "closed" in repr(flow) and not os.path.exists("run/run.lock")
        assert triad.Flow("case.toml", dir="run").keep == {"count": 3, "row": [1.5, 2.5], "one": 0.5}
        """)


@pytest.fixture
def german(tmp_path):
    """A folder with a locale whose numbers have a comma; for LOCPATH."""
    place = tmp_path / "locales"
    place.mkdir()
    if not shutil.which("localedef") or subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", "--no-archive", place / "de_DE.UTF-8"],
                                                       capture_output=True, check=False).returncode:
        pytest.skip("no localedef with de_DE: apt install locales")
    return place


@pytest.mark.parametrize("when", ["before", "between", "never"])
def test_numbers_have_a_point_in_a_locale_with_commas(python, german, monkeypatch, when):
    """A window's toolkit sets the user's locale, before the flow is made or in the midst of it; the rows are those without one."""
    monkeypatch.setenv("LOCPATH", os.fspath(german))
    python(f"""
        import locale
        def set_locale():
            locale.setlocale(locale.LC_ALL, "de_DE.UTF-8")
            assert locale.str(0.5) == "0,5"
        if "{when}" == "before":
            set_locale()
        flow = triad.Flow("case.toml", dir="run", initial=dict(energy=0.25), parameters=dict(a="1.5/2"))
        assert flow.case["parameters.a"] == 0.75 and flow.case["initial.energy"] == 0.25
        flow.at(0.2)(lambda flow: set_locale() if "{when}" == "between" else None)
        @flow.diagnostic()
        def half(flow):
            open("text", "w").write("\\u00e9")  # what is no number stays as the locale has it
            return 0.5
        flow.advance()
        flow.close()
        assert "{when}" == "never" or locale.str(0.5) == "0,5", "the locale is the program's own"
        flow = triad.Flow("case.toml", dir="run", initial=dict(energy=0.25), parameters=dict(a="1.5/2"))
        assert flow.finished
        """)
    table = rows(python.folder / "run")
    assert [round(float(row["t"]), 12) for row in table] == [0, 0.1, 0.2, 0.3, 0.4] and {float(row["half"]) for row in table} == {0.5}


def test_program_that_writes_numbers_with_a_comma_gets_the_same_files(python, german, monkeypatch):
    monkeypatch.setenv("LOCPATH", os.fspath(german))
    python("""
        import locale
        def run(folder, end):
            with triad.Flow("case.toml", dir=folder, time=dict(end=end), equations=dict(viscosity="0.5e-1"),
                            output=dict(fields_interval=0.1, checkpoint_interval=0.1, slices=["x=1.5"])) as flow:
                flow.advance()
        run("plain", 0.2)
        locale.setlocale(locale.LC_ALL, "de_DE.UTF-8")
        assert locale.str(1.5) == "1,5"
        run("german", 0.1)
        run("german", 0.2)
        assert locale.str(1.5) == "1,5", "the language of the program is another afterwards"
    """)
    for name in ["series.csv", "fields/fields.xmf"]:
        plain, german = ((python.folder / run / name).read_text() for run in ("plain", "german"))
        assert "0.1" in plain and plain == german, name
    cases = [re.sub(" *#.*", "", (python.folder / run / "case.resolved.toml").read_text()) for run in ("plain", "german")]
    assert cases[0] == cases[1] and "\nviscosity = 0.05\n" in cases[0]
