"""The unit tests in C: every TRIAD_TEST (or cmocka_unit_test) of a file tests/unit/ROOM/test_*.c, on the ranks and threads that the
first comment of the file names. One launch runs all tests of a program; each is a test of its own here.

Settings of the first comment: `ranks: 1 2 3`, `threads: 1 2`, `precision: both`, `timeout: SECONDS`, and `quick: 2`, by which the
launches on two ranks in double precision belong to the quick check. A file with several counts of ranks and of threads in both
precisions is launched for each pair of ranks and threads, of ranks and precision, of threads and precision: in half of the
combinations, 1x1 in double, 1x2 in single, 2x1 in single, 2x2 in double. `waves: 64` launches the program once more, on the first number of
ranks, with kernels on waves of 64 lanes (help/fake/waves.h)."""

import re
from dataclasses import dataclass

import pytest

import conftest

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
    wave: int = 0  # lanes of an AMD GPU; 0: warps of CUDA

    def __str__(self):
        return f"{self.program}-{self.ranks}x{self.threads}" + (f"-wave{self.wave}" if self.wave else "")


def setting(comment, key, default):
    """Words after `key:` in the first comment, up to the next key, the end of a phrase, or anything but numbers."""
    found = re.search(rf"\b{key}:\s*((?:[\d.]+[\s,*]*)+)", comment)
    return re.findall(r"[\d.]+", found.group(1)) if found else default


def tests_of(source):
    """(launch, names of its tests, is it of the quick check) for each launch of a file."""
    text = source.read_text(encoding="utf-8")
    start = re.search(r"/\*.*?\*/", text, re.DOTALL)
    comment = start.group(0) if start else ""
    # comments may show how to write a test, and macros may make one: those are none
    code = re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.DOTALL)
    code = re.sub(r"^[ \t]*#(?:[^\n\\]|\\\n|\\.)*", "", code, flags=re.MULTILINE)
    # a file without tests is a mistake that must show
    names = list(dict.fromkeys(a or b for a, b in NAMES.findall(code))) or ["has_tests"]
    programs = [source.stem]
    if re.search(r"\bprecision:\s*both\b", comment):
        programs.append(source.stem + "-single")
    timeout, quick = float(setting(comment, "timeout", ["120"])[0]), setting(comment, "quick", [])
    ranks, threads = setting(comment, "ranks", ["1"]), setting(comment, "threads", ["1"])
    by_pairs = len(programs) > 1 and len(ranks) > 1 and len(threads) > 1
    first = next((place for place, n in enumerate(ranks) if n in quick), 0)
    for precision, program in enumerate(programs):
        for place, n in enumerate(ranks):
            for number, m in enumerate(threads):
                is_quick = precision == 0 and n in quick and number == 0
                if is_quick or not by_pairs or (place + number + precision - first) % 2 == 0:
                    yield Launch(program, int(n), int(m), timeout), names, is_quick
    for wave in setting(comment, "waves", []):
        yield Launch(source.stem, int(setting(comment, "ranks", ["1"])[0]), 1, timeout, int(wave)), names, False


class Source(pytest.File):
    """A file tests/unit/ROOM/test_*.c."""

    def collect(self):
        for launch, names, quick in tests_of(self.path):
            for name in names:
                yield Test.from_parent(self, name=f"{launch}-{name}", launch=launch, test=name, names=names, quick=quick)


class Test(pytest.Item):
    def __init__(self, launch, test, names, quick, **others):
        super().__init__(**others)
        self.launch, self.test, self.names = launch, test, names
        self.add_marker(pytest.mark.limit(900))  # each launch has its own timeout; this one only guards the launcher
        self.add_marker(pytest.mark.program(launch.program))
        if quick:
            self.add_marker(pytest.mark.quick)

    def runtest(self):
        judge(self.launch, self.test, self.names)

    def reportinfo(self):
        return self.path, None, self.name


results = {}
launchers = []


def outcome(launch):
    """(verdict by test, reason by skipped test, all output); the program runs once."""
    if launch not in results:
        program = conftest.BUILD / "tests" / launch.program
        if not program.is_file():
            pytest.fail(f"{program} is not there: run make unit first", pytrace=False)
        if not launchers:
            launchers.append(conftest.Launcher())
        try:
            run = launchers[0](launch.ranks, program, threads=launch.threads, timeout=launch.timeout,
                               env={"CMOCKA_MESSAGE_OUTPUT": "STDOUT"} | ({"TRIAD_FAKE_WAVE": str(launch.wave)} if launch.wave else {}))
        finally:
            launchers[0].end_all()
        verdicts = {}
        for verdict, name in VERDICT.findall(run.stdout + "\n" + run.stderr):
            verdicts[name] = max(verdicts.get(name, "OK"), verdict, key=WORST_LAST.index)
        results[launch] = verdicts, dict(REASON.findall(run.stdout)), run
    return results[launch]


def of_test(name, names, run):
    """What the program printed about one test: its own stretch of stdout, and stderr without lines on other tests and
    without what mpirun and cmocka add."""
    stretch = re.search(rf"\[ RUN +\] {name}$.*?(?=^\[ RUN|^\[=|\Z)", run.stdout, re.MULTILINE | re.DOTALL)
    others = [n for n in names if n != name]
    about_others = re.compile(rf"\b({'|'.join(others)})\b" if others else r"(?!)")
    added = re.compile(r"-{60}.*?-{60}\n|\[  PASSED  \][^\n]*\n|\[  FAILED  \] (?:tests:|\d+ )[^\n]*\n", re.DOTALL)
    lines = [line for line in added.sub("", run.stderr).splitlines() if line and not about_others.search(line)]
    return (stretch.group(0) if stretch else "") + "\n".join(lines[-60:])


def judge(launch, name, names):
    """Pass, skip or fail as the program said of one of its tests."""
    verdicts, reasons, run = outcome(launch)
    verdict = verdicts.get(name)
    if verdict == "SKIPPED":
        pytest.skip(reasons.get(name, "no reason given"))
    if verdict is None:
        pytest.fail(f"the program ended before it said how {name} went\n{run}", pytrace=False)
    if verdict != "OK":
        pytest.fail(f"$ {' '.join(map(str, run.command))}\n{of_test(name, names, run)}", pytrace=False)
    # no other test will tell of a failure that came after the last of them
    if run.code != 0 and all(verdicts.get(n) in ("OK", "SKIPPED") for n in names):
        pytest.fail(f"every test passed, yet the program failed\n{run}", pytrace=False)
