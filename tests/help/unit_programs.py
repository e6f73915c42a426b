"""The unit tests in C: every TRIAD_TEST (or cmocka_unit_test) of tests/unit/ROOM/test_*.c, on the ranks and threads that the
first comment of its file names. One launch runs all tests of a program; each is a test of its own here."""

import re
from dataclasses import dataclass

import pytest

from conftest import BUILD, ROOT

NAMES = re.compile(r"^\s*TRIAD_TEST\(\s*(\w+)\s*\)|\bcmocka_unit_test\w*\(\s*(\w+)", re.MULTILINE)
VERDICT = re.compile(r"\[\s+(OK|FAILED|SKIPPED|ERROR)\s+\] (\w+)\s*$", re.MULTILINE)
REASON = re.compile(r"^SKIP (\w+): (.*)$", re.MULTILINE)
WORST_LAST = ("OK", "SKIPPED", "ERROR", "FAILED")


@dataclass(frozen=True)
class Launch:
    program: str
    ranks: int
    threads: int
    timeout: float

    def __str__(self):
        return f"{self.program}-{self.ranks}x{self.threads}"


def setting(comment, key, default):
    """Words after `key:` in the first comment, up to the next key, the end of a phrase, or anything but numbers."""
    found = re.search(rf"\b{key}:\s*((?:[\d.]+[\s,*]*)+)", comment)
    return re.findall(r"[\d.]+", found.group(1)) if found else default


def plan():
    """(launch, test name) for each test of each file."""
    for source in sorted((ROOT / "tests/unit").glob("*/test_*.c")):
        text = source.read_text(encoding="utf-8")
        start = re.search(r"/\*.*?\*/", text, re.DOTALL)
        comment = start.group(0) if start else ""
        # comments may show how to write a test: those are none
        code = re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.DOTALL)
        names = list(dict.fromkeys(a or b for a, b in NAMES.findall(code)))
        programs = [source.stem]
        if re.search(r"\bprecision:\s*both\b", comment):
            programs.append(source.stem + "-single")
        timeout = float(setting(comment, "timeout", ["120"])[0])
        for program in programs:
            for ranks in map(int, setting(comment, "ranks", ["1"])):
                for threads in map(int, setting(comment, "threads", ["1"])):
                    # a file without tests is a mistake that must show
                    for name in names or ["has_tests"]:
                        yield Launch(program, ranks, threads, timeout), name


PLAN = list(plan())
results = {}


def outcome(launch, launcher):
    """(verdict by test, reason by skipped test, all output); the program runs once."""
    if launch not in results:
        program = BUILD / "tests" / launch.program
        if not program.is_file():
            pytest.fail(f"{program} is not there: run make unit first", pytrace=False)
        run = launcher(launch.ranks, program, threads=launch.threads, timeout=launch.timeout,
                       env={"CMOCKA_MESSAGE_OUTPUT": "STDOUT"})
        verdicts = {}
        for verdict, name in VERDICT.findall(run.stdout + "\n" + run.stderr):
            verdicts[name] = max(verdicts.get(name, "OK"), verdict, key=WORST_LAST.index)
        results[launch] = verdicts, dict(REASON.findall(run.stdout)), run
    return results[launch]


def of_test(name, launch, run):
    """What the program printed about one test: its own stretch of stdout, and stderr without lines on other tests and
    without what mpirun and cmocka add."""
    stretch = re.search(rf"\[ RUN +\] {name}$.*?(?=^\[ RUN|^\[=|\Z)", run.stdout, re.MULTILINE | re.DOTALL)
    others = [n for of, n in PLAN if of == launch and n != name]
    about_others = re.compile(rf"\b({'|'.join(others)})\b" if others else r"(?!)")
    added = re.compile(r"-{60}.*?-{60}\n|\[  PASSED  \][^\n]*\n|\[  FAILED  \] (?:tests:|\d+ )[^\n]*\n", re.DOTALL)
    lines = [line for line in added.sub("", run.stderr).splitlines() if line and not about_others.search(line)]
    return (stretch.group(0) if stretch else "") + "\n".join(lines[-60:])


@pytest.mark.limit(900)  # each launch has its own timeout; this one only guards the launcher
@pytest.mark.parametrize("launch, name", PLAN, ids=[f"{launch}-{name}" for launch, name in PLAN])
def test_unit(launch, name, mpirun):
    verdicts, reasons, run = outcome(launch, mpirun)
    verdict = verdicts.get(name)
    if verdict == "SKIPPED":
        pytest.skip(reasons.get(name, "no reason given"))
    if verdict is None:
        pytest.fail(f"the program ended before it said how {name} went\n{run}", pytrace=False)
    if verdict != "OK":
        pytest.fail(f"$ {' '.join(map(str, run.command))}\n{of_test(name, launch, run)}", pytrace=False)
    # no other test will tell of a failure that came after the last of them
    if run.code != 0 and all(verdicts.get(n) in ("OK", "SKIPPED") for of, n in PLAN if of == launch):
        pytest.fail(f"every test passed, yet the program failed\n{run}", pytrace=False)
