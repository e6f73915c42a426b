"""Means of spectra over time, with their spread: what flux, transfer and `--mean` draw."""
import numpy as np

from triad_plot.problem import Absent


def window(run, options, name):
    """Files that hold `name` within --from and --to; without them the later half of the times, where a flow has developed."""
    spectra = [s for s in run.spectra if name in s]
    if not spectra:
        run.spectra[-1][name]
    if not options.windowed:
        spectra = [s for s in spectra if s.t >= spectra[-1].t / 2]
    inside = options.inside(spectra, f"{run.path}: no spectra")
    # a run that went on with another grid has other shells: those of its end count
    return [s for s in inside if np.array_equal(s.along(name), inside[-1].along(name))]


def statistics(files, name, scale=1.0):
    """k > 0 up to the last shell with energy, and there mean over the files, quartiles, least, largest, times `scale`."""
    end = max(s.kept(name) for s in files)
    k = files[-1].along(name)[:end]
    table = scale * np.array([s[name][:end] for s in files])
    keep = k > 0
    if not keep.any():
        raise Absent(f"{files[-1].path}: {name} has no shell besides k = 0")
    q1, q3 = np.percentile(table, (25, 75), axis=0)
    return k[keep], *(v[keep] for v in (table.mean(axis=0), q1, q3, table.min(axis=0), table.max(axis=0)))


def draw_spread(axis, found, color, positive=False):
    """Quartiles (darker) and extremes (lighter) over time; on a log axis only what is positive."""
    k, _mean, *edges = found
    q1, q3, least, most = (np.where(e > 0, e, np.nan) for e in edges) if positive else edges
    axis.fill_between(k, least, most, color=color, alpha=0.13, linewidth=0)
    axis.fill_between(k, q1, q3, color=color, alpha=0.25, linewidth=0)


def span_text(files):
    """As one word, which no title breaks."""
    first, end = f"{files[0].t:.3g}", f"{files[-1].t:.3g}"
    text = f"t = {first} to {end}, {len(files)} times" if len(files) > 1 else f"t = {first}"
    return text.replace(" ", "\u00a0")
