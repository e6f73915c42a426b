"""Many runs of one case: every combination of some parameters' values, side by side on ranks, and means over them."""
import csv
import itertools
import json
import os

import numpy as np

from triad import program, runs, values
from triad.errors import CaseError, InputError, UsageError


class Mean:
    """A column's mean over runs that differ in some parameters only: t, mean, error (the standard error of the mean, nan
    of one run), runs, and the parameters that they have in common."""

    def __init__(self, parameters, members, t, rows):
        self.parameters, self.runs, self.t = parameters, members, t
        self.mean = rows.mean(axis=0)
        n = len(rows)
        self.error = rows.std(axis=0, ddof=1) / np.sqrt(n) if n > 1 else np.full(len(t), np.nan)

    def __repr__(self):
        return f"<mean of {len(self.runs)} runs, {self.parameters}, {len(self.t)} times>"


class Ensemble:
    """Runs of a case for each combination of parameters: {"equations.viscosity": [0.01, 0.005], "initial.seed": range(8)}.

    case: a path or a dictionary; further tables change it, as of triad.Flow. dir: the folder of all, by default the
    case's name. What stands there is an ensemble already: run() goes on with it.
    """

    def __init__(self, case, parameters, *, dir=None, **tables):
        self.parameters = {key: _list_of(key, some) for key, some in parameters.items()}
        if not self.parameters or not all(self.parameters.values()):
            raise UsageError("an ensemble requires parameters with values")
        self._case, self._sets = case, values.sets_of(tables)
        if dir is None and isinstance(case, dict):
            raise UsageError("an ensemble of a dictionary requires dir=")
        self.dir = os.fspath(dir) if dir is not None else os.path.splitext(os.path.basename(os.fspath(case)))[0]

    def __len__(self):
        return len(self.combinations)

    @property
    def combinations(self):
        """The parameters of each run, in order."""
        return [dict(zip(self.parameters, some)) for some in itertools.product(*self.parameters.values())]

    def _path(self):
        if not isinstance(self._case, dict):
            return os.fspath(self._case)
        os.makedirs(self.dir, exist_ok=True)
        path = os.path.join(self.dir, "case.toml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(values.toml_of(self._case))
        return path

    def run(self, ranks=1, options=()):
        """`triad run --sweep`, on so many ranks of mpirun: as many runs go side by side. Its exit code, where it is not 0,
        is an exception, after all runs have ended. options: further options of triad run."""
        if isinstance(options, str):
            raise UsageError(f"options must be a list of strings, not {options!r}")
        words = ["run", self._path(), "--dir", self.dir, "-q", *options]
        words += [word for text in self._sets for word in ("--set", text)]
        for key, some in self.parameters.items():
            words += ["--sweep", f"{key}=" + ",".join(values.text_of(value, key) for value in some)]
        mpirun = os.environ.get("MPIRUN") or "mpirun"
        program.command(*words, launcher=[*mpirun.split(), "-n", str(int(ranks))] if ranks > 1 else [])
        return self

    @property
    def runs(self):
        """A triad.Run for each combination; CaseError where a folder holds a run of other parameters."""
        out = [runs.open(os.path.join(self.dir, f"run-{i + 1:03d}")) for i in range(len(self))]
        for run, some in zip(out, self.combinations):
            self._check(run.path, run.case, some)
        return out

    @staticmethod
    def _check(where, found, wanted):
        for key, value in wanted.items():
            if key in found and not key.endswith(".file") and _differ(found[key], value):
                raise CaseError(f"{where} has {key} = {found[key]}, not {values.text_of(value, key)}: the ensemble was run "
                                "with other parameters, or in another order")

    @property
    def table(self):
        """ensemble.csv: a list of dictionaries, a run each: run, the parameters, exit_code, the last row of its series."""
        path = os.path.join(self.dir, "ensemble.csv")
        if not os.path.exists(path):
            raise InputError(f"{path}: no such file; run() writes it")
        with open(path, newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
        if len(rows) != len(self):
            raise CaseError(f"{path} has {len(rows)} runs, but these parameters give {len(self)}")
        for row, some in zip(rows, self.combinations):
            self._check(f"{path}, {row['run']}", {key: _value(text) for key, text in row.items()}, some)
        texts = {"run", *self.parameters}
        return [{**{key: text if key in texts else _number(text) for key, text in row.items()}, **some}
                for row, some in zip(rows, self.combinations)]

    def mean(self, column, over="initial.seed", t=None):
        """Means of a column of the series over the values of one parameter, or of several: a Mean for each combination of the
        others. Rows are brought to the times t, by default those of the first run as far as all have come, linear between rows; nan where one of the
        runs has none."""
        over = [over] if isinstance(over, str) else list(over)
        missing = [key for key in over if key not in self.parameters]
        if missing:
            raise UsageError(f"{missing[0]} is not a parameter of the ensemble; the parameters are {', '.join(self.parameters)}")
        groups = {}
        for run, some in zip(self.runs, self.combinations):
            rest = {key: value for key, value in some.items() if key not in over}
            groups.setdefault(repr(rest), (rest, []))[1].append(run)
        out = []
        for rest, members in groups.values():
            series = [run.series for run in members]
            last = min(float(s.t[-1]) for s in series)
            times = np.asarray(series[0].t[series[0].t <= last] if t is None else t, np.float64)
            out.append(Mean(rest, members, times, np.array([_at(times, s.t, s[column]) for s in series])))
        return out

    def __repr__(self):
        return f"<triad.Ensemble {self.dir}: {len(self)} runs of {', '.join(self.parameters)}>"


def _list_of(key, some):
    if isinstance(some, (str, bytes, dict)) or not hasattr(some, "__iter__"):
        raise UsageError(f"{key} must be a list of values, not {some!r}")
    some, seen = list(some), set()
    for text in (values.text_of(value, key) for value in some):
        if text in seen:
            raise UsageError(f"{key} has the value {text} twice; both runs would be the same, and errors of means too small")
        seen.add(text)
    return some


def _differ(found, wanted):
    """Numbers, texts and lists of them; a number that stands as a formula is none to compare."""
    wanted = wanted.tolist() if hasattr(wanted, "tolist") else wanted
    if isinstance(found, (list, tuple)) and isinstance(wanted, (list, tuple)):
        return len(found) != len(wanted) or any(map(_differ, found, wanted))
    alike = isinstance(found, str) == isinstance(wanted, str) and isinstance(found, (list, tuple)) == isinstance(wanted, (list, tuple))
    return alike and found != wanted


def _value(text):
    try:
        return json.loads(text)
    except ValueError:
        return text


def _at(times, t, column):
    out = np.interp(times, t, column)
    slack = 1e-9 * abs(float(t[-1]))  # of a last row that steps have come to
    out[(times < t[0]) | (times > t[-1] + slack)] = np.nan
    return out


def _number(text):
    return float(text) if text else float("nan")
