"""Namelists of Fortran: &name key = value, .. / with comments after !."""
import re

from triad_plot.problem import Problem, of_reading

MOST = 1 << 20   # characters of a file

TOKEN = re.compile(r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|[^\s,=]+|=""")
NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([edEDqQ][-+]?\d+)?")


def without_comment(line):
    """A line up to its ! outside of quotes."""
    quote = ""
    for i, letter in enumerate(line):
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        elif letter == "!":
            return line[:i]
    return line


def value_of(word):
    if word[0] in "'\"":
        return word[1:-1].replace(word[0] * 2, word[0])
    if NUMBER.fullmatch(word):
        return float(re.sub("[dDqQ]", "e", word)) if not re.fullmatch(r"[-+]?\d+", word) else int(word)
    if word.lower() in (".true.", "t", "true"):
        return True
    if word.lower() in (".false.", "f", "false"):
        return False
    return None


def parse(text, path):
    """{"group": {"key": value}}, names in lower case; of a list of values the first."""
    groups, group = {}, None
    for number, line in enumerate(text.splitlines(), 1):
        words = TOKEN.findall(without_comment(line))
        if group is None:
            if words and words[0][0] in "&$":
                group = groups.setdefault(words.pop(0)[1:].lower(), {})
            elif words:
                continue   # outside of groups Fortran reads nothing
        while group is not None and words:
            if words[0] == "/" or words[0].lower() in ("&end", "$end"):
                group = None
                break
            if len(words) < 3 or words[1] != "=":
                raise Problem(f"{path}:{number}: not a line of a namelist: {line.strip()[:80]!r}; KEY = VALUE is required")
            ends, word = words[2].endswith("/") and words[2] != "/", words[2]
            value = value_of(word[:-1] if ends and value_of(word) is None else word)
            if value is None:
                raise Problem(f"{path}:{number}: {words[0]} = {word[:40]} is not a number, a text or a logical")
            group[words[0].lower()] = value
            words = words[3:]
            while words and words[0] != "/" and (len(words) < 2 or words[1] != "="):
                words.pop(0)   # further values of a list
            if ends:
                group = None
    if group is not None:
        raise Problem(f"{path}: ends within a namelist: / is missing")
    return groups


def read(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read(MOST + 1)
    except OSError as error:
        raise of_reading(path, error) from None
    if len(text) > MOST:
        raise Problem(f"{path}: is longer than {MOST} characters; the parameter file of GHOST is required")
    return parse(text, path)
