"""triad diff: how two runs differ, in their case, program, bits and numbers."""
import json
import math
import os

import h5py
import numpy as np

from triad_plot.options import Parser
from triad_plot.problem import USAGE, Problem
from triad_plot.read import hdf5
from triad_plot.read import run as runs
from triad_plot.report import means

KINDS = (("series", "series.csv", None), ("means", "means.h5", None), ("probes", "probes.csv", None), ("profiles", "profiles.csv", None),
         ("spectra", "spectra", "spectra-"), ("fields", "fields", "fields-"), ("blocks", "fields", "blocks-"), ("slices", "slices", "slice"),
         ("surfaces", "surfaces", "surface-"), ("probes", "probes", ""), ("particles", "particles", ""))
PROGRAM = ("version", "commit", "compiler", "build_flags", "libraries", "system", "cpu", "environment")
WHERE = ("output.authors", "output.license", "initial.file", "grid.file")   # that say nothing of the flow, or where a file is
FEWEST = 4       # blocks of which a standard error is made
MOST_ROWS = 12   # of numbers that agree are not printed beyond these


class Arguments(Parser):
    def error(self, message):
        raise Problem(f"{message}; triad diff --help", USAGE)


# ---- case and program ----

def case_of(one, other):
    """[(key, value, value)] of keys that differ; None for a key that only one has."""
    keys = [key for key in dict.fromkeys([*one.case, *other.case]) if key not in WHERE or key in one.case and key in other.case]
    return [(key, one.case.get(key), other.case.get(key)) for key in keys
            if one.case.get(key) != other.case.get(key) or (key in one.case) != (key in other.case)]


def inputs_of(one, other):
    sums = [{os.path.basename(str(i.get("path"))): i.get("xxh3") or i.get("manifest") for i in run.provenance.get("inputs") or []}
            for run in (one, other)]
    return [(name, sums[0].get(name), sums[1].get(name)) for name in dict.fromkeys([*sums[0], *sums[1]]) if sums[0].get(name) != sums[1].get(name)]


def ranks_of(session):
    binding = session.get("binding") or {}
    threads = [r.get("threads") for node in binding.get("nodes") or [] for r in node.get("ranks") or []]
    return {"ranks": binding.get("ranks"), "threads": threads[0] if threads else None}


def program_of(one, other):
    a, b = one.provenance, other.provenance
    pairs = [(name, a.get(name), b.get(name)) for name in PROGRAM]
    pairs += [(name, value, ranks_of(b)[name]) for name, value in ranks_of(a).items()]
    return [(name, x, y) for name, x, y in pairs if x != y]


# ---- bits ----

def table_of(path):
    """Rows of a table by their step, or by what the first column is."""
    with open(path, encoding="utf-8", errors="replace") as file:
        lines = [line.rstrip("\n") for line in file if line.strip() and not line.startswith("#")]
    return lines[0].split(",") if lines else [], [line.split(",") for line in lines[1:]]


def numbers_in(rows, width):
    try:
        return np.array([[float(word) if word else np.nan for word in row] for row in rows]).reshape(len(rows), width)
    except ValueError as error:
        raise Problem(f"a row of a table is damaged: {error}") from None


def compare_tables(one, other):
    """(is it the same bits?, largest difference over the largest value, words)."""
    (names, rows), (names_b, rows_b) = table_of(one), table_of(other)
    if names != names_b:
        only = sorted(set(names) ^ set(names_b))
        return False, math.nan, f"columns differ: {', '.join(only[:6])}" if only else "columns in another order"
    n = min(len(rows), len(rows_b))
    words = "" if len(rows) == len(rows_b) else f"{len(rows)} and {len(rows_b)} rows; of the first {n}"
    if rows[:n] == rows_b[:n]:
        return not words, 0.0, words
    a, b = numbers_in(rows[:n], len(names)), numbers_in(rows_b[:n], len(names))
    worst = max((difference(a[:, i], b[:, i]), name) for i, name in enumerate(names))
    return False, worst[0], (words + ", " if words else "") + f"most in {worst[1]}"


