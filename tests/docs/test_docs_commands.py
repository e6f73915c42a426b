"""What the documents show works: every command and script of every page, on small grids and for a short time.

A block that cannot run on any machine says why in a comment above it, <!-- not run: needs Slurm -->, and counts as
skipped."""

import importlib.util
import json
import os
import re
import shlex
import shutil
import subprocess
import sys

import pytest

from conftest import BUILD, ROOT, end_session
from pages import EVERY_PAGE, PAGES, blocks, load, name_of, prose
from plotter import Plotter

SANITIZED = "sanitize" in str(BUILD)  # a tree without a shared library, and so without the Python package

# Stand-ins, so that the lines of a page run as they are, but on small grids and for a short time: a later --set wins.
TRIAD = """#!/bin/sh
case $1 in
  run) exec "$REAL_TRIAD" "$@" --set grid.n=${SMALL_GRID:-[16,16,16]} ${UNTIL---set time.end=0.3} ${SHORT:-} ;;
  bench | tune) exec "$REAL_TRIAD" "$@" --set grid.n=[16,16,16] --steps 2 ;;
  *) exec "$REAL_TRIAD" "$@" ;;
esac
"""
MPIRUN = """#!/bin/sh
exec $REAL_MPIRUN "$@"
"""
# what installs packages, or takes minutes, is asked for its help only; tools/check runs this very test
HELP_ONLY = ("demo", "check", "deps")
# what looks at the sources is shown those of the tree
OF_THE_TREE = """#!/bin/sh
exec "$REAL_TOOLS/$(basename "$0")" "$@"
"""
TOOL = """#!/bin/sh
exec "$REAL_TOOLS/$(basename "$0")" --help
"""
# make says what it would do, so its targets and variables are right; test_install.py installs
MAKE = """#!/bin/sh
# of an empty build: the lists of headers of this one take make ten times as long as its rules
exec "$REAL_MAKE" -C "$REAL_TOP" -n BUILD=build/empty "$@" >/dev/null
"""


def script(path, text):
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)


@pytest.fixture(scope="module")
def plotter(launcher, tmp_path_factory):
    server = Plotter(tmp_path_factory.mktemp("plotter"), launcher.environment(1))
    yield server
    server.end()


@pytest.fixture
def desk(tmp_path, triad, launcher, request, plotter):
    """A folder that looks like the top of the tree, and the environment to work in it."""
    script(tmp_path / "bin/triad", TRIAD)
    script(tmp_path / "shims/mpirun", MPIRUN)
    script(tmp_path / "shims/make", MAKE)
    for tool in (ROOT / "tools").iterdir():
        if tool.name in HELP_ONLY:
            script(tmp_path / "tools" / tool.name, TOOL)
        elif tool.name == "triad-plot" and plotter.ready:
            script(tmp_path / "tools" / tool.name, plotter.client)
        elif tool.name == "layers":
            script(tmp_path / "tools" / tool.name, OF_THE_TREE)
        else:
            (tmp_path / "tools").mkdir(exist_ok=True)
            (tmp_path / "tools" / tool.name).symlink_to(tool)
    for folder in ROOT.glob("runs/*/case.toml"):
        (tmp_path / "runs" / folder.parent.name).mkdir(parents=True)
        (tmp_path / "runs" / folder.parent.name / "case.toml").write_text(folder.read_text())
        for table in folder.parent.glob("*.csv"): # what figures of the case have beside them
            (tmp_path / "runs" / folder.parent.name / table.name).symlink_to(table)
    (tmp_path / "packaging").symlink_to(ROOT / "packaging")
    (tmp_path / "docs/reference").mkdir(parents=True)
    env = launcher.environment(1)
    mpirun, *options = launcher.mpirun.split()
    options += ["--oversubscribe", "--bind-to", "none"] if launcher.is_open_mpi else []
    # by its full name: the stand-in must not find itself
    env.update(REAL_TRIAD=str(triad), REAL_TOOLS=str(ROOT / "tools"), REAL_TOP=str(ROOT),
               REAL_MAKE=shutil.which("make"), HOME=str(tmp_path / "home"),
               REAL_MPIRUN=" ".join([shutil.which(mpirun), *options]),
               PATH=f"{tmp_path / 'shims'}:{os.environ['PATH']}", TRIAD_WISDOM=str(tmp_path / "wisdom"),
               PYTHONPATH="" if SANITIZED else str(request.getfixturevalue("package")),
               MPLBACKEND="Agg")
    return tmp_path, env


