#!/usr/bin/env python3
"""Benchmarks drawn with their reference: python3 docs/benchmarks.py KIND PATH -o FILE.

    tube RUN       runs/sod: density, velocity and pressure, with the exact solution of the Riemann problem
    cavity RUN     runs/lid-driven-cavity: velocity on the lines through the middle, with the table of Ghia, Ghia and Shin
    aerofoil RUN   runs/naca0012-euler: pressure coefficient, with a panel method
    vortex TABLE   docs/tgv-re1600.csv: dissipation, with the reference of the workshop on high-order methods (tgv-re1600-reference.csv)
    channel TABLE  docs/data/channel-180/profiles.csv: mean velocity and stresses, with the velocity of Moser, Kim and Mansour (moser.csv)
    gpus PAGE      docs/performance.md: efficiency on two GPUs, from its table
"""
import argparse
import csv
import os
import sys

import h5py
import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "tools"))

from triad_plot.draw import page, style  # noqa: E402
from triad_plot.options import Options  # noqa: E402
from triad_plot.read.run import Run  # noqa: E402
from triad_plot.figures.space import blocks  # noqa: E402

REFERENCE = {"color": style.INK, "linewidth": 1.1}
POINTS = {"color": style.INK, "linestyle": "none", "marker": "o", "markersize": 4.5, "fillstyle": "none"}

# Ghia, Ghia and Shin 1982, J. Comput. Phys. 48, 387, tables I and II, Re = 100
GHIA_U = np.array([(0, 0), (0.0547, -0.03717), (0.0625, -0.04192), (0.0703, -0.04775), (0.1016, -0.06434), (0.1719, -0.1015),
                   (0.2813, -0.15662), (0.4531, -0.2109), (0.5, -0.20581), (0.6172, -0.13641), (0.7344, 0.00332),
                   (0.8516, 0.23151), (0.9531, 0.68717), (0.9609, 0.73722), (0.9688, 0.78871), (0.9766, 0.84123), (1, 1)])
GHIA_V = np.array([(0, 0), (0.0625, 0.09233), (0.0703, 0.10091), (0.0781, 0.1089), (0.0938, 0.12317), (0.1563, 0.16077),
                   (0.2266, 0.17507), (0.2344, 0.17527), (0.5, 0.05454), (0.8047, -0.24533), (0.8594, -0.22445),
                   (0.9063, -0.16914), (0.9453, -0.10313), (0.9531, -0.08864), (0.9609, -0.07391), (0.9688, -0.05906), (1, 0)])


def riemann(left, right, x_over_t, gamma=1.4):
    """(rho, u, p) of the exact solution with a rarefaction on the left and a shock on the right (Toro 2009, chapter 4)."""
    (r1, u1, p1), (r4, u4, p4) = left, right
    c1 = np.sqrt(gamma * p1 / r1)
    a, b = 2 / ((gamma + 1) * r4), (gamma - 1) / (gamma + 1) * p4

    def surplus(p):   # velocity behind the shock less that behind the rarefaction
        return u4 + (p - p4) * np.sqrt(a / (p + b)) - u1 - 2 * c1 / (gamma - 1) * (1 - (p / p1) ** ((gamma - 1) / (2 * gamma)))
    low, high = p4, p1
    for _ in range(200):
        p = (low + high) / 2
        low, high = (p, high) if surplus(p) < 0 else (low, p)
    u = u4 + (p - p4) * np.sqrt(a / (p + b))
    r2 = r1 * (p / p1) ** (1 / gamma)
    r3 = r4 * (p / p4 + (gamma - 1) / (gamma + 1)) / ((gamma - 1) / (gamma + 1) * p / p4 + 1)
    tail = u - np.sqrt(gamma * p / r2)
    shock = u4 + np.sqrt(gamma * p4 / r4 * ((gamma + 1) / (2 * gamma) * p / p4 + (gamma - 1) / (2 * gamma)))
    s = np.asarray(x_over_t, float)
    fan = 2 / (gamma + 1) + (gamma - 1) / ((gamma + 1) * c1) * (u1 - s)
    where = [s < u1 - c1, s < tail, s < u, s < shock]
    return np.array([np.select(where, [r1, r1 * fan ** (2 / (gamma - 1)), r2, r3], r4),
                     np.select(where, [u1, 2 / (gamma + 1) * (c1 + (gamma - 1) / 2 * u1 + s), u, u], u4),
                     np.select(where, [p1, p1 * fan ** (2 * gamma / (gamma - 1)), p, p], p4)])


