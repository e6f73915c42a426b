"""The documents are true: what they show works, what they cite exists, what is generated is up to date."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import ROOT, end_session

PAGES = sorted([ROOT / "README.md", *ROOT.glob("docs/*.md")])
EVERY_PAGE = sorted(p for p in ROOT.rglob("*.md")
                    if not any(part in ("build", "output") or part[0] == "." for part in p.relative_to(ROOT).parts))
SOURCES = [p for folder in ("src", "fft", "transpose", "solvers", "cuda") for p in (ROOT / folder).rglob("*.[ch]*")]


def name_of(page):
    return str(page.relative_to(ROOT))


def blocks(page):
    """(language, text) of the fenced blocks of a page, in order."""
    return re.findall(r"^```(\w*)\n(.*?)^```$", page.read_text(), re.M | re.S)


# ---- what is generated ----

def test_the_case_reference_is_up_to_date(triad):
    made = subprocess.run([triad, "case", "--reference"], capture_output=True, text=True, timeout=20, check=True)
    assert (ROOT / "docs/case.md").read_text() == made.stdout, "mend it by: bin/triad case --reference > docs/case.md"


def test_pictures_are_what_the_script_draws(tmp_path):
    spec = importlib.util.spec_from_file_location("figures", ROOT / "docs/figures.py")
    figures = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(figures)
    for name, draw in (("pass.svg", figures.one_pass), ("pipeline.svg", figures.pipeline)):
        draw().write(tmp_path / name)
        kept = (ROOT / "docs" / name).read_text()
        assert (tmp_path / name).read_text() == kept, "mend it by: python3 docs/figures.py"


# ---- what is cited ----

def test_equations_that_are_cited_exist():
    text = (ROOT / "docs/numerics.md").read_text()
    shown = re.findall(r"^```\n(.*?)^```$", text, re.M | re.S)
    numbered = [int(n) for block in shown for n in re.findall(r"\s\((\d+)\)$", block, re.M)]
    assert sorted(numbered) == list(range(1, len(numbered) + 1)), f"numbered once each, from 1: {numbered}"
    cited = 0
    for path in (*SOURCES, *EVERY_PAGE):
        for numbers in re.findall(r"\beqs?\. (\(?\d+\)?(?:(?:, | and )\(?\d+\)?)*)", path.read_text(errors="replace")):
            for n in re.findall(r"\d+", numbers):
                cited += 1
                assert int(n) in numbered, f"{name_of(path)} cites eq. ({n}), which docs/numerics.md does not have"
    assert cited > 0


def test_pages_that_sources_name_exist():
    named = 0
    for path in (*SOURCES, *filter(Path.is_file, ROOT.glob("tools/**/*")), *ROOT.glob("tests/*.py")):
        for page in re.findall(r"\bdocs/\w+\.md", path.read_text(errors="replace")):
            named += 1
            assert (ROOT / page).is_file(), f"{name_of(path)} names {page}"
    assert named > 0


def anchor_of(heading):
    """As GitHub makes it: lower case, punctuation dropped, blanks to hyphens."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def test_links_lead_somewhere():
    for page in EVERY_PAGE:
        text = re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.M | re.S)
        for target in re.findall(r"\]\(([^)\s]+)\)", text):
            if re.match(r"[a-z]+:", target):
                continue
            file, _, anchor = target.partition("#")
            there = (page.parent / file).resolve() if file else page
            assert there.exists(), f"{name_of(page)} links to {target}"
            if anchor:
                headings = re.findall(r"^#+ (.*)$", there.read_text(), re.M)
                assert anchor in map(anchor_of, headings), f"{name_of(page)} links to {target}"


def test_every_folder_has_its_page():
    folders = {p.parent for p in (*SOURCES, *ROOT.glob("runs/*/case.toml"))} | {ROOT / "runs", ROOT / "src"}
    missing = sorted(name_of(f) for f in folders if not (f / "README.md").is_file())
    assert not missing, f"no README.md in {missing}"


