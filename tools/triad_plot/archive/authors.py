"""Authors: "Family, Given; ORCID; affiliation", of which only the name is required."""
import re
from typing import NamedTuple

from triad_plot.problem import USAGE, Problem

ORCID = re.compile(r"(?:https?://orcid\.org/)?(\d{4}-\d{4}-\d{4}-\d{3}[\dX])$")


class Author(NamedTuple):
    family: str
    given: str
    orcid: str         # 0000-0000-0000-0000, or ""
    affiliation: str

    @property
    def name(self):
        return f"{self.given} {self.family}".strip()

    @property
    def identifier(self):
        """What names the author in the metadata."""
        return f"https://orcid.org/{self.orcid}" if self.orcid else "#" + re.sub(r"\W+", "-", self.name).strip("-").lower()


def checksum_holds(orcid):
    """The last of the 16 characters, by ISO 7064 mod 11-2."""
    *digits, last = orcid.replace("-", "")
    total = 0
    for digit in digits:
        total = (total + int(digit)) * 2
    return "0123456789X"[(12 - total % 11) % 11] == last


def of_text(text):
    parts = [part.strip() for part in str(text).split(";")]
    if len(parts) > 3 or not parts[0] or any(c in str(text) for c in "\n\r\0"):
        raise Problem(f'author "{text}": must be "Family, Given; ORCID; affiliation", of which only the name is required', USAGE)
    family, comma, given = (word.strip() for word in parts[0].partition(","))
    if not comma and " " in family:
        given, _, family = parts[0].rpartition(" ")
    rest = parts[1:] + ["", ""]
    found = ORCID.fullmatch(rest[0]) if rest[0] else None
    if rest[0] and not found:
        raise Problem(f'author "{text}": "{rest[0]}" is not an ORCID such as 0000-0002-1825-0097', USAGE)
    if found and not checksum_holds(found[1]):
        raise Problem(f'author "{text}": the check digit of the ORCID {found[1]} is wrong; compare it with orcid.org', USAGE)
    return Author(family, given, found[1] if found else "", rest[1])


def of_run(given, run):
    """Those of --author, else those of output.authors."""
    texts = given or run.case.get("output.authors") or []
    texts = [texts] if isinstance(texts, str) else texts
    authors = [of_text(text) for text in texts if str(text).strip()]
    if not authors:
        raise Problem('an archive requires its authors: --author "Family, Given; ORCID; affiliation", or output.authors in the case', USAGE)
    return authors
