"""`import triad`: what goes wrong is an exception on every rank; whatever stops a flow leaves a checkpoint; closed ones leave no memory."""

import pytest

from scripts import python  # noqa: F401


@pytest.mark.parametrize("script, code, words", [
    ("triad.Flow('case.toml', equations=dict(viscositty=1))", 65, "did you mean \"equations.viscosity\""),
    ("triad.Flow('nothing.toml')", 66, "nothing.toml"),
    ("triad.Flow('case.toml', dir='.')", 65, "not a run directory"),
    ("triad.Flow('case.toml', dir='d').points('vortisity')", 65, "did you mean \"vorticity\""),
    ("triad.Flow('case.toml', dir='d').state['rho']", 64, "the fields are u, v, w"),
    ("triad.Flow('case.toml', dir='d').advance(to=3)", 64, "time=dict(end=3)"),
    ("triad.Flow('case.toml', dir='d').set(u=np.zeros(3))", 64, "the shape [z, y, x] must be"),
    ("triad.Flow('case.toml', dir='d', time=dict(dt=50, end=1e5), initial=dict(energy=1e6)).advance()", 80, "not finite"),
    ("f = triad.Flow('case.toml', dir='d'); f.diagnostic('energy')(len)", 64, "already has a column of this name"),
    ("f = triad.Flow('case.toml', dir='d'); f.close(); f.step()", 64, "closed"),
    ("a = triad.Flow('case.toml', dir='d'); b = triad.Flow('case.toml', dir='d'); a.step()", 64, "closed"),
])
def test_what_goes_wrong_is_an_exception_with_the_exit_code(python, script, code, words):
    done = python(script, expect=code)
    last = done.stderr.strip()
    assert words in last and "Traceback" in last and "triad.errors." in last, last


@pytest.mark.parametrize("where", ["call-back", "diagnostic"])
def test_what_one_rank_raises_ends_all(python, where):
    made = "every(steps=1)" if where == "call-back" else "diagnostic('x')"
    done = python(f"""
        flow = triad.Flow("case.toml", dir="run")
        @flow.{made}
        def bad(flow):
            if flow.rank == 1:
                raise ZeroDivisionError("one of us")
            return 0
        try:
            flow.step()
        except ZeroDivisionError as error:
            os.write(1, f"raised {{flow.rank}} {{error}}\\n".encode())  # in one piece, as ranks write at once
        except triad.CallbackError as error:
            os.write(1, f"told {{flow.rank}} {{error}}\\n".encode())
        """, 3)
    said = sorted(done.stdout.splitlines())
    assert said[0] == "raised 1 one of us" and [line.split()[:2] for line in said[1:]] == [["told", "0"], ["told", "2"]]
    assert "rank 1" in said[1] and "ZeroDivisionError: one of us" in said[1]


def test_a_rank_that_raises_while_others_wait_in_the_flow_ends_all(python):
    done = python("""
        flow = triad.Flow("case.toml", dir="run", patience=0.5)
        @flow.every(steps=1)
        def bad(flow):
            if flow.rank == 1:
                raise ZeroDivisionError("one of us")
            flow.points("u")
        flow.step()
        """, 2, expect=(1, 70))  # of the rank that is seen to end first
    assert "one of us" in done.stderr and "rank 1: the call-back bad raised" in done.stderr and done.seconds < 30


def test_a_rank_that_ends_while_others_are_in_the_flow_ends_all(python):
    """By sys.exit, whatever its code, by the end of the script, and with two flows of which the others call one."""
    for rest in ("raise SystemExit(0)", "sys.exit(3)", "sys.exit(0) if flow.rank else other.step(2)"):
        done = python(f"""
            import sys
            flow, other = (triad.Flow("case.toml", dir=name, patience=0.5) for name in ("run", "other"))
            flow.step()
            if flow.rank == 1:
                {rest}
            other.step(2)
            flow.step(2)
            """, 2, expect=70)
        assert "its program has ended, while rank 0 calls the flow" in done.stderr and done.seconds < 60, done.stderr
    # ranks that end one after the other end well
    done = python("""
        import time
        flow = triad.Flow("case.toml", dir="well")
        flow.step()
        time.sleep(3 * flow.rank)
        """, 2)
    assert "ended" not in done.stderr and (python.folder / "well/checkpoints/latest").exists()


REFUSED = {"set": ("flow.set(u=np.zeros((3, 3, 3)) if {bad} else 0.0, v=0.0, w=0.0)", "the shape [z, y, x] must be"),
           "masked": ("flow.set(u=np.ma.array(np.zeros(()), mask={bad}), v=0.0, w=0.0)", "some values are masked"),
           "modes": ("flow.modes['u'] = np.zeros((1, 2, 3, 4, 5)) if {bad} else 0.0", "broadcast"),
           "points": ("flow.points('u\\0v' if {bad} else 'u')", "not the name of a quantity"),
           "step": ("flow.step('many' if {bad} else 1)", "the number of steps must be an integer"),
           "advance": ("flow.advance(9.0 if {bad} else 0.1)", "beyond time.end"),
           "sum": ("flow.sum(None if {bad} else 1.0)", "the type must be float64")}


@pytest.mark.parametrize("call, words", REFUSED.values(), ids=list(REFUSED))
def test_what_one_rank_is_refused_raises_on_all_and_the_flow_goes_on(python, call, words):
    call = call.replace("{bad}", "flow.rank == 1")
    done = python(f"""
        flow = triad.Flow("case.toml", dir="run", patience=5)
        flow.step()
        try:
            {call}
        except Exception as error:
            os.write(1, f"refused {{flow.rank}} {{error!r}}\\n".encode())
        flow.step()
        assert flow.steps == 2
        flow.close()
        """, 2)
    said = sorted(done.stdout.splitlines())
    assert [line.split()[:2] for line in said] == [["refused", "0"], ["refused", "1"]], done.stdout
    assert words in said[0] and "rank 1" in said[0], said