def section(n):
    """n + 1 points round NACA 0012 with a sharp trailing edge, from there below the nose and back above."""
    x = (1 + np.cos(np.linspace(0, 2 * np.pi, n + 1))) / 2
    y = 0.6 * (0.2969 * np.sqrt(x) - 0.126 * x - 0.3516 * x**2 + 0.2843 * x**3 - 0.1036 * x**4)
    return x, np.where(np.arange(n + 1) < n / 2, -1, 1) * y


def panels(angle, n=400):
    """(x, cp) in the middle of each panel, and the lift coefficient, in incompressible flow: sources of a strength each and one
    vortex strength (Hess and Smith 1967, Prog. Aerosp. Sci. 8, 1)."""
    x, y = section(n)
    dx, dy = np.diff(x), np.diff(y)
    length = np.hypot(dx, dy)
    tangent, normal = np.array([dx, dy]) / length, np.array([-dy, dx]) / length
    xm, ym = (x[1:] + x[:-1]) / 2, (y[1:] + y[:-1]) / 2
    rx, ry = xm[:, None] - x[None, :-1], ym[:, None] - y[None, :-1]
    along, across = rx * tangent[0] + ry * tangent[1], rx * normal[0] + ry * normal[1]
    ratio = np.log(np.hypot(along, across) / np.hypot(along - length, across)) / (2 * np.pi)
    turn = (np.arctan2(across, along - length) - np.arctan2(across, along)) / (2 * np.pi)
    np.fill_diagonal(turn, 0.5)
    np.fill_diagonal(ratio, 0)
    sources = ratio * tangent[:, None, :] + turn * normal[:, None, :]           # velocity of each panel's sources
    vortices = turn * tangent[:, None, :] - ratio * normal[:, None, :]
    stream = np.array([np.cos(angle), np.sin(angle)])
    dot = lambda v, e: np.einsum("aij,ai->ij", v, e)   # noqa: E731
    matrix, right = np.zeros((n + 1, n + 1)), np.zeros(n + 1)
    matrix[:n, :n], matrix[:n, n] = dot(sources, normal), dot(vortices, normal).sum(1)
    tangential = np.concatenate([dot(sources, tangent), dot(vortices, tangent).sum(1)[:, None]], 1)
    matrix[n] = tangential[0] + tangential[-1]   # Kutta: equal speeds at the trailing edge
    right[:n], right[n] = -stream @ normal, -(stream @ (tangent[:, 0] + tangent[:, -1]))
    strength = np.linalg.solve(matrix, right)
    speed = tangential @ strength + stream @ tangent
    cp = 1 - speed**2
    force = -(cp * length * normal).sum(1)
    return xm, cp, float(force @ np.array([-stream[1], stream[0]]))


def compressed(cp, mach):
    """Karman and Tsien's rule."""
    beta = np.sqrt(1 - mach**2)
    return cp / (beta + mach**2 / (1 + beta) * cp / 2)


def draw_tube(run):
    path = sorted(os.listdir(run / "fields"))
    path = run / os.path.join("fields", next(name for name in reversed(path) if name.endswith(".h5")))
    with h5py.File(path) as file:
        t = float(file.attrs["t"])
        values = [file[name][()].ravel() for name in ("rho", "u", "p")]
    n = len(values[0])
    x = (np.arange(n) + 0.5) / n
    fine = np.linspace(0, 1, 4001)
    exact = riemann((1, 0, 1), (0.125, 0, 0.1), (fine - 0.5) / t)
    figure, axes = page.panels(1, 3, width=10.0, height=3.8)
    for axis, value, line, label in zip(axes[0], values, exact, (r"$\rho$" + style.unit_text("M/L^3"), "$u$" + style.unit_text("U"),
                                                                 "$p$" + style.unit_text("M/(L T^2)"))):
        axis.plot(fine, line, label="exact", **REFERENCE)
        axis.plot(x, value, linestyle="none", marker="o", markersize=2.8, color=style.COLORS[0], label=f"Triad, {n} points")
        page.name_axes(axis, "$x$" + style.unit_text("L"), label)
    page.title(figure, f"Sod's shock tube, t = {t:g}")
    legend_below(figure, axes[0, 0])
    return figure