def difference(a, b):
    """The largest difference over the largest value; infinite where one is not a number and the other is."""
    a, b = np.asarray(a, np.float64), np.asarray(b, np.float64)
    if a.shape != b.shape or (np.isnan(a) != np.isnan(b)).any():
        return math.inf
    size = np.nanmax(np.abs(a), initial=0.0) if a.size else 0.0
    size = max(size, np.nanmax(np.abs(b), initial=0.0) if b.size else 0.0)
    with np.errstate(invalid="ignore"):
        off = np.abs(a - b)
    off[a == b] = 0   # infinite ones too
    return float(np.nanmax(off, initial=0.0) / size) if size > 0 else 0.0


def datasets(file):
    out = {}
    file.visititems(lambda name, item: out.update({name: item}) if isinstance(item, h5py.Dataset) and item.dtype.kind in "fiu" else None)
    return out


def compare_hdf5(one, other):
    def look(a, b):
        left, right = datasets(a), datasets(b)
        worst, where, same = 0.0, "", True
        for name, item in left.items():
            if name not in right:
                continue
            x, y = item[()], right[name][()]
            if x.dtype == y.dtype and np.asarray(x).tobytes() == np.asarray(y).tobytes():
                continue
            same = False
            if np.shape(x) != np.shape(y):
                return False, math.nan, f"shapes of {name} are {np.shape(x)} and {np.shape(y)}"
            off = difference(x, y)
            if off >= worst:
                worst, where = off, name
        only = sorted(set(left) ^ set(right))
        words = f"only one has {', '.join(only[:4])}" if only else ""
        return same and not only, worst, ", ".join(filter(None, (words, f"most in {where}" if where else "")))
    return hdf5.read(one, lambda a: hdf5.read(other, lambda b: look(a, b)))


def files_of(run, place, prefix):
    if prefix is None:
        return {place: run / place} if os.path.isfile(run / place) else {}
    found = hdf5.files_in(run / place, prefix) or (hdf5.files_in(run / place, prefix, ".vtkhdf") if prefix == "fields-" else [])
    return {os.path.basename(path): path for path in found}


def bits_of(one, other):
    """[(kind, files in both, of the same bits, only in the first, only in the second, largest difference, words)]."""
    out = []
    for kind, place, prefix in KINDS:
        a, b = files_of(one, place, prefix), files_of(other, place, prefix)
        if not a and not b:
            continue
        both, same, worst, words = [name for name in a if name in b], 0, 0.0, ""
        for name in both:
            compare = compare_tables if name.endswith(".csv") else compare_hdf5
            alike, off, said = compare(a[name], b[name])
            same += alike
            if said and (not words or not off <= worst):
                words = f"{name}: {said}"
            worst = max(worst, off) if not math.isnan(off) else worst
        out.append((kind, len(both), same, len(a) - len(both), len(b) - len(both), worst, words))
    return out


# ---- numbers ----