@pytest.mark.parametrize("words, code", [("--help", 0), ("no-such-verb", 64), ("energy nowhere", 66), ("energy --no-such-option .", 64)])
def test_the_stand_in_for_triad_plot_says_and_ends_as_it_does(plotter, tmp_path, words, code):
    """Without it, where matplotlib is missing, the pages use the tool itself."""
    if not plotter.ready:
        pytest.skip("no matplotlib or h5py")
    script(tmp_path / "stand-in", plotter.client)
    told = [subprocess.run([tool, *words.split()], cwd=tmp_path, capture_output=True, text=True, timeout=60)
            for tool in (ROOT / "tools/triad-plot", tmp_path / "stand-in")]
    assert [result.returncode for result in told] == [code, code]
    assert told[0].stdout == told[1].stdout and told[0].stderr == told[1].stderr
    assert told[0].stdout + told[0].stderr


def work_through(language, text, where, env):
    command = ["sh", "-eux", "-c", text] if language == "sh" else [sys.executable, "-c", text]
    process = subprocess.Popen(command, cwd=where, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True)
    try:
        said = process.communicate(timeout=250)[0]
    finally:
        end_session(process)
    return process.returncode, said


ABSENT = re.compile(r"^ModuleNotFoundError: No module named '(xarray)'$", re.MULTILINE)  # of those that tools/deps --tests installs


NUMBER = re.compile(r"(?<![A-Za-z])[-+]?\d[\d.]*(?:e[-+]?\d+)?")


def lines_not_printed(shown, said):
    """Lines of a block of output that are not printed, in its order: the words must be there, numbers may differ, since grids
    are smaller here. What follows .. at the end of a line is left out, and so are reports, which tests do not make."""
    lost, rest = [], said
    for line in shown.splitlines():
        if line.startswith("report: "):
            continue
        parts = NUMBER.split(re.sub(r" *\.\.$", "", line.strip()))
        pattern = r"[-+]?\d[\d.]*(?:e[-+]?\d+)?".join(r"\s+".join(map(re.escape, re.split(r"\s+", part))) for part in parts)
        found = re.search(pattern, rest)
        lost += [] if found else [line]
        rest = rest[found.end():] if found else rest
    return lost


def test_output_that_is_not_printed_is_found():
    said = "2026-11-28T23:12:29.689Z step 12/12  t 0.3  dt 1e-02\nreport: my-run/report.html\n"
    assert lines_not_printed("step 100/100  t 2 ..\nreport: my-run/report.html", said) == []
    assert lines_not_printed("written: 7 files\nstep 100/100", said + "written: 3 files\n") == ["step 100/100"]  # in this order
    assert lines_not_printed("my-other/figures/slice.png", said) and lines_not_printed("steps 3/3", said)


def follow(page, where, env, shown=True):
    """Works through its blocks; modules that some of them want and this Python has not."""
    without, said = set(), None
    for block in blocks(page):
        if block.language == "text" and said is not None and shown:
            lost = lines_not_printed(block.text, said)
            assert not lost, f"{name_of(page)} shows lines that its command does not print: {lost}\n---\n{said}"
        said = None if block.why_not else said
        if block.language in ("sh", "python") and not block.why_not:
            code, said = work_through(block.language, block.text, where, env)
            absent = ABSENT.search(said)
            if code != 0 and absent and importlib.util.find_spec(absent[1]) is None:
                without.add(absent[1])
                continue
            assert code == 0, f"{name_of(page)}: this ended with {code}\n{block.text}---\n{said}"
    return without


def skip_where(without):
    if without:
        pytest.skip(f"worked but for what wants {', '.join(sorted(without))}: tools/deps --tests")


RUN = [p for p in PAGES if not (SANITIZED and p.name == "python.md") and any(b.language in ("sh", "python") and not b.why_not for b in blocks(p))]


@pytest.mark.limit(600)  # half a minute where nothing else runs
@pytest.mark.parametrize("page", RUN, ids=name_of)
def test_what_a_page_shows_works(page, desk):
    skip_where(follow(page, *desk))


# Two steps of each run; what is drawn or timed by a page's commands is a file of that name, and nothing else.
WALKED = """#!/bin/sh
case $1 in
  run) exec "$REAL_TRIAD" "$@" --set grid.n=[16,16,16] --set time.max_steps=2 --set output.report=false ;;
  report | plan) exit 0 ;;
  bench | tune)
    while [ $# -gt 0 ]; do test "$1" != --json -a "$1" != --out || echo {} > "$2"; shift; done ;;
  *) exec "$REAL_TRIAD" "$@" ;;
esac
"""
WALKED_PLOT = """#!/bin/sh
while [ $# -gt 0 ]; do test "$1" != -o || touch "$2"; shift; done
"""


