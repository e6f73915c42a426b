"""The files of a run that go into its archive."""
import os
import shutil

from triad_plot.archive import packing
from triad_plot.problem import USAGE, Problem, of_reading
from triad_plot.read import cells, hdf5

PLAIN = ("case.toml", "case.resolved.toml", "case.changes.csv", "case.set.csv", "provenance.json", "log.txt", "series.csv", "profiles.csv",
         "probes.csv", "report.html")
PACKED = ("means.h5", "probes.h5")
FOLDERS = ("means", "probes", "spectra", "surfaces")
WITH = ("slices", "particles", "checkpoint")


def kinds_of(text):
    kinds = [kind.strip() for kind in (text or "").split(",") if kind.strip()]
    for kind in kinds:
        if kind not in WITH:
            raise Problem(f"--with {kind[:80]}: must be {', '.join(WITH)}", USAGE)
    return kinds


def files_of_fields(run, which):
    """Those that --fields names: last, all, none, or the nearest ones to times."""
    files = hdf5.files_in(run / "fields", "fields-") or cells.files_of(run)
    if which == "none" or not files:
        return []
    if which in ("last", "all"):
        return files if which == "all" else files[-1:]
    try:
        times = [float(word) for word in which.split(",")]
    except ValueError:
        raise Problem(f"--fields {which[:80]}: must be last, all, none, or times separated by commas", USAGE) from None
    t = [hdf5.read(path, hdf5.time_of) for path in files]
    return [files[i] for i in sorted({min(range(len(t)), key=lambda i: abs(t[i] - time)) for time in times})]


class Collected:
    """What has been copied: errors {path in the archive: {dataset: (largest, rms)}}, notes for the reader."""

    def __init__(self, run, folder, error):
        self.run, self.folder, self.error = run, folder, error
        self.errors, self.notes = {}, []

    def plain(self, path):
        to = os.path.join(self.folder, "run", path)
        os.makedirs(os.path.dirname(to), exist_ok=True)
        try:
            shutil.copyfile(self.run / path, to, follow_symlinks=True)
        except OSError as error:
            raise of_reading(self.run / path, error) from None

    def packed(self, path, error=0.0):
        """An HDF5 file, compressed; one whose datasets need a plugin stays as it is, unless it is rounded."""
        if not error and packing.has_other_filters(self.run / path):
            self.plain(path)
            note = "Fields are compressed by zfp, with the error that their attribute shell_error gives: h5py requires `import hdf5plugin`."
            self.notes += [note] if note not in self.notes else []
            return
        to = os.path.join(self.folder, "run", path)
        os.makedirs(os.path.dirname(to), exist_ok=True)
        made = packing.pack(self.run / path, to, error)
        if made:
            self.errors[f"run/{path}"] = made

    def within(self, path):
        return os.path.relpath(path, self.run.path)


def _names(folder):
    return sorted(os.listdir(folder)) if os.path.isdir(folder) else []


def collect(run, folder, which, error, kinds):
    out = Collected(run, folder, error)
    for name in PLAIN:
        if os.path.isfile(run / name):
            out.plain(name)
    for name in PACKED:
        if os.path.isfile(run / name):
            out.packed(name)
    for place in FOLDERS:
        for path in hdf5.files_in(run / place, ""):
            out.packed(out.within(path))
    for place, _folders, names in sorted(os.walk(run / "inputs")):
        for name in sorted(names):
            out.plain(out.within(os.path.join(place, name)))
    _collect_fields(run, out, which, error)
    if "slices" in kinds:
        for path in hdf5.files_in(run / "slices", "slice"):
            out.packed(out.within(path))
    if "particles" in kinds:
        for path, group in ((group.path, group) for group in run.particles.values()):
            out.packed(out.within(path))  # the rows themselves come with it
    if "checkpoint" in kinds:
        _collect_checkpoint(run, out)
    return out


def _collect_fields(run, out, which, error):
    chosen = files_of_fields(run, which)
    for path in chosen:
        out.packed(out.within(path), error)
    if chosen and os.path.isfile(run / "fields/grid.h5"):
        out.packed("fields/grid.h5")
    whole = hdf5.files_in(run / "fields", "fields-") or cells.files_of(run)
    if os.path.isfile(run / "fields/fields.xmf") and len(chosen) == len(whole) and not any(p.endswith(".vtkhdf") for p in whole):
        out.plain("fields/fields.xmf")
    if len(chosen) < len(whole):
        out.notes.append(f"{len(chosen)} of {len(whole)} files of fields are in the archive.")


def _collect_checkpoint(run, out):
    names = [name for name in _names(run / "checkpoints") if name.startswith("step-")]
    if not names:
        raise Problem(f"{run.path}: --with checkpoint: there is none")
    newest = max(names, key=lambda name: (len(name), name))
    for name in _names(run / f"checkpoints/{newest}"):
        out.plain(f"checkpoints/{newest}/{name}")