def error_of_mean(x):
    """The largest standard error that blocks of 1, 2, 4, .. rows give; nan for fewer than two rows."""
    x, worst, size = np.asarray(x, float), math.nan, 1
    while len(x) // size >= (FEWEST if size > 1 else 2):
        blocks = x[:len(x) // size * size].reshape(-1, size).mean(axis=1)
        worst = np.fmax(worst, blocks.std(ddof=1) / np.sqrt(len(blocks)))
        size *= 2
    return float(worst)


def numbers_of(one, other):
    """(where the means are from, [(name, mean, error, mean, error, difference in units of its error)])."""
    if not (one.has_series and other.has_series):
        return "no series", []
    found = [means.read(run) for run in (one, other)]
    if all(found):
        values = [{name: (m, e) for name, (m, e, *_rest) in f[0].items()} for f in found]
        where = "means.h5"
    else:
        end = min(run.series.t[-1] for run in (one, other))
        start = max(end / 2, *(run.series.t[0] for run in (one, other)))
        values = []
        for run in (one, other):
            inside = (run.series.t >= start - 1e-12) & (run.series.t <= end + 1e-12)
            values.append({name: (float(np.nanmean(column[inside])), error_of_mean(column[inside]))
                           for name, column in run.series.columns.items() if inside.any() and not np.isnan(column[inside]).all()})
        where = f"series, t = {start:g} to {end:g}"
    out = []
    for name, (a, ea) in values[0].items():
        if name in values[1] and name not in ("step", "t", "dt"):
            b, eb = values[1][name]
            error = math.hypot(ea, eb)
            apart = abs(b - a) / error if error > 0 else 0.0 if a == b else math.inf if error == 0 else math.nan
            out.append((name, a, ea, b, eb, apart))
    return where, out


# ---- what is printed ----

def text_of(value):
    words = "-" if value is None else value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    words = "".join(c if c.isprintable() else "\ufffd" for c in words)
    return words if len(words) <= 60 else words[:57] + "..."


def with_error(mean, error):
    return f"{mean:.6g}" + (f" +- {error:.2g}" if np.isfinite(error) else "")


def lines_of(one, other, case, inputs, program, bits, where, numbers):
    out = [f"a  {one.path}: {' '.join(one.title().split())}", f"b  {other.path}: {' '.join(other.title().split())}", ""]
    out.append("case" if case or inputs else "case: the same")
    out += [f"  {key}: {text_of(a)} | {text_of(b)}" for key, a, b in (*case, *inputs)]
    out.append("program" if program else "program: the same")
    out += [f"  {name}: {text_of(a)} | {text_of(b)}" for name, a, b in program]
    out.append("bits" if bits else "bits: no files to compare")
    for kind, both, same, only_a, only_b, worst, words in bits:
        alone = ", ".join(filter(None, (f"{only_a} only in a" if only_a else "", f"{only_b} only in b" if only_b else "")))
        if both and same == both:
            text = f"the same in {both} file{'s' * (both > 1)}"
        else:
            text = f"{same} of {both} files the same" if both else "none in both"
            text += f"; largest difference {worst:.2g} of the largest value" if worst > 0 else ""
        out.append(f"  {kind}: " + "; ".join(filter(None, (text, words, alone))))
    if numbers:
        out.append(f"numbers ({where}): mean +- standard error; difference in standard errors")
        ordered = sorted(numbers, key=lambda n: -(n[5] if not math.isnan(n[5]) else -1))
        different = [n for n in ordered if n[1] != n[3]]
        shown = [n for i, n in enumerate(different) if n[5] > 2 or i < MOST_ROWS]
        out += [f"  {name}: {with_error(a, ea)} | {with_error(b, eb)}" + (f"  {apart:.2g}" if np.isfinite(apart) else "")
                for name, a, ea, b, eb, apart in shown]
        rest = len(numbers) - len(shown)
        if rest:
            out.append(f"  {rest} {'other ' * bool(shown)}column{'s' * (rest > 1)}: the same" + (" or within 2 standard errors" if len(shown) < len(different) else ""))
    return out


def finite(value):
    """JSON has no nan."""
    return value if not isinstance(value, float) or math.isfinite(value) else None


def run_command(words):
    p = Arguments(prog="triad diff", add_help=False, allow_abbrev=False)
    p.add_argument("runs", nargs="*")
    p.add_argument("--json", action="store_true")
    p.add_argument("--triad")
    options = p.parse_intermixed_args(words)
    if len(options.runs) != 2:
        raise Problem("triad diff requires two run directories; triad diff --help", USAGE)
    one, other = (runs.Run(path) for path in options.runs)
    case, inputs, program = case_of(one, other), inputs_of(one, other), program_of(one, other)
    bits = bits_of(one, other)
    where, numbers = numbers_of(one, other)
    if options.json:
        keys = ("kind", "in_both", "same_bits", "only_a", "only_b", "largest_difference", "words")
        print(json.dumps({"a": one.path, "b": other.path, "case": {k: [a, b] for k, a, b in case}, "inputs": {k: [a, b] for k, a, b in inputs},
                          "program": {k: [a, b] for k, a, b in program}, "bits": [dict(zip(keys, map(finite, row))) for row in bits],
                          "numbers_from": where,
                          "numbers": {n: dict(zip(("a", "a_error", "b", "b_error", "standard_errors"), map(finite, row))) for n, *row in numbers}},
                         ensure_ascii=False, allow_nan=False, default=str))
    else:
        print("\n".join(lines_of(one, other, case, inputs, program, bits, where, numbers)))
    differ = [key for key, *_ in case if key not in WHERE] or inputs or any(same < both for _kind, both, same, *_rest in bits)
    return 1 if differ else 0
