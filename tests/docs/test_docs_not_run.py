"""Commands of pages that are not run, for they take a GPU, minutes or large grids: each is good but for that. Their options are options of
the command, their cases are there and valid on a CPU with all that is set, and files that they read are written before."""

import json
import os
import re
import subprocess
import sys

import pytest

from conftest import ROOT
from pages import EVERY_PAGE, PAGES, blocks, name_of

# Stands for triad, triad-plot and mpirun: writes down with which words it is called, and makes the files that they name.
STAND_IN = """#!{python}
import json, os, sys
tool, words = os.path.basename(sys.argv[0]), sys.argv[1:]
if tool == "mpirun":
    while words[0].startswith("-"):
        words = words[2:]
    os.execvp(words[0], words)
with open({record!r}, "a") as f:
    f.write(json.dumps([tool, *words]) + "\\n")
for option, value in zip(words, words[1:]):
    if option == "--dir":
        os.makedirs(value, exist_ok=True)
    if option in ("--json", "-o", "--write"):
        for path in (value, os.path.splitext(value)[0] + ".nmf") if option == "--write" else (value,):
            open(path, "w").close()
"""
# Stands for a script of docs/, whose arguments its own test knows.
PYTHON = """#!/bin/sh
test -f {root}/"$1" || exit 2
while [ $# -gt 1 ]; do if [ "$1" = -o ]; then : > "$2"; fi; shift; done
"""
OTHERS = re.compile(r"^(gmsh|srun|spack|module|sbatch|make|git)\b|srun ", re.M)
WRITES = re.compile(r"^(?:cat > .*?^END|cp [^\n]*)$", re.M | re.S)  # lines that make cases
BLOCKS = [(p, b) for p in PAGES for b in blocks(p)
          if b.why_not and b.language == "sh" and re.search(r"bin/triad|tools/triad-plot", b.text) and not OTHERS.search(b.text)]


@pytest.fixture
def called(tmp_path):
    """called(text): the command lines that a block comes to, run in a folder that looks like the top of the tree."""
    def run(text):
        record = tmp_path / "record"
        record.touch()
        for name in ("bin/triad", "tools/triad-plot", "shims/mpirun"):
            path = tmp_path / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(STAND_IN.format(python=sys.executable, record=str(record)))
            path.chmod(0o755)
        (tmp_path / "shims/python3").write_text(PYTHON.format(root=ROOT))
        (tmp_path / "shims/python3").chmod(0o755)
        (tmp_path / "runs").symlink_to(ROOT / "runs")
        for folder in (ROOT / "docs/gallery").iterdir():
            (tmp_path / "docs/gallery" / folder.name).mkdir(parents=True)
        done = subprocess.run(["sh", "-eu", "-c", text], cwd=tmp_path, capture_output=True, text=True, timeout=120,
                              env={**os.environ, "PATH": f"{tmp_path / 'shims'}:{os.environ['PATH']}"}, stdin=subprocess.DEVNULL)
        assert done.returncode == 0, f"{text}---\n{done.stderr}"
        return [json.loads(line) for line in record.read_text().splitlines()]
    return run


def sorted_words(words, takes):
    """(words, [(option, value)]) of a command line; takes: {option: has it a value}."""
    plain, options, rest = [], [], iter(words)
    for word in rest:
        if not word.startswith("-"):
            plain.append(word)
            continue
        assert word in takes, f"{word} is no option"
        options.append((word, next(rest) if takes[word] else None))
    return plain, options


def options_of(triad, verb):
    """{option: has it a value}, as the command's help lists them."""
    told = subprocess.run([triad, verb, "--help"], capture_output=True, text=True, timeout=20).stdout
    found = re.findall(r"^  (-{1,2}[\w-]+)( (?:[A-Z][A-Z=,.]*|\"[^\"]*\"))?(?=\s)", told, re.M)
    return {name: bool(value) or name == "--set" for name, value in found}


def is_good(triad, where, verb, *words):
    plain, options = sorted_words(words, options_of(triad, verb))
    if verb in ("run", "bench", "tune"):
        if "--machine" in words:
            return
        sets = [value for name, value in options if name == "--set"]
        assert len(plain) == 1, f"one case file: {plain}"
        plain = [str(ROOT / "runs/iso-decay/case.toml")] if plain == ["CASE"] else plain  # any case
        told = subprocess.run([triad, "case", *plain, *[w for s in (*sets, "parallel.device=cpu") for w in ("--set", s)]],
                              cwd=where, capture_output=True, text=True, timeout=20)
        assert told.returncode == 0, told.stderr


def is_drawn(verb, *words):
    sys.path.insert(0, str(ROOT / "tools"))
    try:
        from triad_plot import options, verbs
    finally:
        sys.path.remove(str(ROOT / "tools"))
    heeded = {v.name: v.takes for v in verbs.VERBS}
    if verb == "compare":   # the next word is the verb of the figure
        verb, *words = words
        heeded[verb] = (*heeded[verb], "--map")
    assert verb in heeded or verb in ("film", "report", "all"), f"{verb} is no verb"
    given = options.parse(list(words))
    unmet = [path for path in given.paths if re.search(r"[*?{\[]", path)]
    assert not unmet, f"nothing before has written {unmet}"
    if verb in heeded:
        given.refuse(verb, (*heeded[verb], options.BESIDE))   # as command.py has it: of any figure


@pytest.mark.parametrize("page, block", BLOCKS, ids=[f"{name_of(p)}: {b.why_not}" for p, b in BLOCKS])
def test_what_is_not_run_is_good_but_for_that(page, block, called, triad, tmp_path):
    before = "".join(b.text for b in blocks(page)[:blocks(page).index(block)] if b.language == "sh")
    lines = called("\n".join([*WRITES.findall(before), block.text]))
    assert lines
    for tool, *words in lines:
        try:
            if tool == "triad":
                is_good(triad, tmp_path, *words)
            else:
                is_drawn(*words)
        except Exception as wrong:
            pytest.fail(f"{name_of(page)}: {tool} {' '.join(words)}\n{wrong}", pytrace=False)


@pytest.mark.parametrize("text, wrong", [
    ("bin/triad bench runs/sod/case.toml --stesp 3", "--stesp is no option"),
    ("bin/triad bench runs/sod/case.toml --set time.ned=3", "time.ned"),
    ("bin/triad bench runs/sud/case.toml", "No such file"),
    ("tools/triad-plot mcups my-{1,2}.json", "nothing before"),
    ("tools/triad-plot overlap my-*.json", "nothing before"),
    ("tools/triad-plot scaling --plane z=1", "--plane"),
    ("tools/triad-plot scalign x", "no verb"),
])
def test_a_command_that_cannot_work_is_found(text, wrong, called, triad, tmp_path):
    tool, *words = called(text)[0]
    with pytest.raises(Exception, match=re.escape(wrong)):
        is_good(triad, tmp_path, *words) if tool == "triad" else is_drawn(*words)


def test_cases_and_runs_of_pages_have_names_that_git_ignores():
    """So that what a reader makes at the top of the sources is none of them."""
    for page in EVERY_PAGE:
        if page.parent != ROOT / "docs" and page != ROOT / "README.md":
            continue
        made = [name for b in blocks(page) if b.language == "sh"
                for name in re.findall(r"(?:cat > |--dir )([^\s/\"$]+)", b.text) if not name.startswith("my-")]
        assert not made, f"{name_of(page)}: {made}"
