"""triad diff: how two runs differ, in their case, program, bits and numbers."""
import json
import math
import os
import re

import h5py
import numpy as np

from triad_plot.compute.errors import FAR, error_of
from triad_plot.options import Parser
from triad_plot.problem import USAGE, Absent, Problem
from triad_plot.read import hdf5
from triad_plot.read import run as runs
from triad_plot.read.means import COMPANIONS, Means

KINDS = (("series", "series.csv", None), ("means", "means.h5", None), ("probes", "probes.csv", None), ("profiles", "profiles.csv", None),
         ("spectra", "spectra", "spectra-"), ("fields", "fields", "fields-"), ("blocks", "fields", "blocks-"), ("slices", "slices", "slice"),
         ("surfaces", "surfaces", "surface-"), ("probes", "probes", ""), ("particles", "particles", ""))
PROGRAM = ("version", "commit", "compiler", "build_flags", "libraries", "system", "cpu", "environment")
WHERE = ("output.authors", "output.license", "initial.file", "grid.file")   # that say nothing of the flow, or where a file is
MOST_ROWS = 12   # of numbers that agree are not printed beyond these


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
    """(names of columns, rows as words)."""
    with open(path, encoding="utf-8", errors="replace") as file:
        lines = [line.rstrip("\n") for line in file if line.strip() and not line.startswith("#")]
    return lines[0].split(",") if lines else [], [line.split(",") for line in lines[1:]]


def numbers_in(rows, width):
    try:
        return np.array([[float(word) if word else np.nan for word in row] for row in rows]).reshape(len(rows), width)
    except ValueError as error:
        raise Problem(f"a row of a table is damaged: {error}") from None


def pairs_of(names, a, b):
    """Numbers of rows (i, j) of the same time, or of the same first number of a table without times, each as often as both have it."""
    key = names.index("t") if "t" in names else 0
    there, out = {}, []
    for j, x in enumerate(b[:, key]):
        there.setdefault(float(f"{x:.13g}"), []).append(j)
    for i, x in enumerate(a[:, key]):
        same = there.get(float(f"{x:.13g}"))
        if same:
            out.append((i, same.pop(0)))
    return out


def compare_tables(one, other):
    """(is it the same bits?, largest difference over the largest value, words)."""
    (names, rows), (names_b, rows_b) = table_of(one), table_of(other)
    if names != names_b:
        only = sorted(set(names) ^ set(names_b))
        return False, math.nan, f"columns differ: {', '.join(only[:6])}" if only else "columns in another order"
    if rows == rows_b or not names:
        return True, 0.0, ""
    a, b = numbers_in(rows, len(names)), numbers_in(rows_b, len(names))
    pairs = pairs_of(names, a, b)
    words = "" if len(pairs) == len(a) == len(b) else f"{len(pairs)} of {len(a)} and {len(b)} rows have the same {'t' if 't' in names else names[0]}"
    if not pairs:
        return False, math.nan, words
    left, right = np.array(pairs).T
    worst = max((difference(a[left, i], b[right, i]), name) for i, name in enumerate(names))
    return False, worst[0], ", ".join(filter(None, (words, f"most in {worst[1]}" if worst[0] > 0 else "")))


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
            off = 0.0 if name.endswith(COMPANIONS) else difference(x, y)   # errors of means are no results of their own
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


def time_in(path):
    """The time of a file, 13 digits of it; None for a file without."""
    if path.endswith(".csv"):
        return None
    t = hdf5.read(path, lambda file: file.attrs.get("t"))
    return None if t is None else f"{float(np.ravel(t)[0]):.13g}"


def kind_in(name):
    """slice1-z=0-00000010.h5 without its step."""
    return re.sub(r"-\d+(?=\.\w+$)", "", name)


def paired(a, b):
    """[(name, name)] of files in both: of the same time, those without a time of the same name."""
    keys = [{name: (kind_in(name), time_in(path)) for name, path in files.items()} for files in (a, b)]
    there = {key: name for name, key in keys[1].items() if key[1] is not None}
    return [(name, there[key]) if key[1] is not None else (name, name) for name, key in keys[0].items()
            if key in there or key[1] is None and name in b]


