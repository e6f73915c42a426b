"""The documents are true: what they cite exists, what is generated is up to date, READMEs and tables name what there is.
That what they show works is in test_docs_commands.py, the site that is made of them in test_site.py."""

import re
import subprocess
from fnmatch import fnmatch
from pathlib import Path

import pytest

from conftest import ROOT
from pages import EVERY_PAGE, displayed, load, name_of, prose

SOURCES = [p for folder in ("src", "fft", "transpose", "solvers", "cuda") for p in (ROOT / folder).rglob("*.[ch]*")]


# ---- what is generated ----

def test_the_case_reference_is_up_to_date(triad):
    made = subprocess.run([triad, "case", "--reference"], capture_output=True, text=True, timeout=20, check=True)
    assert (ROOT / "docs/case.md").read_text() == made.stdout, "mend it by: bin/triad case --reference > docs/case.md"


def test_the_page_of_commands_is_what_their_help_prints(triad):
    made = subprocess.run([ROOT / "tools/commands-page", triad], capture_output=True, text=True, timeout=60, check=True)
    page = ROOT / "docs/reference/commands.md"
    assert page.read_text() == made.stdout, "mend it by: tools/commands-page > docs/reference/commands.md"


def test_quantities_are_listed_as_the_program_has_them(triad):
    made = subprocess.run([triad, "case", "--quantities"], capture_output=True, text=True, timeout=20, check=True)
    assert made.stdout.count("\n") > 20
    assert made.stdout in (ROOT / "docs/reference/fields.md").read_text(), "mend it by what bin/triad case --quantities prints"


NEUTRAL = [ROOT / "src" / room for room in ("base", "case", "store", "run", "command")]


def test_plots_of_planes_have_the_names_and_units_of_slices(triad, monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "tools")
    from triad_plot.read.planes import QUANTITIES
    made = subprocess.run([triad, "case", "--quantities"], capture_output=True, text=True, timeout=20, check=True)
    units = dict(re.findall(r"^\| `(\w+)` \| ([^|]*) \|", made.stdout, re.M))
    for name, (_, _, unit, _) in QUANTITIES.items():
        assert units.get(name) == {"rad": "1"}.get(unit, unit), name


def test_rooms_that_solvers_plug_into_know_none_by_name():
    page = (ROOT / "docs/case.md").read_text()

    def words(key):
        tables = re.findall(rf"^`{key}` of .*:\n\n((?:\|.*\n)+)", page, re.M)
        return re.findall(r"^\| `([\w-]+)`", "".join(tables), re.M)

    solvers, starts = words("equations.solver"), words("initial.kind")
    assert {"hd", "gpe", "compressible"} <= set(solvers) and {"sod", "taylor-green"} <= set(starts)
    starts = set(starts) - {"file", "checkpoint", "random", "uniform", "rest"}  # words of other things too
    solvers.remove("text")  # an English word, which the code of messages and files needs
    word = re.compile(r'\b(%s)\b|"(%s)"' % ("|".join(solvers), "|".join(sorted(starts))))
    bad = [f"{name_of(path)}: {found.group()}" for folder in NEUTRAL for path in sorted(folder.rglob("*.[ch]*"))
           for found in word.finditer(path.read_text())]
    assert not bad, bad


def test_pictures_are_what_the_script_draws(tmp_path):
    figures = load("figures")
    for name, draw in (("pass.svg", figures.one_pass), ("pipeline.svg", figures.pipeline)):
        draw().write(tmp_path / name)
        kept = (ROOT / "docs/methods" / name).read_text()
        assert (tmp_path / name).read_text() == kept, "mend it by: python3 docs/figures.py"


# ---- what is cited ----

METHODS = sorted((ROOT / "docs/methods").glob("*.md"))
NUMBERS = r"\(?\d+\)?(?:(?:, | and )\(?\d+\)?)*"


