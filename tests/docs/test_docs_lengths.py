"""Pages and sentences stay short: tests/docs/lengths.json holds what is longer than its limit today, which may only fall.

    python3 tests/docs/test_docs_lengths.py            print what is too long now
    python3 tests/docs/test_docs_lengths.py --write    store it, after a clean-up
"""

import json
import re
import subprocess
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / folder) for folder in ("", "help")]  # where pytest is not who runs it
from conftest import ROOT
from pages import EVERY_PAGE, name_of, prose

STORED = ROOT / "tests/docs/lengths.json"
LINES, REFERENCE, WORDS = 250, 400, 45
VERBS = ("run", "case", "info", "bench", "stop", "set", "grid", "plan", "query", "spectra", "tune", "watch", "report", "pack", "cite", "archive", "diff", "export", "far-field", "import")
FROZEN = ("docs/notebook/", "CHANGELOG.md")


def sentences(text):
    """The sentences of Markdown or of a help text: cells of tables, items of lists, images and rows of help are texts of their own."""
    text = re.sub(r"<!--.*?-->|^\$\$\n.*?\n\$\$$|^!\[[^\]]*\]\([^)]*\)$|^```.*?^```$", "\n\n", text, flags=re.M | re.S)
    text = re.sub(r"^ +\S(?:.*?\S)??  +(?=\S)", lambda row: "\n\n" + row[0], text, flags=re.M)  # "  --option VALUE  its meaning"
    text = re.sub(r"`[^`\n]*`|\$[^$\n]+\$", "CODE", text)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"^#+ .*$", "\n", text, flags=re.M)
    text = re.sub(r"^\|.*$", lambda row: "\n\n".join(["", *row[0].split("|"), ""]), text, flags=re.M)
    text = re.sub(r"^ *(?:[-*]|\d+\.) ", "\n\n", text, flags=re.M)
    for paragraph in re.split(r"\n\s*\n", text):
        yield from re.split(r"(?<=[.!?])[)\"*]*\s+(?=[\"*(]*[A-Z0-9])", " ".join(paragraph.split()))


def count_long(text):
    return sum(len(re.findall(r"[^\W\d_]\S*|\d\S*", s)) > WORDS for s in sentences(text))


def limit_of(name):
    return REFERENCE if name.startswith("docs/reference/") else LINES


def too_long(helps):
    """{"lines": {page: lines, if above its limit, without listings of C, which a test compiles}, "sentences": {page or command: how
    many have more than WORDS words}}"""
    pages = [page for page in EVERY_PAGE if not name_of(page).startswith(FROZEN)]
    lines = {name_of(page): len(re.sub(r"^```(c|diff)\n.*?^```$", "", page.read_text(), flags=re.M | re.S).splitlines()) for page in pages
             if name_of(page).startswith("docs/") and "<!-- Generated" not in page.read_text()}
    texts = {**{name_of(page): prose(page) for page in pages}, **helps}
    return {"lines": {name: n for name, n in lines.items() if n > limit_of(name)},
            "sentences": {name: n for name, text in texts.items() if (n := count_long(text))}}


def helps_of(triad):
    asked = {"triad help": ["help"], **{f"triad {verb} --help": [verb, "--help"] for verb in VERBS}}
    return {name: subprocess.run([triad, *words], capture_output=True, text=True, timeout=20).stdout for name, words in asked.items()}


def test_pages_and_sentences_only_become_shorter(triad):
    stored, grown = json.loads(STORED.read_text()), []
    for kind, found in too_long(helps_of(triad)).items():
        grown += [f"{name}: {n} {kind}, {stored[kind].get(name, 0)} before" for name, n in found.items() if n > stored[kind].get(name, 0)]
    assert not grown, f"shorter sentences (at most {WORDS} words) and pages are needed: " + "; ".join(grown)


def test_a_long_sentence_is_found():
    assert count_long("Short one. " + "word " * WORDS + "end. Short again.") == 1
    assert count_long("| " + "word " * 30 + "| " + "word " * 30 + "|") == 0
    assert count_long("- " + "word " * 30 + "\n- " + "word " * 30) == 0
    assert count_long("  --one N  " + "word " * 30 + "\n  --two   " + "word " * 30) == 0
    assert count_long("  --one N  " + "word " * 30 + "\n           " + "word " * 30) == 1
    assert count_long("![" + "word " * 30 + "](a.svg)\n![" + "word " * 30 + "](b.svg)") == 0
    assert count_long("`" + "code " * 50 + "` is one word, and [" + "word " * 3 + "](a.md) three.") == 0


if __name__ == "__main__":
    now = json.dumps(too_long(helps_of(ROOT / "bin/triad")), indent=1, sort_keys=True) + "\n"
    if sys.argv[1:] == ["--write"]:
        STORED.write_text(now)
    else:
        print(now, end="")