def test_ready_cases_are_listed_and_good(triad):
    page = (ROOT / "runs/README.md").read_text()
    for case in sorted(ROOT.glob("runs/*/case.toml")):
        assert f"({case.parent.name}/README.md)" in page, f"runs/README.md does not list {case.parent.name}"
        result = subprocess.run([triad, "case", case], capture_output=True, text=True, timeout=20)
        assert result.returncode == 0, result.stderr


# ---- what is shown ----

# Stand-ins, so that the lines of a page run as they are, but on small grids and for a short time: a later --set wins.
TRIAD = """#!/bin/sh
case $1 in
  run) exec "$REAL_TRIAD" "$@" --set grid.n=[16,16,16] --set time.end=0.3 ;;
  bench) exec "$REAL_TRIAD" "$@" --set grid.n=[16,16,16] --steps 2 ;;
  *) exec "$REAL_TRIAD" "$@" ;;
esac
"""
MPIRUN = """#!/bin/sh
exec $REAL_MPIRUN "$@"
"""
# what installs packages, or takes minutes, is asked for its help only; tools/check runs this very test
TOOL = """#!/bin/sh
exec "$REAL_TOOLS/$(basename "$0")" --help
"""


def script(path, text):
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)


@pytest.fixture
def desk(tmp_path, triad, launcher):
    """A folder that looks like the top of the tree, and the environment to work in it."""
    script(tmp_path / "bin/triad", TRIAD)
    script(tmp_path / "shims/mpirun", MPIRUN)
    for tool in (ROOT / "tools").iterdir():
        if tool.name in ("demo", "check"):
            script(tmp_path / "tools" / tool.name, TOOL)
        else:
            (tmp_path / "tools").mkdir(exist_ok=True)
            (tmp_path / "tools" / tool.name).symlink_to(tool)
    for folder in ROOT.glob("runs/*/case.toml"):
        (tmp_path / "runs" / folder.parent.name).mkdir(parents=True)
        (tmp_path / "runs" / folder.parent.name / "case.toml").write_text(folder.read_text())
    (tmp_path / "docs").mkdir()
    env = launcher.environment(1)
    mpirun, *options = launcher.mpirun.split()
    options += ["--oversubscribe", "--bind-to", "none"] if launcher.is_open_mpi else []
    # by its full name: the stand-in must not find itself
    env.update(REAL_TRIAD=str(triad), REAL_TOOLS=str(ROOT / "tools"),
               REAL_MPIRUN=" ".join([shutil.which(mpirun), *options]),
               PATH=f"{tmp_path / 'shims'}:{os.environ['PATH']}", TRIAD_WISDOM=str(tmp_path / "wisdom"),
               MPLBACKEND="Agg")
    return tmp_path, env


def work_through(command, where, env):
    process = subprocess.Popen(command, cwd=where, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True)
    try:
        said = process.communicate(timeout=60)[0]
    finally:
        end_session(process)
    return process.returncode, said


@pytest.mark.limit(180)
@pytest.mark.parametrize("page", [p for p in PAGES if any(b[0] in ("sh", "python") for b in blocks(p))], ids=name_of)
def test_what_a_page_shows_works(page, desk):
    where, env = desk
    for language, text in blocks(page):
        if language == "sh":
            code, said = work_through(["sh", "-eux", "-c", text], where, env)
        elif language == "python":
            code, said = work_through([sys.executable, "-c", text], where, env)
        else:
            continue
        assert code == 0, f"{name_of(page)}: this ended with {code}\n{text}---\n{said}"


def test_commands_are_shown_in_blocks_that_are_tried():
    """What starts with bin/triad or tools/ stands in a block marked sh, where the test above runs it."""
    for page in PAGES:
        for language, text in blocks(page):
            if language != "sh":
                for line in text.splitlines():
                    assert not re.match(r"\s*(\$ )?(mpirun .*)?(bin/triad|tools/)", line), \
                        f"{name_of(page)}: {line} stands in a block marked {language!r}"
