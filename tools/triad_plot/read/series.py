"""series.csv: columns by name, with unit and formula from the lines that start with #."""
import re

import numpy as np

from triad_plot.problem import Absent, Problem, of_reading

LIMIT = re.compile(r"; resolved: at (least|most) ([0-9.]+)$")
# those of patches have letters of any script, - and ., as the mesh or its map has them
NAME = r"[A-Za-z](?:[\w.+-]|[^\x00-\x7f])*"
ABOUT = re.compile(r"# (" + NAME + r") \[([^\]]*)\]: (.*)")


class Series:
    def __init__(self, path):
        self.path, self.units, self.formulae = path, {}, {}
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                names = self._read_head(file)
                table = self._read_rows(file, len(names))
        except (OSError, ValueError) as error:
            raise of_reading(path, error) from None
        self.columns = dict(zip(names, table.T))
        self.spoilt = {names[i] for i in self._wrong}
        if "t" not in self.columns:
            raise Problem(f"{path}: not a series of Triad (column t is missing)")

    def _read_head(self, file):
        for line in file:
            about = ABOUT.match(line)
            if about:
                self.units[about.group(1)], self.formulae[about.group(1)] = about.group(2, 3)
            elif line.strip() and not line.startswith("#"):
                names = [name.strip() for name in line.split(",")]
                if not all(re.fullmatch(NAME, name) for name in names):
                    break
                return names
        raise Problem(f"{self.path}: not a series of Triad (column names are missing)")

    def _read_rows(self, file, n):
        rows = []
        for line in file:
            words = line.split(",")
            # a run that is being written, or was killed, may end in half a line
            if len(words) != n or not line.endswith("\n"):
                break
            rows.append(line)
        if not rows:
            raise Problem(f"{self.path}: has no rows yet")
        words = [row.split(",") for row in rows]
        # a place that means nothing, as Re_lambda without viscosity, is empty; "nan" is a number that is spoilt
        table = np.array([[float(word) if word.strip() else np.nan for word in row] for row in words])
        self._wrong = {i for row in words for i, word in enumerate(row) if "nan" in word}
        if line is not rows[-1] and any(True for _ in file):
            raise Problem(f"{self.path}: row {len(rows) + 1} does not have {n} columns")
        return table

    def __contains__(self, name):
        return name in self.columns

    def __getitem__(self, name):
        if name not in self.columns:
            raise Absent(f"{self.path}: has no column {name}")
        return self.columns[name]

    @property
    def t(self):
        return self.columns["t"]

    def at(self, name, t):
        """The column at time t, linear between rows; nan where there is none, or t lies outside."""
        if name not in self.columns:
            return float("nan")
        return float(np.interp(t, self.t, self.columns[name], left=float("nan"), right=float("nan")))

    def row_of(self, step):
        """Index of the row of this step, or None."""
        if "step" not in self.columns:
            return None
        found = np.nonzero(self.columns["step"] == step)[0]
        return int(found[-1]) if len(found) else None

    def limits(self):
        """{column: (is it a least value?, the value)} of the columns that say what a resolved flow has."""
        said = {name: LIMIT.search(text) for name, text in self.formulae.items() if name in self.columns}
        out = {name: (match[1] == "least", float(match[2])) for name, match in said.items() if match}
        if "kmax_eta" in self.columns and "sgs_dissipation" not in self.columns:  # a closure need not resolve all scales
            out.setdefault("kmax_eta", (True, 1.0))   # series of before said none
        return out

    def unit(self, name):
        return self.units.get(name, "")
