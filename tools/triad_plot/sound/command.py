"""triad far-field: sound far from a surface of probes, by Ffowcs Williams and Hawkings' equation."""
import sys
from typing import NamedTuple

import numpy as np

from triad_plot.compute import frequency
from triad_plot.options import Parser
from triad_plot.problem import USAGE, Absent, Problem
from triad_plot.read import probes
from triad_plot.read import run as runs
from triad_plot.sound import formula, medium, observers, surface, write
from triad_plot.sound.record import Record

LEAST = 64       # rows of a series of sound pressure


class Sound(NamedTuple):
    t: np.ndarray          # times of reception [observer, row]
    p: np.ndarray          # sound pressure [observer, row]
    dt: float
    emission: np.ndarray   # angle of emission, degrees [observer]


def number(text):
    try:
        value = float(text)
    except ValueError:
        value = np.nan
    if not np.isfinite(value):
        raise Problem(f"{text[:80]!r} is not a number; triad far-field --help", USAGE)
    return value


def count(text):
    if not text.isdecimal() or not 1 <= int(text) <= 10000:
        raise Problem(f"{text[:80]!r} is not a whole number from 1 to 10000; triad far-field --help", USAGE)
    return int(text)


def parse(words):
    p = Parser(prog="triad far-field", add_help=False, allow_abbrev=False)
    p.add_argument("runs", nargs="*")
    p.add_argument("-o", "--output")
    p.add_argument("--surface")
    for name in ("observer", "observers", "arc"):
        p.add_argument(f"--{name}", action="append", default=[])
    p.add_argument("--around", type=count, default=1)
    p.add_argument("--centre")
    for name in ("pressure", "density", "reference"):
        p.add_argument(f"--{name}", type=number)
    p.add_argument("--stream")
    p.add_argument("--isentropic", action="store_true")
    p.add_argument("--from", dest="first", type=number, default=-np.inf)
    p.add_argument("--to", dest="last", type=number, default=np.inf)
    p.add_argument("--segments", type=count)
    p.add_argument("--band")
    p.add_argument("--triad")
    return p.parse_intermixed_args(words)


def check(options):
    if len(options.runs) != 1:
        raise Problem("triad far-field requires one run directory; triad far-field --help", USAGE)
    if options.first > options.last:
        raise Problem(f"--from {options.first:g} is later than --to {options.last:g}", USAGE)
    if options.reference is not None and not options.reference > 0:
        raise Problem("--reference must be positive", USAGE)
    if options.around > 1 and not options.arc:
        raise Problem("--around requires --arc", USAGE)


def band_of(text):
    """The two frequencies of --band; None without it."""
    if text is None:
        return None
    band = observers.numbers(text, 2, "--band", "LOW,HIGH")
    if not 0 <= band[0] < band[1]:
        raise Problem(f"--band {text[:80]}: must be two frequencies from 0, the higher one second", USAGE)
    return band


def surface_of(run, wanted):
    """The Surface of the probes that --surface names, else of all probes on rings."""
    files = probes.files_of(run)
    if not files:
        raise Absent(f"{run.path}: triad far-field requires probes of solver fct on a cylinder: "
                     'output.probes = ["far: cylinder, x=0, to_x=20, radius=3, n=81, around=32"]')
    names = [name.strip() for name in wanted.split(",")] if wanted else list(files)
    for name in names:
        if name not in files:
            raise Problem(f"{run.path}: has no probe {name[:80]}; the probes are {', '.join(files)}", USAGE)
    found = {name: surface.rings_of(probes.Files(name, files[name])) for name in dict.fromkeys(names)}
    for name, rings in found.items():
        if wanted and rings is None:
            raise Problem(f"{run.path}: probe {name} is neither a cylinder nor a disk", USAGE)
    return surface.build([rings for rings in found.values() if rings])


def refuse_near(where, made):
    """An observer inside the surface, or so near that its points are seen one by one."""
    for i, x in enumerate(where.x):
        nearest = min(float(np.sqrt(np.sum((patch.x - x)**2, axis=1)).min()) for patch in made.patches)
        if made.contains(x) or nearest < 2 * made.spacing:
            raise Problem(f"observer {i + 1} at ({', '.join(f'{a:g}' for a in x)}) is inside the surface, or nearer to it than two spacings of "
                          f"its points, {2 * made.spacing:.3g}", USAGE)


def delays_of(made, at, air):
    """(least, largest) delay of sound from the surface to one observer."""
    ends = [(delay.min(), delay.max()) for delay in (formula.paths(patch.x, at, patch.area, air).delay for patch in made.patches)]
    return min(least for least, _ in ends), max(largest for _, largest in ends)


class Arrivals(NamedTuple):
    """When sound of a record is heard: (first row, number of rows) for each observer, and the number that all observers have."""
    spans: list
    rows: int


