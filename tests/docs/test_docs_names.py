"""Every file, folder, function and macro that a page of the project names stands in the tree."""

import re
import subprocess
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from conftest import ROOT
from pages import EVERY_PAGE, blocks, name_of, prose

pytestmark = pytest.mark.quick

SOURCE = (".c", ".h", ".cu", ".cpp", ".py")
# What a run or a user's own desk has, not the tree: words after these stand for other places.
OTHER_PLACES = re.compile(r"^(\$|~|<|-|https?:|/|bin/|build/|share/|lib/|include/)")


class Tree:
    """The files of the tree and the words of its sources, comments of C left out."""

    def __init__(self, files, text_of):
        self.files = sorted(files)
        self.folders = {folder for f in files for folder in parents(f)}
        self.top = {f.split("/")[0] for f in files if "/" in f}
        self.words = set()
        for name in self.files:
            if name.endswith((*SOURCE, "CMakeLists.txt")) or "." not in name.split("/")[-1]:
                text = text_of(name)
                if not name.endswith(".py"):
                    text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.S)
                self.words.update(re.findall(r"\w+", text))
        self.words.update(part for f in files for part in re.split(r"[/.]", f))

    def has_path(self, name):
        """A file or folder by its path or the end of it; with * or a placeholder in it, any that fits; _points.h: one that
        ends so."""
        pattern = ("*" if name.startswith("_") else "*/") + placeholders_to_stars(name).strip("/")
        among = self.folders if name.endswith("/") else self.folders | set(self.files)
        return any(fnmatchcase("/" + there, pattern) for there in among)

    def has_word(self, name):
        """A function, macro, type, key or column; one that ends in _, * or _NAME stands for those that begin so."""
        begin = re.sub(r"(?<=_)(\*|[A-Z]{2,})$", "", name) if name.startswith("triad_") else name.rstrip("*")
        if begin.endswith("_") or begin != name:
            return any(word.startswith(begin) for word in self.words)
        return name in self.words


def parents(file):
    parts = file.split("/")
    return ["/".join(parts[:i]) for i in range(1, len(parts))]


def placeholders_to_stars(name):
    """solvers/NAME_points.h, <law>_law.h, runs/NAME/case.toml: what stands for any name."""
    return re.sub(r"<\w+>|\b[A-Z]{2,}(?=[_/.]|$)(?<!README)(?<!LICENSE)", "*", name)


def names_of(text, tree, of_folders):
    """(kind, name) of what a page names: paths anywhere, words of code in `backticks`. of_folders: a name/ is a folder of the
    tree, not one that a run makes."""
    spans = re.findall(r"`([^`\n]+)`", text)
    for word in (w.strip("\"'(),;:[]") for span in spans for w in span.split()):
        if OTHER_PLACES.match(word):
            continue
        file = re.fullmatch(r"[\w.*<>/-]+(\.(c|h|cu|cpp|py))", word) and not word.startswith(".")
        folder = of_folders and re.fullmatch(r"[\w<>*-]+(/[\w<>*-]+)*/", word)
        if file or folder or word.split("/")[0] in tree.top and re.fullmatch(r"[\w.*<>-]+(/[\w.*<>-]*)+", word):
            yield "path", word.rstrip(".")
    for span in spans:
        for word in re.findall(r"(?<![\w./-])(?:triad_|TRIAD_)\w*\*?(?![\w./-]*\.(?:c|h|cu|cpp|py|md|sif|def)\b)", span):
            yield "word", word
        for word in re.findall(r"(?<![\w./<>*-])[a-z][a-z0-9]*(?:_[a-z0-9]+)+(?![\w./*<>-])", span):
            if max(map(len, word.split("_"))) > 2:  # not r_a, which is a symbol
                yield "word", word
    for path in re.findall(rf"(?<![\w./$~-])(?:{'|'.join(sorted(tree.top))})/[\w.*/-]*\w", re.sub(r"`[^`\n]*`", " ", text)):
        yield "path", path


def missing_of(text, tree, of_folders):
    return sorted({name for kind, name in names_of(text, tree, of_folders)
                   if not (tree.has_path(name) if kind == "path" else tree.has_word(name))})


@pytest.fixture(scope="module")
def tree():
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True,
                            text=True)
    if listed.returncode != 0:
        pytest.skip("not a clone of git, whose files this looks at")
    return Tree([f for f in listed.stdout.splitlines() if (ROOT / f).is_file()],
                lambda name: "" if name == name_of(Path(__file__)) else (ROOT / name).read_text(errors="replace"))


@pytest.mark.parametrize("page", EVERY_PAGE, ids=name_of)
def test_what_a_page_names_exists(page, tree):
    of_folders = page.relative_to(ROOT).parts[0] not in ("docs", "runs", "README.md", "CHANGELOG.md")
    pictures = "".join(f"`{line}`\n" for b in blocks(page) if not b.language for line in b.text.splitlines())
    text = prose(page)
    if page.name == "from-other-codes.md":  # the first column has words of those codes
        text = re.sub(r"^\|[^|]*\|", "|", text, flags=re.M)
    missing = missing_of(text + pictures, tree, of_folders)
    assert not missing, f"{name_of(page)} names what is not in the tree: {', '.join(missing)}"


def test_names_that_do_not_exist_are_found():
    sources = {"src/base/log.c": "int triad_log_open(void) { return 0; } /* triad_log_gone */", "src/base/log.h": "",
               "src/base/README.md": "", "tools/demo": "echo", "solvers/hd_points.h": "#define TRIAD_HD 1"}
    small = Tree(sources, sources.__getitem__)
    good = "`log.c`, `base/log.h`, `src/base/`, `triad_log_open`, `triad_log_*`, `TRIAD_HD`, `*_points.h`, `NAME_points.h`, " \
           "`<set>_points.h`, `_points.h`, `triad_log_`, `triad_log_NAME`, `tools/demo --help`, tools/demo, `bin/triad`, " \
           "`$HOME/x.c`, `echo`"
    assert missing_of(good, small, True) == []
    for bad in ("lag.c", "base/lag.h", "src/bass/", "triad_log_shut", "triad_log_gone", "triad_lag_*", "TRIAD_MHD", "*_law.h",
                "NAME_law.h", "_law.h", "triad_lag_NAME", "tools/demon --help", "write_due", "host/"):
        assert missing_of(f"see `{bad}`.", small, True) == [bad.split()[0]], bad
    assert missing_of("see src/base/lag.c, there", small, False) == ["src/base/lag.c"]