def bits_of(one, other):
    """[(kind, files in both, of the same bits, names only in the first, names only in the second, largest difference, words)]."""
    out = []
    for kind, place, prefix in KINDS:
        a, b = files_of(one, place, prefix), files_of(other, place, prefix)
        if not a and not b:
            continue
        pairs, same, worst, words = paired(a, b), 0, 0.0, ""
        for name, name_b in pairs:
            compare = compare_tables if name.endswith(".csv") else compare_hdf5
            alike, off, said = compare(a[name], b[name_b])
            same += alike
            if said and (not words or not off <= worst):
                words = f"{name}: {said}"
            worst = max(worst, off) if not math.isnan(off) else worst
        alone = [sorted(set(names) - {pair[i] for pair in pairs}) for i, names in enumerate((a, b))]
        out.append((kind, len(pairs), same, *alone, worst, words))
    return out


# ---- numbers ----

def means_of(run):
    try:
        return Means(run)
    except Absent:
        return None


def apart_of(a, ea, b, eb):
    """The difference in standard errors: nan where no error is known, infinite where both are 0."""
    error = math.hypot(ea, eb)
    return abs(b - a) / error if error > 0 else 0.0 if a == b else math.inf if error == 0 else math.nan


def numbers_of(one, other):
    """(where the means are from, [(name, mean, error, mean, error, difference in units of its error)])."""
    if not (one.has_series and other.has_series):
        return "no series", []
    found = [means_of(run) for run in (one, other)]
    if all(found):
        values = [{name: row[:2] for name, row in f.numbers.items()} for f in found]
        where = "means.h5" if found[0].times == found[1].times else "means.h5, t = {:g} to {:g} and {:g} to {:g}".format(*found[0].times, *found[1].times)
    else:
        end = min(run.series.t[-1] for run in (one, other))
        start = max(end / 2, *(run.series.t[0] for run in (one, other)))
        values = []
        for run in (one, other):
            inside = (run.series.t >= start - 1e-12) & (run.series.t <= end + 1e-12)
            values.append({name: (float(np.nanmean(column[inside])), float(error_of(column[inside])))
                           for name, column in run.series.columns.items() if inside.any() and not np.isnan(column[inside]).all()})
        where = f"series, t = {start:g} to {end:g}" + (f"; only {'ab'[found[0] is None]} has means.h5" if any(found) else "")
    return where, [(name, a, ea, *values[1][name], apart_of(a, ea, *values[1][name])) for name, (a, ea) in values[0].items()
                   if name in values[1] and name not in ("step", "t", "dt")]


def curves_of(one, other):
    """[(name of an array of means, values that differ, of how many, largest difference in standard errors, where, how many lie within two)]
    of spectra, profiles and moments in both means.h5; None in place of the three last where no error is known."""
    found = [means_of(run) for run in (one, other)]
    out = []
    for name, (over, values, error, _unit) in (found[0].arrays.items() if all(found) else ()):
        if name not in found[1].arrays or found[1].arrays[name][1].shape != values.shape:
            continue
        _over, values_b, error_b, _unit = found[1].arrays[name]
        apart = np.array([apart_of(*four) for four in zip(values, error, values_b, error_b)])
        n, known = int(np.sum(values != values_b)), np.isfinite(apart)
        if not known.any():
            out.append((name, n, len(values), None, None, None))
            continue
        at = int(np.argmax(np.where(known, apart, -1)))
        out.append((name, n, len(values), float(apart[at]), f"{over} = {found[0].scales[over][0][at]:.4g}", int(np.sum(apart[known] <= FAR))))
    return out


# ---- what is printed ----

def text_of(value):
    words = "-" if value is None else value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    words = "".join(c if c.isprintable() else "\ufffd" for c in words)
    return words if len(words) <= 60 else words[:57] + "..."


def with_error(mean, error):
    return f"{mean:.6g}" + (f" +- {error:.2g}" if np.isfinite(error) else "")


def alone_text(which, names):
    few = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
    return f"only in {which}: {few}" if names else ""


def bits_lines(bits):
    out = ["bits" if bits else "bits: no files to compare"]
    for kind, both, same, only_a, only_b, worst, words in bits:
        if both and same == both:
            text = f"the same in {both} file{'s' * (both > 1)}"
        else:
            text = f"{same} of {both} files the same" if both else "no file in both"
            text += f"; largest difference {worst:.2g} of the largest value" if worst > 0 else ""
        out.append(f"  {kind}: " + "; ".join(filter(None, (text, words, alone_text("a", only_a), alone_text("b", only_b)))))
    return out


