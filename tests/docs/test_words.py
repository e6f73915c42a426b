"""Words that readers stumble over may only become rarer: tests/docs/words.json holds the counts that must not rise.

    python3 tests/docs/test_words.py            print today's counts
    python3 tests/docs/test_words.py --write    store them, after a clean-up
"""

import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
STORED = ROOT / "tests/docs/words.json"

# What to write instead: print, report, list, warn; is, is stored; again; next to; resume; except; requires; present.
PATTERNS = {
    "tell": r"\b(tells?|told)\b(?! apart)", "stand": r"\b(stands?|stood)\b(?! for\b)", "anew": r"\banew\b", "beside": r"\bbesides?\b",
    "go on": r"\bgo(es)? on\b|\bwhile (it|they) goes?\b", "turns": r"\b(by turns|in turn)\b", "but for": r"\bbut for\b",
    "wants": r"\bwant(s|ed)\b", "there": r"\b(is|are|was|were|be|not) there\b(?! (is|are|no|a)\b)", "others": r"\bof others?\b",
    "dealt": r"\b(dealt|deals?) (to|by|out)\b", "parted": r"\bparted\b", "work at": r"\bwork(ed|s)? at\b", "house": r"\bthe house\b|\bfloors?\b(?! ?\()",
    "silent": r"\bwithout a word\b|\bin silence\b|\bin good order\b",
    "what is": r"\b[Ww]hat (is|are|was) (of|for|left|over|there|made|sent|asked)\b",
    "process": r"\bquiet minutes?\b|\bfound no time\b|\bno machine\b|\bnot been timed\b|\bin the making\b"}


def texts():
    """Prose of the pages, comments of the sources, strings of the sources."""
    found = {"docs": "", "comments": "", "strings": ""}
    names = subprocess.check_output(["git", "-C", str(ROOT), "ls-files"], text=True).splitlines()
    for name in names:
        if name.endswith(".md") and not name.startswith("docs/notebook/") and name not in ("docs/case.md", "CHANGELOG.md"):
            found["docs"] += re.sub(r"```.*?```|`[^`\n]*`", " ", (ROOT / name).read_text(), flags=re.S)
        elif re.search(r"\.(c|h|cu)$", name) and not name.startswith("tests/"):
            source = (ROOT / name).read_text(errors="replace")
            found["comments"] += " ".join(re.findall(r"/\*.*?\*/", source, re.S))
            found["strings"] += " ".join(re.findall(r'"((?:[^"\\\n]|\\.)*)"', re.sub(r"/\*.*?\*/", " ", source, flags=re.S)))
    return found


def counts():
    return {kind: {word: len(re.findall(pattern, text)) for word, pattern in PATTERNS.items()} for kind, text in texts().items()}


def test_words_that_readers_stumble_over_only_become_rarer():
    if subprocess.run(["git", "-C", str(ROOT), "rev-parse"], capture_output=True).returncode != 0:
        import pytest
        pytest.skip("not a clone of git, whose files this looks at")
    most = json.loads(STORED.read_text())
    assert not [f"{kind}: {word}: {n}, {most[kind][word]} at most" for kind, found in counts().items() for word, n in found.items() if n > most[kind][word]]


def test_the_patterns_find_their_words():
    for word, text in (("tell", "errors are told at once"), ("stand", "it stands in a list"), ("house", "on that floor"), ("what is", "what is left")):
        assert re.search(PATTERNS[word], text), word
    assert not re.search(PATTERNS["tell"], "told apart") and not re.search(PATTERNS["house"], "floor(x)")


if __name__ == "__main__":
    text = json.dumps(counts(), indent=1) + "\n"
    if sys.argv[1:] == ["--write"]:
        STORED.write_text(text)
    else:
        print(text, end="")
