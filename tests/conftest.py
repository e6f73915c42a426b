"""What every test gets: the program, a bounded mpirun, a folder to run in, a time limit, and an honest count.

Fixtures
  triad           path of bin/triad; the test fails (never skips) when it has not been built
  mpirun(n, ...)  run a program on n ranks; see Launcher.__call__
  run_case(text)  run a case in a folder of its own
  package         the folder with the Python package triad, for PYTHONPATH
  rundir          a path for a run directory, not made yet; removed when the test passes
Markers
  limit(seconds)  time that one test may take; 120 s without it
  program(name)   a program below build/tests that the test runs; make builds it first
  quick           belongs to make check QUICK=1, which covers every room in two minutes
"""

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
# what tests share is in tests/help; some tests use parts of others
sys.path[:0] = [str(ROOT / "tests/help"), *map(str, sorted(p for p in (ROOT / "tests").iterdir() if any(p.glob("test_*.py"))))]
BUILD = ROOT / os.environ.get("TRIAD_BUILD", "build")
BINARY = ROOT / os.environ.get("TRIAD_BIN", "bin/triad")
DEFAULT_LIMIT = 120.0

# Only with SANITIZE=1, for whatever a test starts: cmocka must not take a crash from the sanitizer; leaks are looked for by
# help/unit/test.h while MPI still stands, for later its modules are unloaded and what they keep cannot be told from ours.
# What is allocated is full of the digit 1, so that a number is read on where its text has no end.
os.environ.setdefault("ASAN_OPTIONS", "handle_segv=2:allocator_may_return_null=1:leak_check_at_exit=0:fast_unwind_on_malloc=0:"
                      "malloc_fill_byte=49:max_malloc_fill_size=65536")
os.environ.setdefault("LSAN_OPTIONS", f"suppressions='{ROOT}/tests/help/leaks.supp':print_suppressions=0")
os.environ.setdefault("UBSAN_OPTIONS", "print_stacktrace=1:halt_on_error=1")


# ---- launching ----

@dataclass
class Result:
    """How a program ended. code is negative for a signal, None when its time ran out."""
    command: list
    code: int
    stdout: str
    stderr: str
    seconds: float

    @property
    def returncode(self):
        return self.code

    @property
    def errors(self):
        """Lines of the program that say why it ended. Not its warnings: whether threads have cores enough is the machine's."""
        return [line for line in self.stderr.splitlines() if line.startswith("triad: ") and not line.startswith("triad: warning: ")]

    def __str__(self):
        end = "ran out of time" if self.code is None else f"exit code {self.code}"
        text = f"$ {' '.join(map(str, self.command))}\n({end} after {self.seconds:.1f} s)\n"
        for name in ("stdout", "stderr"):
            if getattr(self, name):
                text += f"--- {name}\n{getattr(self, name)}"
        return text


def session_of(pid):
    """Session id of a process, or None when it has ended. In /proc/PID/stat after the name: state, parent, group,
    session; one that has ended and waits to be collected (Z, X) is none."""
    try:
        state, _parent, _group, session = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[:4]
        return None if state in "ZX" else int(session)
    except (OSError, IndexError, ValueError):
        return None


def members(session):
    """Processes of a session: mpirun gives each rank a process group of its own, but they all stay in the session."""
    return [int(p) for p in os.listdir("/proc") if p.isdigit() and session_of(p) == session]


def end_session(leader):
    """Ask mpirun to stop its ranks, then kill whatever of its session is left."""
    if leader.poll() is None:
        leader.terminate()
        try:
            leader.wait(3)
        except subprocess.TimeoutExpired:
            pass
    deadline = time.monotonic() + 5
    while (left := members(leader.pid)) and time.monotonic() < deadline:
        for pid in left:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        time.sleep(0.02)