def test_equations_that_are_cited_exist():
    """They are numbered through all pages of methods; who names a page too names the one that has the number."""
    page_of = {}
    for page in METHODS:
        for n in (int(n) for formula in displayed(page) for n in re.findall(r"\\tag\{(\d+)\}", formula)):
            assert n not in page_of, f"equation ({n}) is on {name_of(page)} and {name_of(page_of[n])}"
            page_of[n] = page
    assert sorted(page_of) == list(range(1, len(page_of) + 1)), f"numbered from 1: {sorted(page_of)}"
    cited = 0
    for path in (*SOURCES, *EVERY_PAGE):
        text = re.sub(r"\n\s*\*? ", " ", path.read_text(errors="replace"))
        for page, numbers in re.findall(rf"(?:([\w/-]+\.md)\)?,? )?\beqs?\. ({NUMBERS})", text):
            for n in map(int, re.findall(r"\d+", numbers)):
                cited += 1
                assert n in page_of, f"{name_of(path)} cites eq. ({n}), which no page of docs/methods has"
                assert not page or page.endswith(page_of[n].name), f"{name_of(path)}: eq. ({n}) is in {page_of[n].name}"
    assert cited > 100


def test_pages_that_sources_name_exist():
    named = 0
    for path in (*SOURCES, *filter(Path.is_file, ROOT.glob("tools/**/*")), *ROOT.glob("tests/*/*.py")):
        text = re.sub(r"/\n\s*\*? ", "/", path.read_text(errors="replace"))
        for page, anchor in re.findall(r"\b(docs/[\w/-]+\.md)(?:#([\w-]+))?", text):
            named += 1
            assert (ROOT / page).is_file(), f"{name_of(path)} names {page}"
            headings = re.findall(r"^#+ (.*)$", (ROOT / page).read_text(), re.M) if anchor else []
            assert not anchor or anchor in map(anchor_of, headings), f"{name_of(path)} names {page}#{anchor}"
    assert named > 0


def anchor_of(heading):
    """As GitHub makes it: lower case, punctuation dropped, blanks to hyphens."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def test_links_lead_somewhere():
    for page in EVERY_PAGE:
        for target in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
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


CODE = (".c", ".h", ".cu", ".cpp", ".py", ".toml")


def explains(page, path):
    """Does a README name a file, in `backticks`: by its path from there, by a pattern, or a source by its header?"""
    names = re.findall(r"`([^`\s]+)`", page.read_text())
    path = path.relative_to(page.parent)
    header = path.with_suffix(".h")
    return any(fnmatch(str(path), name) or (path.suffix in (".c", ".cpp") and fnmatch(str(header), name)) for name in names)


def test_readmes_name_each_source():
    """So that a reader of a folder knows what each file is for. A folder without a README is told of in the one above."""
    sources = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    if sources.returncode != 0:
        pytest.skip("not a clone of git, whose files this looks at")
    unnamed, seen = [], 0
    for path in (ROOT / name for name in sources.stdout.splitlines()):
        script = not path.suffix and path.parent in (ROOT / "tools", ROOT / "tests", ROOT / "tests/gpu")
        if path.parent == ROOT or not (path.suffix in CODE or script) or path.name == "case.toml" or not path.exists():
            continue
        seen += 1
        page = next(folder / "README.md" for folder in path.parents if (folder / "README.md").is_file())
        if not explains(page, path):
            unnamed.append(f"{name_of(page)}: {path.relative_to(page.parent)}")
    assert seen > 300 and not unnamed, "\n".join(unnamed)


def test_readmes_say_first_which_file_to_open():
    """A folder's first paragraph has "Open `NAME` first", NAME being a file of the folder or of one in it."""
    folders = {path.parent for path in (*SOURCES, *(ROOT / "tests").rglob("*.py"), *(ROOT / "tools").rglob("*.py"))}
    pages = sorted(folder / "README.md" for folder in folders | {ROOT / "src"} if (folder / "README.md").is_file())
    silent = []
    for page in pages:
        first = page.read_text().split("\n\n")[1]
        named = re.search(r"\bOpen\s+`([\w./-]+)`\s+first\b", first)
        if not named or not (page.parent / named.group(1)).is_file():
            silent.append(name_of(page))
    assert len(pages) > 20 and not silent, silent