def apart_text(a, b, apart):
    if np.isfinite(apart):
        return f"  {apart:.2g}"
    off = f"{abs(b - a) / max(abs(a), abs(b)):.2g} of the larger" if max(abs(a), abs(b)) > 0 else ""
    return f"  error unknown; {off}" if np.isnan(apart) else f"  no error; {off}"


def numbers_lines(where, numbers):
    """All that are more than two standard errors apart, or whose error is unknown; of the others that differ the first MOST_ROWS."""
    if not numbers:
        return []
    out = [f"numbers ({where}): mean +- standard error; difference in standard errors"]
    different = sorted((n for n in numbers if n[1] != n[3]), key=lambda n: -(n[5] if not math.isnan(n[5]) else math.inf))
    shown = [n for i, n in enumerate(different) if not n[5] <= FAR or i < MOST_ROWS]
    out += [f"  {name}: {with_error(a, ea)} | {with_error(b, eb)}{apart_text(a, b, apart)}" for name, a, ea, b, eb, apart in shown]
    rest = len(numbers) - len(shown)
    if rest:
        out.append(f"  {rest} {'other ' * bool(shown)}column{'s' * (rest > 1)}: the same" + (" or within 2 standard errors" if len(shown) < len(different) else ""))
    return out


def curves_lines(curves):
    out = ["means (means.h5): values that differ; the largest difference in standard errors"] if curves else []
    for name, n, of, apart, at, within in curves:
        if n:
            text = "error unknown" if apart is None else f"{apart:.2g} at {at} at most, {within} within {FAR}"
            out.append(f"  {name}: {n} of {of} differ; {text}")
    rest = len(curves) - len(out[1:])
    if rest:
        out.append(f"  {rest} {'other ' * (rest < len(curves))}dataset{'s' * (rest > 1)}: the same")
    return out


def lines_of(one, other, case, inputs, program, bits, where, numbers, curves):
    out = [f"a  {one.path}: {' '.join(one.title().split())}", f"b  {other.path}: {' '.join(other.title().split())}", ""]
    out.append("case" if case or inputs else "case: the same")
    out += [f"  {key}: {text_of(a)} | {text_of(b)}" for key, a, b in (*case, *inputs)]
    out.append("program" if program else "program: the same")
    out += [f"  {name}: {text_of(a)} | {text_of(b)}" for name, a, b in program]
    return out + bits_lines(bits) + numbers_lines(where, numbers) + curves_lines(curves)


def is_archived(run):
    """Is it the folder run/ of an archive, which leaves out files on purpose?"""
    return os.path.isfile(os.path.join(os.path.dirname(os.path.realpath(run.path)), "manifest-sha256.txt"))


def finite(value):
    """JSON has no nan."""
    return value if not isinstance(value, float) or math.isfinite(value) else None


def run_command(words):
    p = Parser(prog="triad diff", add_help=False, allow_abbrev=False)
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
    curves = curves_of(one, other)
    if options.json:
        keys = ("kind", "in_both", "same_bits", "only_a", "only_b", "largest_difference", "words")
        print(json.dumps({"a": one.path, "b": other.path, "case": {k: [a, b] for k, a, b in case}, "inputs": {k: [a, b] for k, a, b in inputs},
                          "program": {k: [a, b] for k, a, b in program}, "bits": [dict(zip(keys, map(finite, row))) for row in bits],
                          "numbers_from": where,
                          "means": [dict(zip(("name", "differ", "of", "standard_errors", "at", "within"), map(finite, row))) for row in curves],
                          "numbers": {n: dict(zip(("a", "a_error", "b", "b_error", "standard_errors"), map(finite, row))) for n, *row in numbers}},
                         ensure_ascii=False, allow_nan=False, default=str))
    else:
        print("\n".join(lines_of(one, other, case, inputs, program, bits, where, numbers, curves)))
    complete = not (is_archived(one) or is_archived(other))
    differ = [key for key, *_ in case if key not in WHERE] or inputs or any(
        same < both or complete and (only_a or only_b) for _kind, both, same, only_a, only_b, *_rest in bits)
    return 1 if differ else 0