def test_calls_that_differ_between_ranks_are_refused_on_all(python):
    done = python("""
        flow = triad.Flow("case.toml", dir="run", patience=5)
        for call in (lambda: flow.step(1 + flow.rank), lambda: flow.save() if flow.rank else flow.step(),
                     lambda: flow.every(steps=1)(print) and flow.step() if flow.rank else flow.step()):
            try:
                call()
            except triad.UsageError as error:
                os.write(1, f"{flow.rank} {error}\\n".encode())
        """, 2)
    said = sorted(done.stdout.splitlines())
    assert len(said) == 6 and all("ranks call different functions" in line for line in said), done.stdout


def test_threads_may_make_their_first_flows_at_once(python):
    python("""
        import threading
        made = []
        def make(i):
            made.append(triad.Flow("case.toml", dir=f"run-{i}"))
        threads = [threading.Thread(target=make, args=(i,)) for i in range(6)]
        [t.start() for t in threads]
        [t.join() for t in threads]
        assert len(made) == 6
        """)


def test_arguments_that_mean_nothing_are_refused(python):
    python("""
        flow = triad.Flow("case.toml", dir="run")
        masked = np.ma.array(np.zeros(flow.points("u").shape), mask=np.eye(10, 12)[None].repeat(8, 0))
        before = flow.points("u").copy()
        for call in (lambda: triad.Flow(None), lambda: triad.Flow(5), lambda: triad.Flow("case.toml", comm=5),
                     lambda: triad.Flow("case.toml", dir="a\\0b"), lambda: triad.Flow("case.toml", dir="w", walltime=-1),
                     lambda: triad.Flow("case.toml", dir="w", walltime=float("nan")), lambda: flow.points(None),
                     lambda: flow.points("u\\0v"), lambda: flow.set(u=masked), lambda: flow.step("1"),
                     lambda: flow.advance("soon")):
            try:
                call()
            except triad.UsageError:
                continue
            raise SystemExit("taken")
        assert np.array_equal(before, flow.points("u")) and not os.path.exists("w")
        flow.set(u=np.ma.array(np.ones(flow.points("u").shape)), v=0.0, w=0.0)  # nothing of it is masked
        """)


@pytest.mark.parametrize("n", [1, 2])
def test_ctrl_c_leaves_a_checkpoint_and_a_flow_that_goes_on(python, n):
    done = python("""
        import signal
        flow = triad.Flow("case.toml", dir="run")
        @flow.at(0.1)
        def interrupt(flow):
            os.kill(os.getpid(), signal.SIGINT)
        try:
            flow.advance()
        except triad.Interrupted as error:
            os.write(1, f"interrupted {flow.steps} {error}\\n".encode())
        stopped = flow.steps
        assert flow.t < 0.4
        flow.advance()
        assert flow.finished and flow.steps > stopped
        """, n)
    steps = {int(line.split()[1]) for line in done.stdout.splitlines()}
    assert len(done.stdout.splitlines()) == n and len(steps) == 1
    step = steps.pop()
    assert f"stopped as requested at step {step}" in done.stdout
    assert (python.folder / f"run/checkpoints/step-{step:08d}").exists()


def test_every_way_to_stop_leaves_a_checkpoint(python, triad):
    python(f"""
        import signal
        import subprocess
        def stopped(flow):
            try:
                flow.advance()
            except triad.Stopped as error:
                return str(error)
        flow = triad.Flow("case.toml", dir="file", time=dict(end=1e6, dt=1e-3))
        flow.step()
        subprocess.run(["{triad}", "stop", "file"], check=True)
        assert "with a checkpoint" in stopped(flow) and flow.steps > 1
        flow.at(flow.t + 0.01)(lambda flow: os.kill(os.getpid(), signal.SIGTERM))
        assert "with a checkpoint" in stopped(flow)
        flow = triad.Flow("case.toml", dir="limit", walltime=0.01, time=dict(end=1e6, dt=1e-3))
        assert "with a checkpoint" in stopped(flow)
        """)
    for run in ("file", "limit"):
        assert list((python.folder / run / "checkpoints").glob("step-*"))
    python("""
        flow = triad.Flow("case.toml", dir="run", time=dict(end=1e6, dt=1e-3))
        @flow.every(steps=5)
        def ask(flow):
            if flow.keep.get("asked"):
                return
            flow.keep["asked"] = True
            flow.stop()
        try:
            flow.advance()
            assert False
        except triad.Stopped:
            assert flow.steps == 6
        """)


def test_flows_leave_no_memory_behind(python):
    """20 flows of 16^3 take 60 kB of modes each and more of plans: kept, they would be 10 MB; what grows is the heap's
    own fragments."""
    done = python("""
        import gc, resource, weakref
        def one(i):
            flow = triad.Flow("case.toml", dir="run", from_start=True, grid=dict(n=[32, 32, 32]))
            column = flow.diagnostic("x")(lambda flow: 1.0)
            flow.step()
            u = flow.modes["u"].sum()
            gone = weakref.ref(flow)
            flow.close()
            return gone
        def resident():
            return int(open("/proc/self/statm").read().split()[1]) * resource.getpagesize() / 1e6
        for i in range(4):
            one(i)
        before = resident()
        gone = [one(i) for i in range(12)]
        gc.collect()
        assert all(ref() is None for ref in gone)
        print(resident() - before)
        """)
    assert float(done.stdout) < 4.0, done.stdout
