"""film: the slices of a run (or planes of its fields, or pictures in space) as numbered frames on one scale of colours, and a
film of them.

ffmpeg makes an .mp4 or a .gif; without it there is a .gif, which Pillow makes, a part of every matplotlib.
"""
import os
import shutil
import subprocess

import numpy as np

from triad_plot.draw import page
from triad_plot.figures.space import sections, slices
from triad_plot.options import COLOUR, FIELD, GRID, LABEL, LEVEL, OF, PLANE, SOURCE, TIMES, TITLE
from triad_plot.problem import INPUT_OUTPUT, USAGE, Absent, Problem
from triad_plot.read import cells, planes
from triad_plot.read.run import Run, newest_below

TAKES = {"slice": (TIMES, TITLE, LABEL, FIELD, PLANE, OF), "vortices": (TIMES, TITLE, LABEL, FIELD, OF, LEVEL, COLOUR, GRID, SOURCE),
         "volume": (TIMES, TITLE, LABEL, FIELD, OF, GRID, SOURCE)}
RATE = 12            # frames a second
DOTS = 120           # an inch
EXIT_UNAVAILABLE = 69


def times_in(files):
    """Of the first plane, where there are several."""
    first = os.path.basename(files[0]).split("-")[0]
    return [planes.time_of(path) for path in files if os.path.basename(path).split("-")[0] == first]


def times_of_cells(run, options):
    """Of the files of a mesh or of blocks, where a film is made of these."""
    found = [planes.time_of(path) for path in cells.files_of(run)]
    inside = [t for t in found if options.t_from <= t <= options.t_to]
    if not inside:
        raise Absent(f"{run.path}: no fields at these times; the fields cover t = {found[0]:g} to {found[-1]:g}")
    return inside


def of_cells(run, options):
    """Is the film one of cells? Not where there are more slices than fields, unless a field or a plane is asked for."""
    files = cells.files_of(run)
    more = len({os.path.basename(p).split("-")[-1] for p in run.slice_files}) > len(files)
    return bool(files) and (run.solver == "multiblock" or options.plane is not None or options.field is not None or not more)


def frames_of_cells(run, options, times, folder):
    """Likewise of planes of cells, which stay where they are: their colours change."""
    first = options.at_time(times[0])
    found = cells.open_cells(sections.path_at(run, first))
    section, names = sections.section_of(run, found, options), sections.names_of(found, options)
    ends = {name: (np.inf, -np.inf) for name in names}
    for t in times:
        now = cells.open_cells(sections.path_at(run, options.at_time(t)))
        for name in names:
            values = sections.value_of(now, name)[0][section.order]
            ends[name] = min(ends[name][0], np.nanmin(values)), max(ends[name][1], np.nanmax(values))
    figure, axes = sections.sheet(run, first, len(names))
    shown, paths, moving = [], [], None
    for axis, name in zip(axes, names):
        scale = slices.colours(*map(float, ends[name]), name in sections.SIGNED and ends[name][0] < 0 < ends[name][1])
        shown.append(sections.draw_panel(figure, axis, run, first, name, False, scale, found, section)[0])
        axis.set_title(sections.caption(section, found, time=False), loc="left", fontsize=10)
    for number, t in enumerate(times, 1):
        now = cells.open_cells(sections.path_at(run, options.at_time(t)))
        for picture, name in zip(shown, names):
            picture.set_array(sections.value_of(now, name)[0][section.order])
        page.title(figure, f"{options.title_of([run])}   t = {t:.{digits(times)}f}")
        moving = moving or page.Moving(figure, list(zip(axes, shown)), DOTS)
        paths.append(os.path.join(folder, f"frame-{number:04d}.png"))
        moving.write(paths[-1])
    return paths


def times_of(run, options):
    """Times within --from and --to at which there are planes."""
    files = run.slice_files or run.field_files
    if not files:
        raise Absent(f"{run.path}: has neither slices nor fields (output.slices_interval, output.fields_interval)")
    found = times_in(files)
    if run.slice_files and planes.of_run(run, options.at_time(found[0]))[0].t != found[0]:
        found = times_in(run.field_files)  # the slices do not show what is asked for
    inside = [t for t in found if options.t_from <= t <= options.t_to]
    if not inside:
        raise Absent(f"{run.path}: no planes at these times; the planes cover t = {found[0]:g} to {found[-1]:g}")
    return inside


def scales(run, options, times):
    """(ends of the colours, has it a sign) of each panel, over all times."""
    ends, signed = [], []
    for t in times:
        cuts = planes.of_run(run, options.at_time(t))[:slices.MOST_PANELS]
        if not ends:
            ends, signed = [None] * len(cuts), [False] * len(cuts)
        if len(cuts) != len(ends):
            raise Problem(f"{run.path}: the planes at t = {t:g} differ from earlier ones; select with --field, --plane and --from")
        for i, c in enumerate(cuts):
            found = slices.extremes(c)
            if found:
                ends[i] = found if ends[i] is None else (min(ends[i][0], found[0]), max(ends[i][1], found[1]))
            signed[i] = signed[i] or c.signed
    if None in ends:
        raise Absent(f"{run.path}: a plane has no finite value")
    return [(slices.colours(*e, s and not c.is_line), s) for e, s, c in zip(ends, signed, cuts)]