def test_ready_cases_are_listed_and_good(triad):
    page = (ROOT / "runs/README.md").read_text()
    for case in sorted(ROOT.glob("runs/*/case.toml")):
        assert f"({case.parent.name}/README.md)" in page, f"runs/README.md does not list {case.parent.name}"
        result = subprocess.run([triad, "case", case], capture_output=True, text=True, timeout=20)
        assert result.returncode == 0, result.stderr


def test_the_map_lists_every_page():
    """A folder of pages has a map of its own, which the map of the guide lists."""
    for page in (ROOT / "docs/README.md", ROOT / "docs/notebook/README.md"):
        listed = re.findall(r"^\| \[[^\]]*\]\((\w[\w./-]*\.md)\)", page.read_text(), re.M)
        there = {p.relative_to(page.parent) for p in page.parent.rglob("*.md") if p.parent.name != "notebook" or
                 p.name == "README.md" or page.parent == p.parent}
        assert sorted(listed) == sorted(map(str, there - {Path("README.md")})), name_of(page)


# ---- what runs write ----

SETS = {
    "hd": 'viscosity = 0.01\nscalars = [0.01]', "boussinesq": "viscosity = 0.01", "mhd": "viscosity = 0.01",
    "gpe": "healing_length = 0.8", "compressible": "viscosity = 0.01"}
WRITTEN = """
[equations]
solver = "{}"
{}
[grid]
n = [16, 16, 16]
[initial]
kind = "{}"
[time]
end = 0.02
[output]
spectra_interval = 0.02
{}
"""


@pytest.mark.parametrize("name", SETS)
def test_columns_and_datasets_are_explained(name, triad, rundir):
    """docs/reference/ names each column of series.csv and each dataset of spectra, or the pattern that it is named by."""
    h5py = pytest.importorskip("h5py")
    gas = name == "compressible"
    case = rundir.parent / "case.toml"
    case.write_text(WRITTEN.format(name, SETS[name], "turbulence" if gas else "random", "" if gas else "line_spectra = true"))
    subprocess.run([triad, "run", case, "--dir", rundir], check=True, capture_output=True, timeout=100)
    explained = {word for page in ("series", "spectra") for word in
                 re.findall(r"`([^`\n]+)`", (ROOT / f"docs/reference/{page}.md").read_text())}
    columns = next(line for line in (rundir / "series.csv").read_text().splitlines() if line[0] != "#").split(",")
    with h5py.File(sorted(rundir.glob("spectra/*.h5"))[-1]) as f:
        datasets = [d for d in f if isinstance(f[d], h5py.Dataset)]
    assert len(columns) > 9 and len(datasets) > 4
    known = [re.sub(r"_(perp|par|2d)$", "", d) for d in datasets]  # X_perp
    known = [re.sub(r"^E_\w+_[xyz]$", "E_f_a", re.sub(r"^k_[xyz]$", "k_a", d)) for d in known]
    known = [re.sub(r"^Pi(_|$)", r"T\1", d) for d in known]  # transfers and fluxes
    missing = sorted({*columns, *known} - explained)
    assert not missing, f"docs/reference/ does not explain {missing} of {name}"


def test_each_kind_of_a_start_stands_with_the_keys_that_it_takes():
    """case.md has a table for each family, made of what the keys' help says."""
    page = (ROOT / "docs/case.md").read_text()
    tables = {solvers: dict(re.findall(r"^\| `([^`]+)`[^|]*\|[^|]*\| ([^|]*) \|$", rows, re.M)) for solvers, rows in
              re.findall(r"^`initial\.kind` of (.*):\n\n((?:\|.*\n)+)", page, re.M)}
    assert {"hd boussinesq mhd gpe text", "compressible", "staggered", "fct"} <= set(tables)
    spectral = {kind: set(re.findall(r"`(\w+)`", keys)) for kind, keys in tables["hd boussinesq mhd gpe text"].items()}
    assert spectral["puff"] == {"amplitude", "width", "centre", "noise"}  # and not what is for every kind but puff
    assert spectral["vortex-ring"] == {"rings"} and spectral["rest"] == set()
    assert "`radius`" in tables["compressible"]["blast"] and "`velocity`" in tables["staggered"]["uniform"]
