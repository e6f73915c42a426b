"""parts: how the blocks of a grid are cut and dealt to ranks, from the files of `triad grid --ranks N`: the first plane of constant k, as
much of it as is near bodies, and of bodies in space their surface."""
import os
from typing import NamedTuple

import numpy as np
from matplotlib.collections import LineCollection

from triad_plot.draw import page, style
from triad_plot.problem import Problem, of_reading

COLUMNS = "block,i_first,i_last,j_first,j_last,k_first,k_last,rank"
SHADES = 7           # rank r has colour r modulo these, in three strengths by turns
BODY_FACE = "5"      # the lower face across j in a neutral map file: where bodies are
FAR = 8              # times as large as bodies is the whole plane, where there is a nearer look
LETTERS = 0.2, 0.14  # inches that the number of a rank takes
LINES_EACH = 90      # at most so many lines of the grid on a picture each way; of finer ones every second, fourth, ..


class Parts(NamedTuple):
    path: str
    nodes: list         # of each block [coordinate][k][j][i]
    table: np.ndarray   # rows of COLUMNS
    bodies: list        # (block from 0, first and last node along k, along i) of what is not joined at j's lower face
    ranks: int


def nodes_of(path):
    """What `triad grid --write` writes: records of Fortran with their lengths around, doubles, all of x, then of y, of z."""
    try:
        raw = np.memmap(path, dtype="u1", mode="r")
    except (OSError, ValueError) as error:
        raise of_reading(path, error) if isinstance(error, OSError) else Problem(f"{path}: is empty") from None
    def numbers(at, n, kind="<i4"):
        return np.frombuffer(raw[at:at + n * np.dtype(kind).itemsize].tobytes(), kind)
    try:
        n = int(numbers(4, 1)[0])
        sizes = numbers(16, 3 * n).reshape(n, 3).astype(int)
        at, blocks = 20 + 12 * n, []
        for size in sizes:
            count = int(3 * np.prod(size))
            if tuple(numbers(at, 1)) != (8 * count,) or min(size) < 2:
                raise ValueError
            blocks.append(raw[at + 4:at + 4 + 8 * count].view("<f8").reshape(3, *size[::-1]))
            at += 8 + 8 * count
    except (ValueError, IndexError):
        raise Problem(f"{path}: not a PLOT3D file of triad grid --write") from None
    if at != len(raw) or not blocks:
        raise Problem(f"{path}: not a PLOT3D file of triad grid --write")
    return blocks