class Launcher:
    """Runs programs under mpirun. Many tests run on few cores, so ranks give way when idle and are bound to none."""

    def __init__(self):
        self.mpirun = os.environ.get("MPIRUN") or "mpirun"
        version = subprocess.run([*self.mpirun.split(), "--version"], capture_output=True, text=True, timeout=60)
        self.is_open_mpi = "Open MPI" in version.stdout or "Open-RTE" in version.stdout
        self.running = []

    def environment(self, threads=1, extra=None):
        env = dict(os.environ)
        env.update(OMP_NUM_THREADS=str(threads), OMP_WAIT_POLICY="passive", OMP_PROC_BIND="false",
                   HWLOC_COMPONENTS="-gl,-opencl,-levelzero", LC_ALL="C.UTF-8",
                   TRIAD_REPORT="no")  # some seconds each; test_report.py asks for it
        # as root in a container; more ranks than cores; no peeking into other processes, which containers forbid
        env.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_mpi_yield_when_idle="1",
                   OMPI_MCA_rmaps_base_oversubscribe="1", PRTE_MCA_rmaps_default_mapping_policy=":oversubscribe",
                   OMPI_MCA_btl_vader_single_copy_mechanism="none", OMPI_MCA_btl_base_warn_component_unused="0")
        env.update({k: str(v) for k, v in (extra or {}).items()})
        return env

    def command(self, n, args, options=(), alone=False):
        if alone:
            return list(map(str, args))
        given = ["--oversubscribe", "--bind-to", "none"] if self.is_open_mpi else []
        return [*self.mpirun.split(), *given, *options, "-n", str(n), *map(str, args)]

    def start(self, n, *args, threads=1, cwd=None, env=None, options=(), alone=False, **popen):
        """Start and return a Popen, for tests that send signals; it is ended with the test. alone: without mpirun."""
        process = subprocess.Popen(self.command(n, args, options, alone), env=self.environment(threads, env),
                                   cwd=cwd or ROOT, stdin=subprocess.DEVNULL, start_new_session=True, **popen)
        self.running.append(process)
        return process

    def __call__(self, n, *args, threads=1, timeout=60.0, cwd=None, env=None, options=(), expect=None):
        """Run `args` on n ranks x threads, at most `timeout` seconds, from the top of the tree or `cwd`.

        env: further environment variables; options: further options of mpirun; expect: an exit code, or several, that
        it must end with (pytest.fail otherwise, with all that it printed). Returns a Result.
        """
        # one process needs no mpirun, which takes as long as a small run, and two seconds to notice one that is refused
        alone = n == 1 and not options and (args[0] == BINARY or BUILD / "tests" in Path(args[0]).parents)
        begin = time.monotonic()
        # when a rank has failed, Open MPI gives the others a second before it kills them, and waits for it even if all have ended
        process = self.start(n, *args, threads=threads, cwd=cwd, env={"OMPI_MCA_odls_base_sigkill_timeout": 0, **(env or {})},
                             options=options, alone=alone, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                             errors="replace")
        try:
            out, err = process.communicate(timeout=timeout)
            code = process.returncode
        except subprocess.TimeoutExpired:
            end_session(process)
            out, err = process.communicate()
            code = None
        except BaseException:
            end_session(process)
            raise
        finally:
            self.running.remove(process)
        result = Result(process.args, code, out, err, time.monotonic() - begin)
        if expect is not None and code not in (expect if isinstance(expect, (tuple, list, set)) else (expect,)):
            pytest.fail(f"expected exit code {expect}\n{result}", pytrace=False)
        return result

    def end_all(self):
        for process in self.running:
            end_session(process)
            process.wait()
        self.running.clear()


@pytest.fixture(scope="session")
def launcher():
    return Launcher()


@pytest.fixture
def mpirun(launcher):
    yield launcher
    launcher.end_all()


@pytest.fixture(scope="session")
def triad():
    if not os.access(BINARY, os.X_OK):
        pytest.fail(f"{BINARY} is not there: run make first", pytrace=False)
    return BINARY


@pytest.fixture
def run_case(mpirun, triad, tmp_path):
    """run_case(text, ..): a case is run in a folder of its own; the folder, or what the program said where it is expected to end
    otherwise. More words of the command, keys by name as outputs.sets has them; folder: one that stands, which it goes on in."""
    from outputs import sets

    def start(text, *arguments, ranks=1, threads=1, expect=0, folder=None, **values):
        folder = folder or tmp_path / f"run-{len(list(tmp_path.iterdir()))}"
        case = tmp_path / f"{folder.name}.toml"
        case.write_text(text)
        result = mpirun(ranks, triad, "run", "-q", case, "--dir", folder, *arguments, *sets(**values), expect=expect,
                        threads=threads, timeout=300)
        return folder if expect == 0 else result
    return start


