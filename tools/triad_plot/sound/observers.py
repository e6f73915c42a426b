"""Where the sound is wanted: points of options and of files, arcs about the x axis."""
from typing import NamedTuple

import numpy as np

from triad_plot.problem import USAGE, Problem, of_reading

MOST = 2000


class Observers(NamedTuple):
    x: np.ndarray         # [observer, 3]
    centre: np.ndarray    # from which distances and angles count

    @property
    def distance(self):
        return np.sqrt(np.sum((self.x - self.centre)**2, axis=1))

    @property
    def angle(self):
        """In degrees from the x axis, downstream."""
        return angles(self.x - self.centre)


def angles(d):
    return np.degrees(np.arctan2(np.hypot(d[:, 1], d[:, 2]), d[:, 0]))


def numbers(text, n, option, form):
    try:
        values = [float(word) for word in text.split(",")]
    except ValueError:
        values = []
    if len(values) != n or not np.isfinite(values).all():
        raise Problem(f"{option} {text[:80]}: must be {form}", USAGE)
    return np.array(values)


def refuse_many(count):
    if count > MOST:
        raise Problem(f"{count} observers are more than {MOST}", USAGE)


def of_arc(text, around, centre):
    radius, begin, end, count = numbers(text, 4, "--arc", "RADIUS,FROM,TO,N, such as 50,30,150,13")
    if not (radius > 0 and 1 <= count <= MOST and count == int(count)):
        raise Problem(f"--arc {text[:80]}: the radius must be positive, and N a whole number from 1 to {MOST}", USAGE)
    refuse_many(int(count) * around)
    theta = np.radians(np.linspace(begin, end, int(count)))[:, None]
    phi = 2 * np.pi * np.arange(around) / around
    return centre + radius * np.stack([np.cos(theta) + 0 * phi, np.sin(theta) * np.cos(phi), np.sin(theta) * np.sin(phi)], axis=-1).reshape(-1, 3)


def of_file(path):
    """Rows x,y,z; lines that begin with # and a first line of names are skipped."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            lines = [line for line in file if line.strip() and not line.startswith("#")]
    except OSError as error:
        raise of_reading(path, error) from None
    if lines and lines[0].replace(" ", "").strip() == "x,y,z":
        lines = lines[1:]
    if not lines:
        raise Problem(f"{path}: has no observers; each line is x,y,z")
    refuse_many(len(lines))
    return np.stack([numbers(line.strip(), 3, f"{path}:", "x,y,z") for line in lines])


def gather(options):
    centre = numbers(options.centre, 3, "--centre", "X,Y,Z") if options.centre else np.zeros(3)
    found = [numbers(text, 3, "--observer", "X,Y,Z")[None] for text in options.observer]
    found += [of_file(path) for path in options.observers]
    found += [of_arc(text, options.around, centre) for text in options.arc]
    if not found:
        raise Problem("triad far-field requires observers: --arc RADIUS,FROM,TO,N, --observer X,Y,Z or --observers FILE", USAGE)
    x = np.concatenate(found)
    refuse_many(len(x))
    return Observers(x, centre)
