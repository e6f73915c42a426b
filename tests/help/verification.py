"""Figures of docs/verification.md: tests of flows with a known answer call `record`, which compares them with the stored ones.

docs/data/verification.csv has a row for each line of the page; tools/verification-page makes the tables of the page from it. A row is
written by hand but for value, error and order, which the test measures:

    TRIAD_VERIFICATION=write make check TESTS="-k NAME"     stores what is measured
    tools/verification-page --write                         makes the tables

Without TRIAD_VERIFICATION a test fails if its error is above the row's tolerance, or differs from the stored error by more than the
factor `within`, or its order from the stored order by more than 0.1."""

import csv
import fcntl
import io
import os
from pathlib import Path

PATH = Path(__file__).resolve().parents[2] / "docs/data/verification.csv"
COLUMNS = ("row", "solver", "case", "compared", "reference", "value", "error", "order", "tolerance", "within", "made by", "command")
# stored: by a run whose page is the command; short: the same, beyond the tolerance, for a reason that the page gives
MAKERS = ("check", "check-long", "stored", "short", "not run")


def rows(path=PATH):
    """{row: {column: text}}, in the order of the file."""
    with path.open(newline="") as file:
        table = list(csv.DictReader(file))
    found = {line["row"]: line for line in table}
    assert len(found) == len(table), "a row is there twice"
    return found


def text_of(table):
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(table.values())
    return out.getvalue()


def store(row, path=PATH, **figures):
    """Tests of several processes may store at once: one after the other."""
    with path.open("r+", newline="") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        table = {line["row"]: line for line in csv.DictReader(file)}
        table[row].update(figures)
        file.seek(0)
        file.write(text_of(table))
        file.truncate()


def faults(row, error, order=None, path=PATH):
    """What is wrong with an error that was measured: a list of sentences."""
    line = rows(path)[row]
    found = []
    if not 0 <= error <= float(line["tolerance"]):
        found.append(f"error {error:.3g} exceeds the tolerance {line['tolerance']}")
    if not line["error"]:  # a row of check-long may never have run
        return found if line["made by"] == "check-long" else [*found, "nothing is stored yet: set TRIAD_VERIFICATION=write"]
    stored, within = float(line["error"]), float(line["within"])
    if not stored / within <= error <= stored * within:
        found.append(f"error {error:.3g} differs from the stored {stored:.3g} by more than a factor of {within:g}")
    if order is not None and abs(order - float(line["order"] or "nan")) > 0.1 or order is None and line["order"]:
        found.append(f"order {order} differs from the stored {line['order'] or 'none'}")
    return found


def measured(row, error, value=None, order=None, path=PATH):
    """Store the figures of a row, or compare them: what is wrong, a list of sentences."""
    if os.environ.get("TRIAD_VERIFICATION") == "write":
        store(row, path, error=f"{error:.3g}", value="" if value is None else f"{value:.6g}", order="" if order is None else f"{order:.2f}")
    return [f"row {row} of {path.name}: {sentence}" for sentence in faults(row, error, order, path)]


def record(row, error, value=None, order=None):
    """For a test: its error (and value, and order of accuracy) are those of the row."""
    found = measured(row, float(error), value, order)
    assert not found, "; ".join(found)


def noted(note, row, error, value=None, order=None):
    """For a script of tests/long, whose function `note` prints a line and keeps it."""
    found = measured(row, float(error), value, order)
    note(f"row {row} of verification.csv: error", f"{error:.3g}", "; ".join(found) or "the stored one", not found)