def in_a_readers_order():
    """README, the pages in the order of docs/README.md, then all others."""
    listed = [ROOT / f"docs/{page}.md" for _, pages in load("conf").pages_of((ROOT / "docs/README.md").read_text())
              for page in pages]
    return sorted(RUN, key=lambda page: -1 if page == ROOT / "README.md" else
                  listed.index(page) if page in listed else len(listed))


def times_of_files(where):
    """Of what a reader makes; docs/case.md is the tree's, whichever page says how it is made anew."""
    own = {"bin", "shims", "tools", "runs", "home", "wisdom-double", "wisdom-single"}
    return {path: path.stat().st_mtime_ns for path in where.rglob("*")
            if path.is_file() and path.relative_to(where).parts[0] not in own and path != where / "docs/case.md"}


@pytest.mark.limit(300)
def test_a_reader_of_all_pages_in_one_folder_loses_nothing(desk):
    """No page writes into a case, a run or a picture of a page read before, and none finds its own name taken."""
    (where, env), without = desk, set()
    script(where / "bin/triad", WALKED)
    (where / "tools/triad-plot").unlink()
    script(where / "tools/triad-plot", WALKED_PLOT)
    for folder in ("docs/gallery", "docs/tutorials"):
        (where / folder).mkdir()
    for page in in_a_readers_order():
        before = times_of_files(where)
        without |= follow(page, where, env, shown=False)
        after = times_of_files(where)
        changed = [str(path.relative_to(where)) for path in before if after.get(path) != before[path]]
        assert not changed, f"{name_of(page)} changes what pages before it made: {changed}"
    skip_where(without)


def test_lists_in_settings_are_quoted():
    """zsh takes brackets of its command line for a pattern of file names."""
    for page in EVERY_PAGE:
        bare = re.findall(r"--set [\w.]+=\[[^\n]*", page.read_text())
        assert not bare or page.name in ("performance.md", "measurements.md"), f"{name_of(page)}: {bare}"


NOT_RUN = [(p, b) for p in PAGES for b in blocks(p) if b.why_not]


def indented_commands(page):
    """The commands of a ready case's page, which stand in indented lines, as one script."""
    text = re.sub(r"\\\n +", "", page.read_text())
    lines = re.findall(r"^ {4}((?:mpirun .*)?(?:bin/triad|tools/[\w-]+) .*)$", text, re.M)
    return "\n".join(re.sub(r"mpirun -n \d+", "mpirun -n 2", line) for line in lines)


CASES = [p for p in sorted(ROOT.glob("runs/*/README.md")) if (p.parent / "case.toml").is_file()]


@pytest.mark.parametrize("page", CASES, ids=lambda page: page.parent.name)
def test_what_the_page_of_a_ready_case_shows_works(page, desk):
    """Two steps of each run; of a case with fewer than three axes on a grid like its own, with solids that fit there."""
    where, env = desk
    tomllib = pytest.importorskip("tomllib", reason="Python 3.11 reads TOML")
    case = tomllib.loads((page.parent / "case.toml").read_text())
    most = {"inlet": 26, "wing": 24}.get(case["grid"].get("kind"), 20)  # those have corners that fall on nodes
    env.update(SMALL_GRID=json.dumps([min(n, most) for n in case["grid"]["n"]], separators=(",", ":")),
               SHORT="--set time.max_steps=2 --set output.report=false"
               + " --set forcing.k_range=[2,4]" * (case.get("forcing", {}).get("k_range", [1])[0] > 5)
               + " --set grid.radius=4" * (case["equations"]["solver"] == "text" and "radius" in case["grid"])
               + " --set solids.count=1 --set solids.side=3" * (case.get("solids", {}).get("kind") == "random-cubes")
               + " --set solids.boxes=[4,4,0,2,2,1]" * (case.get("solids", {}).get("kind") == "boxes"))
    if case["time"].get("steady"):
        env["UNTIL"] = ""
        env["SHORT"] += " --set time.residual=0"  # two steps do not converge
    commands = indented_commands(page)
    assert "bin/triad" in commands
    code, said = work_through("sh", commands, where, env)
    assert code == 0, f"{name_of(page)}: this ended with {code}\n{commands}---\n{said}"


