"""Functions of triad_solver are those that several families have; what one family alone has is in an optional part of it."""

import re

from conftest import ROOT

FAMILIES = ("spectral", "compressible", "staggered", "multiblock", "unstructured")


def table(family):
    """The initializer of a family's triad_solver."""
    text = (ROOT / f"solvers/{family}/solver.c").read_text()
    return re.search(r"^const triad_solver triad_solver_\w+ = \{(.*?)\};", text, re.M | re.S).group(1)


def test_functions_of_one_family_are_in_a_part_of_their_own():
    body = re.search(r"^typedef struct triad_solver \{(.*?)^\} triad_solver;", (ROOT / "solvers/solver.h").read_text(), re.M | re.S).group(1)
    functions = re.findall(r"\(\*(\w+)\)\(", re.sub(r"/\*.*?\*/", "", body, flags=re.S))
    tables = {family: table(family) for family in FAMILIES}
    assert len(functions) > 25 and all(len(t) > 500 for t in tables.values())
    owners = {name: [f for f, t in tables.items() if re.search(rf"\.{name}\s*=", t)] for name in functions}
    assert not {name: f for name, f in owners.items() if len(f) < 2}