@pytest.fixture
def command(triad, launcher, tmp_path):
    """command("run", ...): without mpirun, as one process, in an empty folder. Its output and exit code."""
    def start(*arguments, expect=None, env=None, timeout=60):
        work = tmp_path / "work"
        work.mkdir(exist_ok=True)
        result = subprocess.run([str(a) for a in (triad, *arguments)], capture_output=True, text=True, errors="replace",
                                timeout=timeout, cwd=work, env=launcher.environment(extra=env),
                                stdin=subprocess.DEVNULL)
        if expect is not None and result.returncode != expect:
            pytest.fail(f"exit code {result.returncode}, expected {expect}\n{arguments}\n"
                        f"{result.stdout}\n{result.stderr}", pytrace=False)
        return result
    start.work = tmp_path / "work"
    return start


@pytest.fixture(scope="session")
def package(tmp_path_factory):
    """The folder of the Python package, as `make python` leaves it."""
    from test_install import make
    if "sanitize" in str(BUILD):
        pytest.skip("a sanitized tree has no shared library")
    place = tmp_path_factory.mktemp("python")
    make("python", f"PY={place}")
    yield place
    shutil.rmtree(place, ignore_errors=True)


@pytest.fixture
def rundir(tmp_path, request):
    yield tmp_path / "run"
    if getattr(request.node, "passed", False):
        shutil.rmtree(tmp_path, ignore_errors=True)


# ---- time limits ----

class OutOfTime(BaseException):
    """Not an Exception, so that no test swallows it."""


def pytest_collection_modifyitems(items):
    """Unit programs first, so that the others run beside them and none is left alone at the end."""
    items.sort(key=lambda item: item.path.suffix != ".c")


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item):
    marker = item.get_closest_marker("limit")
    seconds = float(marker.args[0]) if marker else DEFAULT_LIMIT

    def ring(_signal, _frame):
        raise OutOfTime(f"this test ran for more than {seconds:g} s")

    if threading.current_thread() is not threading.main_thread():
        # execnet, which starts the workers of pytest-xdist, may run one in another thread, where no signal can be handled:
        # such tests have their own time limits for programs, but not this one
        yield
        return
    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    if call.when == "call":
        item.passed = outcome.get_result().passed


# ---- unit programs ----

def pytest_collect_file(file_path, parent):
    if file_path.match("tests/unit/*/test_*.c"):
        from unit_programs import Source
        return Source.from_parent(parent, path=file_path)
    return None


def pytest_addoption(parser):
    parser.addoption("--programs", action="store_true",
                     help="print a line `needs PROGRAM` for each program below build/tests that the selected tests run, and run none")


def pytest_collection_finish(session):
    """What make builds before the tests run."""
    if session.config.option.programs:
        needed = {name for item in session.items for marker in item.iter_markers("program") for name in marker.args}
        print("".join(f"needs {name}\n" for name in sorted(needed)))
        session.items.clear()


# ---- counting ----

class Count:
    def __init__(self):
        self.outcome = {}
        self.broken = 0

    def note(self, report):
        # a test may fail in its set-up, its call and its clean-up: it is one test, and its worst outcome counts
        rank = {"passed": 0, "skipped": 1, "failed": 2}
        if report.when == "call" or report.outcome != "passed":
            before = self.outcome.get(report.nodeid, "passed")
            self.outcome[report.nodeid] = max(before, report.outcome, key=rank.get)

    def number(self, outcome):
        return sum(o == outcome for o in self.outcome.values())

    def line(self):
        passed, failed, skipped = (self.number(o) for o in ("passed", "failed", "skipped"))
        return f"{passed} passed, {failed + self.broken} failed" + (f", {skipped} skipped" if skipped else "")


count = Count()


def pytest_configure(config):
    config.addinivalue_line("markers", "limit(seconds): time that this test may take")
    config.addinivalue_line("markers", "program(name): a program below build/tests that this test runs")
    config.addinivalue_line("markers", "quick: one of the tests of make check QUICK=1")


def pytest_runtest_logreport(report):
    count.note(report)


def pytest_collectreport(report):
    count.broken += report.failed


def pytest_sessionfinish(session, exitstatus):
    ran = count.number("passed") + count.number("failed") + count.broken
    if session.config.option.programs and exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED:
        session.exitstatus = 0
    elif ran == 0 and not session.config.option.collectonly:
        session.exitstatus = pytest.ExitCode.NO_TESTS_COLLECTED


def pytest_unconfigure(config):
    if hasattr(config, "workerinput") or config.option.collectonly or config.option.programs or config.option.help:
        return
    if BUILD.is_dir():
        # tools/check repeats it as its last line
        (BUILD / "tests-count").write_text(count.line() + "\n")
    print(count.line())