def frames(run, options, times, folder):
    """Writes frame-0001.png, ..; returns their paths. One figure is drawn, and its pictures and time are changed."""
    fixed, shown, paths, moving = scales(run, options, times), [], [], None
    for number, t in enumerate(times, 1):
        cuts = planes.of_run(run, options.at_time(t))[:slices.MOST_PANELS]
        for c, (_ends, signed) in zip(cuts, fixed):
            c.signed = signed
        if not shown:
            figure, axes = slices.sheet(cuts)
            shown = [slices.draw_one(figure, axis, c, ends) for axis, c, (ends, _s) in zip(axes, cuts, fixed)]
            for axis, c in zip(axes, cuts):
                axis.set_title(slices.caption_of(c, time=False), loc="left", fontsize=10)
        for artist, c in zip(shown, cuts):
            artist.set_ydata(c.values.ravel()) if c.is_line else artist.set_data(c.drawn()[0])
        # as many digits at any time: the title stands still
        page.title(figure, f"{options.title_of([run])}   t = {t:.{digits(times)}f}")
        moving = moving or page.Moving(figure, list(zip(axes, shown)), DOTS)
        paths.append(os.path.join(folder, f"frame-{number:04d}.png"))
        moving.write(paths[-1])
    return paths


def frames_in_space(kind, run, options, folder):
    """Likewise of vortices or a volume."""
    from triad_plot.figures.space import solid
    from triad_plot.read import space
    times = [t for t, _path in space.files(run, options.source) if options.t_from <= t <= options.t_to]
    if not times:
        raise Absent(f"{run.path}: no fields or checkpoints at these times")
    paths, moving = [], []

    def write(figure, image, number, caption):
        page.title(figure, f"{options.title_of([run])}   t = {times[number - 1]:.{digits(times)}f}")
        if not moving:
            image.axes.set_title(caption, loc="left", fontsize=10)
            moving.append(page.Moving(figure, [(image.axes, image)], DOTS))
        paths.append(os.path.join(folder, f"frame-{number:04d}.png"))
        moving[0].write(paths[-1])

    solid.frames(kind, run, options, times, write)
    return paths


def digits(times):
    """Behind the point: enough to tell neighbouring times apart."""
    least = min((b - a for a, b in zip(times, times[1:])), default=1.0)
    return next((d for d in range(8) if least >= 0.5 * 10.0 ** -d), 8)


def with_ffmpeg(pattern, path):
    """Frames of any size: an even number of pixels is what the usual format of colours wants."""
    how = ["-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2:color=white", "-preset", "veryfast", "-crf", "20", "-pix_fmt", "yuv420p"]
    if path.lower().endswith(".gif"):  # the 255 colours that all frames together want
        how = ["-filter_complex", "[0:v]split[a][b];[a]palettegen=stats_mode=full[p];[b][p]paletteuse=dither=none"]
    command = ["ffmpeg", "-y", "-loglevel", "error", "-framerate", str(RATE), "-i", pattern, *how, path]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
    if done.returncode != 0:
        why = (done.stderr.strip().splitlines() or [f"ended with {done.returncode}"])[-1]
        raise Problem(f"{path}: ffmpeg: {why[:300]}", INPUT_OUTPUT)


def with_pillow(paths, path):
    from PIL import Image
    first, *rest = [Image.open(p).convert("RGB").quantize(colors=255, method=Image.Quantize.MEDIANCUT) for p in paths]
    first.save(path, save_all=True, append_images=rest, duration=1000 // RATE, loop=0, optimize=False)


def film_path(options, folder, name):
    """Where the film goes; without a suffix it is .mp4 where there is ffmpeg, else .gif."""
    have = shutil.which("ffmpeg") is not None
    path = options.output or os.path.join(folder, name)
    suffix = os.path.splitext(path)[1].lower()
    if suffix == ".mp4" and not have:
        raise Problem(f"-o {path}: requires ffmpeg, which was not found (apt install ffmpeg); .gif does not require it", EXIT_UNAVAILABLE)
    if suffix in (".mp4", ".gif"):
        return path
    if suffix in page.KINDS:
        raise Problem(f"-o {path}: the extension must be .mp4 or .gif", USAGE)
    return path + (".mp4" if have else ".gif")


def run_command(options, name):
    kind = options.of or "slice"
    options.refuse(name if kind == "slice" else f"{name} --of {kind}", TAKES[kind])
    if len(options.paths) > 1 or len(options.labels) > 1:
        raise Problem(f"triad-plot {name} requires one run directory", USAGE)
    found = options.paths[0] if options.paths else newest_below(".")
    if not found:
        raise Problem(f"no run directory in this folder; give its path, for example: triad-plot {name} my-run", 66)
    run = Run(found)
    path = film_path(options, os.path.join(run.path, "figures"), name if kind == "slice" else f"{name}-{kind}")
    folder = os.path.splitext(path)[0]
    if kind != "slice":
        made = frames_in_space(kind, run, options, folder)
    elif of_cells(run, options):
        made = frames_of_cells(run, options, times_of_cells(run, options), folder)
    else:
        made = frames(run, options, times_of(run, options), folder)
    try:
        if path.endswith(".mp4") or shutil.which("ffmpeg"):
            with_ffmpeg(os.path.join(folder, "frame-%04d.png"), path)
        else:
            with_pillow(made, path)
    except OSError as error:
        raise Problem(f"{path}: cannot be written: {error.strerror or error}", INPUT_OUTPUT) from None
    print(f"{path}\n{os.path.join(folder, 'frame-0001.png')} to {len(made):04d}")
    return 0
