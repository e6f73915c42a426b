"""A cylinder of probes and the disks that close it as a surface: points, outward normals, areas."""
from typing import NamedTuple

import numpy as np

from triad_plot.problem import Problem
from triad_plot.read.particles import weights as cubic

NEAR = 1e-6           # of the radius: places that count as equal
LEAST = 4             # rings of a cylinder or a disk, for cubic quadrature
GAUSS = np.array([0.5 - np.sqrt(0.15), 0.5, 0.5 + np.sqrt(0.15)]), np.array([5, 8, 5]) / 18


class Rings(NamedTuple):
    """Rings of points about a line along x: of a cylinder, or of a disk."""
    probe: object
    x: np.ndarray        # of each ring, not decreasing
    r: np.ndarray        # radius of each ring
    centre: np.ndarray   # y, z
    around: int
    disk: bool
    backwards: bool      # the last ring of the file is the first of x

    @property
    def name(self):
        return self.probe.name

    @property
    def radius(self):
        return float(self.r[0] if not self.disk else self.r[-1] * len(self.r) / (len(self.r) - 0.5))


def rings_of(probe):
    """The Rings of a probe; None of other probes."""
    if probe.shape is None or len(probe.shape) != 2 or probe.shape[1] < 3 or np.prod(probe.shape) != len(probe.x):
        return None
    at = probe.x.reshape(*probe.shape, 3)
    n, around = probe.shape
    centre = at[..., 1:].mean(axis=(0, 1))
    r = np.hypot(*(at[..., 1:] - centre).transpose(2, 0, 1))
    size = r.max()
    if size == 0 or np.ptp(at[..., 0], axis=1).max() > NEAR * size or np.ptp(r, axis=1).max() > NEAR * size:
        return None
    x = at[:, 0, 0]
    disk = n == 1 or np.ptp(x) <= NEAR * size
    # a cylinder of to_x below x begins at its larger x
    backwards = not disk and x[-1] < x[0]
    if backwards:
        x = x[::-1]
    if (np.diff(r[:, 0] if disk else x) <= NEAR * size).any():
        raise Problem(f"{probe.path}: the rings of a cylinder must be at different x, and those of a disk must have increasing radii")
    return Rings(probe, x, r[:, 0], centre, around, bool(disk), bool(backwards))


def integral(nodes, begin, end, power=0):
    """Weights of values at `nodes` for the integral from `begin` to `end` of the cubic through the four nearest, times s^power."""
    edges = np.unique(np.concatenate([[begin], nodes[(nodes > begin) & (nodes < end)], [end]]))
    at = (edges[:-1, None] + np.diff(edges)[:, None] * GAUSS[0]).ravel()
    rows, w = cubic(nodes, at)
    out = np.zeros(len(nodes))
    np.add.at(out, rows, w * ((np.diff(edges)[:, None] * GAUSS[1]).ravel() * at**power)[:, None])
    return out


class Patch(NamedTuple):
    """One probe as a part of the surface."""
    probe: object
    x: np.ndarray         # [point, 3]
    normal: np.ndarray    # outward [point, 3]
    area: np.ndarray      # weights of the quadrature [point]


class Surface(NamedTuple):
    patches: list
    open: list            # (x, share of the closed surface) of ends without a disk
    spacing: float        # largest distance of neighbouring points
    radius: float
    begin: float
    end: float
    centre: np.ndarray
    about: str

    def contains(self, at):
        return self.begin <= at[0] <= self.end and np.hypot(*(at[1:] - self.centre)) <= self.radius


def normals(probe, rings):
    radial = probe.x[:, 1:] - rings.centre
    return np.column_stack([np.zeros(len(radial)), radial / np.hypot(*radial.T)[:, None]])


def one_cylinder(all_rings):
    cylinders = [rings for rings in all_rings if not rings.disk]
    if len(cylinders) != 1:
        names = ", ".join(rings.name for rings in cylinders) or "none"
        raise Problem(f"--surface requires one cylinder of probes; there are: {names}")
    return cylinders[0]


def fits(disk, cylinder):
    size = cylinder.radius
    return (abs(disk.radius - size) < NEAR * size and np.abs(disk.centre - cylinder.centre).max() < NEAR * size and
            cylinder.x[0] - NEAR * size < disk.x[0] < cylinder.x[-1] + NEAR * size)


def build(all_rings):
    """The Surface of a cylinder and of disks. A disk at the first ring closes the cylinder there. All others close it downstream; if
    there are several, the surface is the mean of those that each of them closes."""
    cylinder = one_cylinder(all_rings)
    size = cylinder.radius
    for rings in all_rings:
        if len(rings.x) < LEAST:
            raise Problem(f"{rings.probe.path}: has {len(rings.x)} rings; at least {LEAST} are required")
        if rings.disk and not fits(rings, cylinder):
            raise Problem(f"{rings.probe.path}: is a disk of radius {rings.radius:g} at x = {rings.x[0]:g}, which does not close {cylinder.name}: "
                          f"radius {size:g}, x = {cylinder.x[0]:g} to {cylinder.x[-1]:g}")
    disks = [rings for rings in all_rings if rings.disk]
    start = [disk for disk in disks if abs(disk.x[0] - cylinder.x[0]) < NEAR * size]
    ends = [disk for disk in disks if disk not in start]
    if len(start) > 1:
        raise Problem(f"{start[0].name} and {start[1].name} are the same disk")
    angle = 2 * np.pi / cylinder.around
    along = np.mean([integral(cylinder.x, cylinder.x[0], min(end, cylinder.x[-1]))
                     for end in ([disk.x[0] for disk in ends] or [cylinder.x[-1]])], axis=0)
    along = along[::-1] if cylinder.backwards else along   # in the order of the file
    patches = [Patch(cylinder.probe, cylinder.probe.x, normals(cylinder.probe, cylinder), np.repeat(along * size * angle, cylinder.around))]
    for disk, sign, share in [(d, -1, 1) for d in start] + [(d, 1, 1 / len(ends)) for d in ends]:
        across = integral(disk.r, 0, disk.radius, 1) * share * 2 * np.pi / disk.around
        patches.append(Patch(disk.probe, disk.probe.x, np.tile([float(sign), 0, 0], (len(disk.probe.x), 1)), np.repeat(across, disk.around)))
    lid, wall = np.pi * size**2, 2 * np.pi * size * (cylinder.x[-1] - cylinder.x[0])
    gaps = [(float(x), lid / (2 * lid + wall)) for x, found in ((cylinder.x[0], start), (cylinder.x[-1], ends)) if not found]
    spacing = max(max(np.diff(rings.r if rings.disk else rings.x).max(), rings.radius * 2 * np.pi / rings.around) for rings in all_rings)
    about = f"{cylinder.name}: {len(cylinder.x)} x {cylinder.around} points, radius {size:g}, x = {cylinder.x[0]:g} to {cylinder.x[-1]:g}"
    about += "".join(f"; {disk.name}: disk at x = {disk.x[0]:g}" for disk in start + ends)
    last = max((disk.x[0] for disk in ends), default=cylinder.x[-1])
    return Surface(patches, gaps, float(spacing), size, float(cylinder.x[0]), float(last), cylinder.centre, about)