def test_programs_that_pages_show_compile(tmp_path):
    """As an outside program sees triad.h; as a new test sees the harness."""
    shown = {"fft/public/README.md": ["-Ifft/public"], "tests/README.md": ["-Isrc", "-I.", "-Itests/help/unit"]}
    for page, include in shown.items():
        program, = (b.text for b in blocks(ROOT / page) if b.language == "c")
        (tmp_path / "shown.c").write_text(program)
        made = subprocess.run([*shlex.split(os.environ.get("MPICC", "mpicc")), "-std=c17", "-D_GNU_SOURCE", "-Wall",
                               "-Werror", "-fopenmp", "-fsyntax-only", *include, tmp_path / "shown.c"],
                              cwd=ROOT, capture_output=True, text=True, timeout=60)
        assert made.returncode == 0, f"{page}\n{made.stderr}"


@pytest.mark.parametrize("page, block", NOT_RUN, ids=[f"{name_of(p)}: {b.why_not}" for p, b in NOT_RUN])
def test_what_cannot_run_here(page, block):
    """Its shell must be good shell, and its Python good Python, at least."""
    assert block.language in ("sh", "python"), f"{name_of(page)}: a comment 'not run' stands above a block of {block.language!r}"
    if block.language == "python":
        compile(block.text, name_of(page), "exec")
        pytest.skip(block.why_not)
    for text in (block.text, *re.findall(r"<<'END'\n(#!/bin/sh\n.*?)^END$", block.text, re.M | re.S)):
        checked = subprocess.run(["sh", "-n"], input=text, capture_output=True, text=True, timeout=20)
        assert checked.returncode == 0, f"{name_of(page)}\n{text}---\n{checked.stderr}"
    pytest.skip(block.why_not)


# "triad far-field: warning: ..." is a message, which starts with the name of its command and a colon.
COMMAND = re.compile(r"\s*(\$ |# )?(\w+=\S+ )*(mpirun |srun |sudo )?"
                     r"(bin/triad|triad(?! [\w-]+: )|tools/[\w-]+|triad-plot|make|git|apt|apt-get|pip|sbatch|mpirun|srun)( |$)")


def test_commands_are_shown_in_blocks_that_are_tried():
    """A line that starts with a command stands in a block marked sh, where the tests above see it."""
    for page in PAGES:
        if "<!-- Generated" in page.read_text():
            continue
        elsewhere = [line for b in blocks(page) if b.language != "sh" for line in b.text.splitlines()]
        elsewhere += re.findall(r"^ {4,}.*$", prose(page), re.M)
        for line in elsewhere:
            assert not COMMAND.match(line), f"{name_of(page)}: {line} does not stand in a block marked sh"
        assert not re.search(r"^ +```(sh|python)", page.read_text(), re.M), f"{name_of(page)}: a block is indented"


def flat(table, above=""):
    """TOML as key=value pairs of --set. JSON is TOML for texts, numbers, booleans and lists of them."""
    for key, value in table.items():
        if isinstance(value, dict):
            yield from flat(value, f"{above}{key}.")
        else:
            yield f"{above}{key}={inline(value)}"


def inline(value):
    """As TOML on a line: JSON but for tables, as [[particles]] are."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k} = {inline(v)}" for k, v in value.items()) + "}"
    return "[" + ", ".join(map(inline, value)) + "]" if isinstance(value, list) else json.dumps(value)


TOML = [(p, b) for p in PAGES for b in blocks(p) if b.language == "toml"]


@pytest.mark.parametrize("page, block", TOML, ids=[name_of(p) for p, _ in TOML])
def test_pieces_of_cases_are_good(page, block, triad):
    tomllib = pytest.importorskip("tomllib", reason="Python 3.11 reads TOML")
    sets = [word for pair in flat(tomllib.loads(block.text)) for word in ("--set", pair)]
    result = subprocess.run([triad, "case", ROOT / "runs/taylor-green-demo/case.toml", *sets],
                            capture_output=True, text=True, timeout=20)
    assert result.returncode == 0, f"{name_of(page)}\n{block.text}---\n{result.stderr}"


def indented_runs(page):
    """Commands `triad run CASE ...` of a ready case's page, as words, without mpirun and the run directory."""
    text = page.read_text().replace("\\\n", " ")
    for line in re.findall(r"^ {4}((?:mpirun .*)?bin/triad run .*)$", text, re.M):
        words = shlex.split(line, comments=True)
        words = words[words.index("run") + 1:]
        while "--dir" in words:
            del words[words.index("--dir"):words.index("--dir") + 2]
        yield line, words


def test_runs_that_ready_cases_show_are_good(triad):
    shown = [(page, *run) for page in ROOT.glob("runs/*/README.md") for run in indented_runs(page)]
    assert shown
    for page, line, words in shown:
        result = subprocess.run([triad, "case", *words], cwd=ROOT, capture_output=True, text=True, timeout=20)
        assert result.returncode == 0, f"{name_of(page)}: {line}\n{result.stderr}"