def on_line(position, values, at):
    """Linear between the two rows nearest to `at`."""
    i = int(np.clip(np.searchsorted(position, at), 1, len(position) - 1))
    w = (at - position[i - 1]) / (position[i] - position[i - 1])
    return (1 - w) * values[i - 1] + w * values[i]


def draw_cavity(run):
    name = sorted(name for name in os.listdir(run / "fields") if name.endswith(".h5"))[-1]
    with h5py.File(run / os.path.join("fields", name)) as file:
        u, v = (np.squeeze(file[k][()]) for k in "uv")
        t = float(file.attrs["t"])
    n = u.shape[0]
    middle = (np.arange(n) + 0.5) / n
    figure, axes = page.panels(1, 2, width=9.0, height=4.2)
    axes[0, 0].plot(middle, on_line(middle, u.T, 0.5), color=style.COLORS[0], label=f"Triad, {n} x {n} cells")
    axes[0, 0].plot(*GHIA_U.T, label="Ghia, Ghia and Shin 1982", **POINTS)
    axes[0, 1].plot(middle, on_line(middle, v, 0.5), color=style.COLORS[0])
    axes[0, 1].plot(*GHIA_V.T, **POINTS)
    page.name_axes(axes[0, 0], "$y$ on $x = 1/2$" + style.unit_text("L"), "$u$" + style.unit_text("U"))
    page.name_axes(axes[0, 1], "$x$ on $y = 1/2$" + style.unit_text("L"), "$v$" + style.unit_text("U"))
    page.title(figure, f"Lid-driven cavity, Re = 100, t = {t:g}")
    legend_below(figure, axes[0, 0])
    return figure


def draw_aerofoil(run):
    mach, angle = 0.25, np.radians(5)
    figure = blocks.draw_surface([run], Options())
    axis = figure.axes[0]
    x, cp, _ = panels(angle)
    axis.plot(x, compressed(cp, mach), label="panel method, Karman-Tsien rule", **REFERENCE)
    for line in axis.get_lines()[:-1]:
        line.set(color=style.COLORS[0], linestyle="none", marker="o", markersize=3.2)
        line.set_label("Triad")
    if axis.get_legend():
        axis.get_legend().remove()
    page.title(figure, "NACA 0012, inviscid, Mach 0.25, 5 degrees")
    legend_below(figure, axis)
    return figure


def history(path):
    """(t, dissipation) of a table in CSV"""
    with open(path, encoding="utf-8") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    return tuple(np.array([float(row[name]) for row in rows]) for name in ("t", "dissipation"))


def draw_vortex(path):
    t, rate = history(path)
    reference_t, reference = history(os.path.join(os.path.dirname(os.path.realpath(__file__)), "tgv-re1600-reference.csv"))
    figure, axis = page.one()
    axis.plot(t, rate, color=style.COLORS[0], label="Triad, $512^3$")
    axis.plot(reference_t[::2], reference[::2], label="High-order workshop, C3.5, $512^3$", **{**POINTS, "markersize": 3.5})
    page.name_axes(axis, "$t$" + style.unit_text("T"), style.name_of("dissipation") + style.unit_text("U^2/T"))
    axis.set_xlim(0, t[-1])
    axis.set_ylim(0, None)
    page.title(figure, "Taylor-Green vortex, Re = 1600")
    legend_below(figure, axis)
    return figure


def columns(path):
    """A table in CSV as arrays by name."""
    with open(path, encoding="utf-8") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    return {name: np.array([float(row[name]) for row in rows]) for name in rows[0]}


