"""case.resolved.toml as a dictionary {"equations.solver": "hd", ..}.

Triad itself writes that file: tables, and one `key = value # where from` a line, whose values are also JSON. So no TOML
library is needed (Python has one from 3.11 on only).
"""
import json
import re

TABLE = re.compile(r"(\[)?\[([\w.]+)\]\]?\s*$")   # [[particles]] may stand several times: particles[1], particles[2]
KEY = re.compile(r"(\w+)\s*=\s*(.*)$")
WORDS = {"inf": float("inf"), "+inf": float("inf"), "-inf": float("-inf")}


def value_of(text):
    """The value at the start of `text`, or None where there is none that JSON knows."""
    word = text.split("#")[0].strip()
    if word in WORDS:
        return WORDS[word]
    try:
        return json.JSONDecoder().raw_decode(text)[0]
    except ValueError:
        return None


def lines_of(text):
    """(key, the rest of its line) of each value."""
    table, times = "", {}
    for line in text.splitlines():
        head, entry = TABLE.match(line.strip()), KEY.match(line.strip())
        if head:
            name = head.group(2)
            times[name] = times.get(name, 0) + 1
            table = f"{name}[{times[name]}]." if head.group(1) else name + "."
        elif entry:
            yield table + entry.group(1), entry.group(2)


def parse(text):
    return {key: value_of(rest) for key, rest in lines_of(text)}


def given(text):
    """Keys that the case file or --set names: Triad writes "# default" behind the others."""
    return {key for key, rest in lines_of(text) if not rest.rstrip().endswith("# default")}


def name_of(text):
    """Name of the case from the first line, "# runs/iso-decay/case.toml as it was understood: ..."; "" without."""
    found = re.match(r"# (.*) as it was understood", text)
    if not found:
        return ""
    parts = found.group(1).replace("\\", "/").split("/")
    name = re.sub(r"\.toml$", "", parts[-1])
    return parts[-2] if name in ("case", "case.resolved") and len(parts) > 1 and parts[-2] not in ("", ".", "..") else name
