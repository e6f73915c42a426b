"""Cubes and slabs of the fields of runs, drawn at random or in order, as numpy arrays: read from the files when they are asked for."""
import numpy as np

from triad import runs
from triad.datasets import Dataset
from triad.errors import InputError, UsageError


class Samples:
    """A sequence of samples from files of fields of one or several runs, on one grid.

    paths: runs or their paths. fields: names, by default those that all files have. cube: points along each side of a cube that is cut
    out, through periodic ends too; slab: planes along z of a slab; without both whole fields. steps: successive files in each sample. per_file:
    cubes that are cut from each file, at places that `seed` and `epoch` fix. Each sample is {"fields": [step, field, z, y, x], "t": [step],
    "origin": (z, y, x), "run": number}. Nothing is open between samples: they may be drawn in processes that are forked.
    """

    def __init__(self, paths, fields=None, cube=None, slab=None, steps=1, per_file=1, seed=0, dtype=np.float32):
        paths = [paths] if isinstance(paths, (str, bytes, runs.Run)) or hasattr(paths, "__fspath__") else list(paths)
        self.runs = [path if isinstance(path, runs.Run) else runs.open(path) for path in paths]
        if not self.runs:
            raise UsageError("no runs are given")
        if cube is not None and slab is not None:
            raise UsageError("cube and slab exclude each other")
        if steps < 1 or per_file < 1:
            raise UsageError(f"steps = {steps}, per_file = {per_file}: both must be at least 1")
        self.cube, self.slab, self.steps, self.seed, self.epoch, self.dtype = cube, slab, int(steps), seed, 0, np.dtype(dtype)
        self._files = [run.fields.paths for run in self.runs]
        self.fields, self.n, self.periodic = self._look(fields)
        self.per_file = int(per_file) if cube is not None else -(-self.n[0] // slab) if slab is not None else 1
        for size in [] if cube is None else self.n:
            if not 1 <= cube <= size and size > 1:
                raise UsageError(f"cube = {cube}: the grid has {' x '.join(map(str, self.n[::-1]))} points")
        if slab is not None and not 1 <= slab <= self.n[0]:
            raise UsageError(f"slab = {slab}: the grid has {self.n[0]} planes along z")
        self._starts = [(number, i) for number, files in enumerate(self._files) for i in range(len(files) - self.steps + 1)]
        if not self._starts:
            raise InputError(f"{self.runs[0].path}: fewer than {self.steps} files of fields (output.fields_interval)")

    def _look(self, wanted):
        """(names, (nz, ny, nx), periodic) that all runs have in common."""
        names, shape, periodic = None, None, True
        for run in self.runs:
            if not len(run.fields):
                raise InputError(f"{run.path} has no fields (output.fields_interval)")
            first = run.fields[0]
            here = [name for name in first if first[name].ndim == 3]
            some = wanted or names or here
            missing = [name for name in some if name not in here]
            if missing:
                raise InputError(f"{first.path} has no {missing[0]}; it has {', '.join(here)}")
            names, size = list(some), first[some[0]].shape
            if shape not in (None, size):
                raise UsageError(f"{run.path} has {' x '.join(map(str, size[::-1]))} points, but the runs before it {' x '.join(map(str, shape[::-1]))}")
            shape = size
            ends = [end for axis in "xyz" for end in run.case.get(f"boundaries.{axis}") or []]
            periodic = periodic and "part_of" not in first.attrs and all(end == "periodic" for end in ends)
            periodic = periodic and not run.case.get("equations.shear")   # its fields repeat along y at another x
        return names, shape, periodic

    def __len__(self):
        return len(self._starts) * self.per_file

    def _place(self, number):
        """(z, y, x) of the first point of sample `number`, and the shape."""
        if self.slab is not None:
            z = (number % self.per_file) * self.slab
            return (z, 0, 0), (min(self.slab, self.n[0] - z), *self.n[1:])
        if self.cube is None:
            return (0, 0, 0), self.n
        random = np.random.default_rng((self.seed, self.epoch, number))
        shape = tuple(min(self.cube, size) for size in self.n)
        most = [size if self.periodic else size - one + 1 for size, one in zip(self.n, shape)]
        return tuple(int(random.integers(m)) if one < size else 0 for m, one, size in zip(most, shape, self.n)), shape

    def _read(self, item, place, shape):
        """A block of one array, through periodic ends in pieces."""
        out = np.empty(shape, self.dtype)
        pieces = []
        for begin, one, size in zip(place, shape, self.n):
            first = min(one, size - begin)
            pieces.append([(slice(begin, begin + first), slice(0, first))] + [(slice(0, one - first), slice(first, one))] * (first < one))
        for z, zo in pieces[0]:
            for y, yo in pieces[1]:
                for x, xo in pieces[2]:
                    out[zo, yo, xo] = item[z, y, x]
        return out

    def __getitem__(self, number):
        if not -len(self) <= number < len(self):
            raise IndexError(number)
        number = int(number) % len(self)
        which, first = self._starts[number // self.per_file]
        place, shape = self._place(number)
        fields, t = np.empty((self.steps, len(self.fields), *shape), self.dtype), np.empty(self.steps)
        for i in range(self.steps):
            dataset = Dataset(self._files[which][first + i])
            t[i] = dataset.t
            for k, name in enumerate(self.fields):
                if dataset[name].shape != self.n:
                    raise UsageError(f"{dataset.path} has {' x '.join(map(str, dataset[name].shape[::-1]))} points, unlike the files before it")
                fields[i, k] = self._read(dataset[name], place, shape)
        return {"fields": fields, "t": t, "origin": np.array(place), "run": which}
