"""Licences of data by their SPDX identifiers."""
import re

from triad_plot.problem import USAGE, Problem

KNOWN = {
    "CC-BY-4.0": ("Creative Commons Attribution 4.0 International", "https://creativecommons.org/licenses/by/4.0/"),
    "CC-BY-SA-4.0": ("Creative Commons Attribution Share Alike 4.0 International", "https://creativecommons.org/licenses/by-sa/4.0/"),
    "CC-BY-NC-4.0": ("Creative Commons Attribution Non Commercial 4.0 International", "https://creativecommons.org/licenses/by-nc/4.0/"),
    "CC0-1.0": ("Creative Commons Zero v1.0 Universal", "https://creativecommons.org/publicdomain/zero/1.0/"),
    "ODbL-1.0": ("Open Data Commons Open Database License v1.0", "https://opendatacommons.org/licenses/odbl/1-0/"),
    "ODC-By-1.0": ("Open Data Commons Attribution License v1.0", "https://opendatacommons.org/licenses/by/1-0/"),
    "PDDL-1.0": ("Open Data Commons Public Domain Dedication & License 1.0", "https://opendatacommons.org/licenses/pddl/1-0/"),
}


def find(identifier):
    """(identifier, name, address)."""
    near = next((known for known in KNOWN if known.lower() == identifier.lower()), None)
    if near:
        return (near, *KNOWN[near])
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9.+-]*", identifier):
        raise Problem(f'licence "{identifier[:80]}": must be an SPDX identifier, such as {", ".join(KNOWN)}', USAGE)
    return identifier, identifier, f"https://spdx.org/licenses/{identifier}.html"


def text_of(licence, authors, year):
    identifier, name, address = licence
    who = ", ".join(author.name for author in authors)
    return (f"Copyright {year} {who}\n\nThe data in this archive are licensed under the\n{name} ({identifier}).\n"
            f"The text of the licence is at {address}\n")