def bodies_of(path):
    """From the map that is written with the nodes; without it nothing is known of faces."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            rows = [line.split() for line in file if line.strip() and line[0].isalpha()]
        return [(int(row[1]) - 1, *(int(word) - 1 for word in row[3:7])) for row in rows if row[0] != "ONE_TO_ONE" and row[2] == BODY_FACE]
    except (OSError, ValueError, IndexError):
        return []


def of_path(path):
    """GRID.parts, and the nodes beside it; of GRID.x the same."""
    stem, end = os.path.splitext(path)
    try:
        with open(f"{stem}.parts", encoding="utf-8", errors="replace") as file:
            lines = [line.strip() for line in file if not line.startswith("#")]
        rows = np.array([[int(word) for word in line.split(",")] for line in lines[1:]])
    except OSError as error:
        raise of_reading(f"{stem}.parts", error) from None
    except ValueError:
        lines = []
    if not lines or lines[0] != COLUMNS or rows.ndim != 2 or rows.shape[1] != 8:
        raise Problem(f"{stem}.parts: not a table of triad grid --ranks")
    blocks = nodes_of(path if end != ".parts" else f"{stem}.x")
    cells = sum(int(np.prod(np.array(b.shape[1:]) - 1)) for b in blocks)
    if rows[:, 0].max() > len(blocks) or np.prod(rows[:, 2:7:2] - rows[:, 1:6:2] + 1, axis=1).sum() != cells:
        raise Problem(f"{stem}.parts: does not match the grid {stem}.x")
    return Parts(path, blocks, rows, bodies_of(f"{stem}.nmf"), int(rows[:, 7].max()) + 1)


def plane_of(parts):
    """[(rank, x, y, z of nodes [j][i])] of the parts at the first plane of constant k of their block."""
    out = []
    for block, i, i_last, j, j_last, k, _, rank in parts.table:
        if k == 1:
            out.append((rank, *(np.array(x[0, j - 1:j_last + 1, i - 1:i_last + 1]) for x in parts.nodes[block - 1])))
    return out


def bodies_in(parts):
    """Likewise, of nodes [k][i] of bodies, which lie at the first plane across j."""
    out = []
    for block, i, i_last, j, _, k, k_last, rank in parts.table:
        for body, k_from, k_to, i_from, i_to in parts.bodies:
            low, high = (max(k - 1, k_from), max(i - 1, i_from)), (min(k_last, k_to), min(i_last, i_to))
            if body == block - 1 and j == 1 and low[0] < high[0] and low[1] < high[1]:
                out.append((rank, *(np.array(x[low[0]:high[0] + 1, 0, low[1]:high[1] + 1]) for x in parts.nodes[body])))
    return out


def limits(found, coordinate):
    return min(p[1 + coordinate].min() for p in found), max(p[1 + coordinate].max() for p in found)


def seen(found):
    """The two coordinates along which a plane is longest: across the page and up."""
    across, up = sorted(np.argsort([np.ptp(limits(found, c)) for c in range(3)])[-2:])
    return int(across), int(up)


def nearer(found, bodies, axes):
    """The box about the bodies, half as large again on each side, of both axes; None where it is most of all."""
    if not bodies:
        return None
    ends = [limits(bodies, c) for c in axes]
    side = max(np.ptp(e) for e in ends)
    far = max(np.ptp(limits(found, c)) for c in axes) > FAR * side
    return [(np.mean(e) - 0.8 * side, np.mean(e) + 0.8 * side) for e in ends] if far else None


def color_of(rank):
    """Of the house's colours, lighter every second time round."""
    color = np.array([int(style.COLORS[rank % SHADES][i:i + 2], 16) for i in (1, 3, 5)]) / 255
    return tuple(1 - (1 - color) * (0.75, 0.4, 0.55)[rank // SHADES % 3])


def lines_of(x, y, width, height):
    """Lines of the grid of one part, not all of them where they would be closer than a picture shows."""
    out = []
    for a, b in ((x, y), (x.T, y.T)):
        steps = np.hypot(np.diff(a, axis=0) / width, np.diff(b, axis=0) / height)
        every = 1
        while every < len(a) and every * np.median(steps) * LINES_EACH < 1:
            every *= 2
        out += [np.column_stack([a[i], b[i]]) for i in range(every, len(a) - 1, every)]
    return out


def draw_plane(axis, found, axes, window, inches, numbered=True):
    ends = window or [limits(found, c) for c in axes]
    width, height = (max(np.ptp(e) for e in ends),) * 2
    for rank, *place in reversed(found):
        x, y = (place[c] for c in axes)
        ring = [np.concatenate([v[0], v[1:, -1], v[-1, -2::-1], v[-2::-1, 0]]) for v in (x, y)]
        axis.fill(*ring, facecolor=color_of(rank), edgecolor="none")
        axis.add_collection(LineCollection(lines_of(x, y, width, height), colors="white", linewidths=0.25), autolim=False)
        axis.plot(*ring, color=style.INK, linewidth=0.7)
    axis.set_aspect("equal")
    axis.grid(False)
    for set_limits, (low, high) in zip((axis.set_xlim, axis.set_ylim), ends):
        set_limits(low - (0 if window else 0.02 * width), high + (0 if window else 0.02 * width))
    taken = []
    for rank, *place in found if numbered else ():
        x, y = (place[c][place[c].shape[0] // 2, place[c].shape[1] // 2] for c in axes)
        apart = all(abs(x - a) > LETTERS[0] * width / inches or abs(y - b) > LETTERS[1] * width / inches for a, b in taken)
        if apart and all(low < at < high for at, (low, high) in zip((x, y), ends)):
            axis.text(x, y, str(rank), ha="center", va="center", fontsize=8.5)
            taken.append((x, y))
    page.name_axes(axis, *(f"${'xyz'[c]}${style.unit_text('L')}" for c in axes))


def views_of(parts):
    """[(what it shows, patches, the coordinates of a page, what part of them)]."""
    found, bodies = plane_of(parts), bodies_in(parts)
    axes = seen(found)
    flat = all(min(b.shape[1:]) == 2 for b in parts.nodes)
    name = "" if flat else "the first plane of constant k"
    out = [(name, found, axes, None)]
    window = nearer(found, bodies, axes)
    if window:
        out.append(("nearer", found, axes, window))
    if bodies and not flat:
        out.append(("bodies, first block on top", bodies, seen(bodies), None))
    return out


def per_rank(cells):
    """192 cells per rank; 180 to 192 cells per rank."""
    least, most = f"{cells.min():,.0f}", f"{cells.max():,.0f}"
    return f"{least if least == most else f'{least} to {most}'} cells per rank"


def draw(items, options):
    parts = items[0]
    views = views_of(parts)
    each_wide = 8.0 if len(views) == 1 else 4.0
    figure, axes = page.panels(1, len(views), width=each_wide * len(views), height=3.9)
    near = any(window for *_, window in views)   # ranks are numbered there, and not in the far view
    for i, (axis, (name, found, which, window)) in enumerate(zip(axes[0], views)):
        draw_plane(axis, found, which, window, each_wide - 1, i > 0 or not near)
        axis.set_title(name, loc="left")
    cells = np.prod(parts.table[:, 2:7:2] - parts.table[:, 1:6:2] + 1, axis=1)
    each = np.bincount(parts.table[:, 7], cells)
    name, blocks = os.path.splitext(os.path.basename(parts.path))[0], len(parts.nodes)
    page.title(figure, options.title or f"{name}: {blocks} block{'s' if blocks > 1 else ''}, {cells.sum():,} cells, "
               f"{len(cells)} parts on {parts.ranks} ranks, {per_rank(each)}")
    return figure
