"""What a check says: a verdict, a name, and a text with the number and what it was measured against."""
from typing import NamedTuple

PASS, FAIL, WARN, UNTOLD = "passed", "failed", "warning", "not checked"


class Check(NamedTuple):
    verdict: str
    name: str
    text: str