def arrivals_of(made, record, where, air):
    """The Arrivals of sound from a surface at observers; from the places alone, before anything is read."""
    delays = np.array([delays_of(made, at, air) for at in where.x])   # least and largest [observer, 2]
    spans = [formula.window(some, len(record.t), record.dt) for some in delays]
    rows = min(number_of for _, number_of in spans)
    if rows < LEAST:
        spread = np.ptp(delays, axis=1).max()
        raise Problem(f"{record.path}: t = {record.t[0]:g} to {record.t[-1]:g}, {len(record.t)} rows, is too short: sound from different points of "
                      f"the surface arrives up to {spread:.3g} apart, which leaves {max(rows, 0)} rows of {LEAST}; run for "
                      f"{(LEAST - rows) * record.dt:.3g} longer")
    return Arrivals(spans, rows)


def compute(made, record, where, air, heard, isentropic=False):
    """The Sound of a surface at observers. Paths are computed for one observer at a time, as all of them may not fit into memory."""
    x, dt, length, spans = where.x, record.dt, heard.rows, heard.spans
    p = np.zeros((len(x), length))
    for patch in made.patches:
        for points in record.blocks(patch.probe):
            f = record.read(patch.probe, points)
            rho = air.rho + (f["p"] - air.p) / air.c**2 if isentropic else f["rho"]
            q = formula.sources(patch.normal[points], rho, np.stack([f["u"], f["v"], f["w"]]), f["p"], air)
            for i in range(len(x)):
                path = formula.paths(patch.x[points], x[i], patch.area[points], air)
                formula.add(p[i], q, path, spans[i][0], dt)
    t = np.array([record.t[0] + first + dt * np.arange(length) for first, _ in spans])
    centre = where.centre[None]
    emission = [observers.angles(formula.paths(centre, at, np.ones(1), air).direction)[0] for at in x]
    return Sound(t, p, dt, np.array(emission))


def limits(made, record, air):
    """The frequencies up to which time derivatives are right, and up to which points of the surface resolve a wave."""
    return formula.highest(record.dt), air.c / (4 * made.spacing)


def check_band(band, rows, dt, highest):
    """A band without any frequency of the record has no level; above `highest` the levels are not those of the sound."""
    if not frequency.within(rows, dt, *band).any():
        raise Problem(f"--band {band[0]:g},{band[1]:g}: the record has no such frequency; those of {rows} rows are multiples of "
                      f"{1 / (rows * dt):.3g} up to {1 / (2 * dt):.3g}", USAGE)
    if band[1] > highest:
        print(f"triad far-field: warning: --band {band[0]:g},{band[1]:g}: the probes of the surface resolve only frequencies up to f = {highest:.3g}", file=sys.stderr)


def sentences(made, record, air, said, band, options):
    """What the files and the terminal say about how the sound was found."""
    right, waves = limits(made, record, air)
    spread = f"interpolated from unequal intervals, error {100 * record.error:.2g} % of the rms pressure" if record.error else "at equal intervals"
    return [f"surface: {made.about}",
            f"medium: pressure {air.p:g}, density {air.rho:g}, speed of sound {air.c:.6g}, stream ({', '.join(f'{u:g}' for u in air.stream)})"
            + ("; densities of the surface from its pressure" if options.isentropic else ""),
            f"record: t = {record.t[0]:g} to {record.t[-1]:g}, {len(record.t)} rows, {spread}",
            f"frequencies: time derivatives are right to 1 % up to f = {right:.3g}; the surface has four points per wavelength "
            f"up to f = {waves:.3g}",
            f"levels: 0 dB is {said}" + (f"; of frequencies from {band[0]:g} to {band[1]:g} only" if band is not None else "")]


def run_command(words):
    options = parse(words)
    check(options)
    band = band_of(options.band)
    where = observers.gather(options)
    run = runs.Run(options.runs[0])
    made = surface_of(run, options.surface)
    air = medium.of_run(run, options)
    reference, said = medium.reference_of(air, options)
    refuse_near(where, made)
    record = Record(made.patches, options.first, options.last)
    heard = arrivals_of(made, record, where, air)
    segments = options.segments or frequency.segments_for(heard.rows)
    if 2 * heard.rows // (segments + 1) < 8:
        raise Problem(f"--segments {segments}: {heard.rows} rows of sound pressure are too few", USAGE)
    if band is not None:
        check_band(band, heard.rows, record.dt, min(limits(made, record, air)))
    sound = compute(made, record, where, air, heard, options.isentropic)
    about = sentences(made, record, air, said, band, options)
    for x, share in made.open:
        print(f"triad far-field: warning: the surface is open at x = {x:g}: {100 * share:.1f} % of a closed one is missing there; "
              f'close it by a probe "end: disk, x={x:g}, radius={made.radius:g}, n=.., around=.."', file=sys.stderr)
    attributes = {"p0": air.p, "rho0": air.rho, "c0": air.c, "stream": air.stream, "error": record.error,
                  "open": np.array([x for x, _ in made.open]), "run": run.label}
    names = write.write(options.output or run / "far-field", sound, where, segments, reference, band, about, attributes)
    print("\n".join([*about, *names]))
    return 0