def draw_channel(path):
    re_tau, reference_re_tau = 180, 178.12
    here, there = columns(path), columns(os.path.join(os.path.dirname(path), "moser.csv"))
    half = len(here["y"]) // 2
    fold = lambda name, sign=1: (here[name][:half] + sign * here[name][::-1][:half]) / 2   # noqa: E731
    y = here["y"][:half]
    figure, axes = page.panels(1, 2, width=10.0, height=4.2)
    left, right = axes[0]
    left.semilogx(re_tau * y, fold("u"), color=style.COLORS[0], label=f"Triad, {2 * half} cells from wall to wall")
    some = there["y"] > 0
    left.semilogx(reference_re_tau * there["y"][some][::2], there["u"][some][::2], label="Moser, Kim and Mansour 1999",
                  **{**POINTS, "markersize": 3.5})
    near, far = np.geomspace(0.3, 12, 50), np.geomspace(8, 180, 50)
    left.semilogx(near, near, color=style.INK, linewidth=0.9, linestyle=":", label="$u^+ = y^+$,  $2.5\\, \\ln y^+ + 5.5$")
    left.semilogx(far, 2.5 * np.log(far) + 5.5, color=style.INK, linewidth=0.9, linestyle=":")
    left.set_xlim(0.3, 200)
    left.set_ylim(0, 20)
    page.name_axes(left, "$y^+$", "$u^+$")
    for i, (name, label) in enumerate((("uu", "$u'^+$"), ("vv", "$v'^+$"), ("ww", "$w'^+$"))):
        right.plot(re_tau * y, np.sqrt(fold(name)), color=style.COLORS[i], label=label)
    right.plot(re_tau * y, -fold("uv", -1), color=style.COLORS[3], label="$-\\overline{u'v'}^+$")
    right.plot(re_tau * y, 1 - y, color=style.INK, linewidth=0.9, linestyle=":", label="$1 - y/h$")
    right.plot([15, 30], [2.65, 0.72], label="their peaks", **POINTS)
    right.set_xlim(0, 180)
    right.set_ylim(0, 3)
    page.name_axes(right, "$y^+$", "stresses")
    page.title(figure, "Turbulent channel flow, friction Reynolds number 180")
    page.leave_room_below(figure)
    for axis, place, columns_of_legend in ((left, 0.27, 2), (right, 0.76, 3)):
        handles, labels = axis.get_legend_handles_labels()
        figure.legend(handles, labels, loc="lower center", ncol=columns_of_legend, frameon=False, bbox_to_anchor=(place, 0), fontsize=8)
    return figure


def efficiencies(text):
    """[(solver and size, percent)] from the table under "Scaling"; an empty first cell stands for the one above."""
    found, solver = [], ""
    for line in text.split("\n## Scaling\n")[1].split("\n## ")[0].splitlines():
        cells = [cell.strip().replace("`", "") for cell in line.strip("|").split("|")]
        if line.startswith("|") and cells[-1].endswith("%"):
            if cells[0].startswith("wing"):
                cells[0] = f"{solver.split(',')[0]}, {cells[0]}"
            else:
                solver = cells[0] or solver
            size = cells[1].replace("^3", "\u00b3")
            found.append((f"{cells[0] or solver}, {size}", float(cells[-1].rstrip(" %"))))
    return found


def draw_gpus(path):
    with open(path, encoding="utf-8") as file:
        found = efficiencies(file.read())
    figure, axis = page.one(width=8.0, height=1.2 + 0.3 * len(found))
    for i, (_, value) in enumerate(found):
        axis.barh(i, value, height=0.66, color=style.COLORS[0])
        axis.text(value - 1, i, f"{value:.0f} %", va="center", ha="right", color="white", fontsize=9)
    axis.set_yticks(range(len(found)), [name for name, _ in found])
    axis.set_ylim(len(found) - 0.5, -0.5)
    axis.set_xlim(0, max(110, max(value for _, value in found) + 5))
    axis.axvline(100, color=style.INK, linewidth=1, linestyle=":")
    axis.grid(False, axis="y")
    page.name_axes(axis, "efficiency on two H200  [%]", "")
    return figure


def legend_below(figure, axis):
    """Where it hides nothing."""
    handles, labels = axis.get_legend_handles_labels()
    page.leave_room_below(figure)
    figure.legend(handles, labels, loc="lower center", ncol=len(labels), frameon=False)


KINDS = {"tube": draw_tube, "cavity": draw_cavity, "aerofoil": draw_aerofoil, "vortex": draw_vortex, "channel": draw_channel, "gpus": draw_gpus}

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("path")
    parser.add_argument("-o", dest="output", required=True)
    given = parser.parse_args()
    page.write(KINDS[given.kind](given.path if os.path.isfile(given.path) else Run(given.path)), [given.output])
