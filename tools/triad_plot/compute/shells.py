"""How far shells of few modes are from the spectrum of a smooth flow.

A spectrum sums over the modes k - 1/2 <= |k| < k + 1/2, in units of the shell's width. Their number, and their mean distance from
the origin, differ from those of a whole shell by some 10 % at k = 10, up or down, so that a spectrum has teeth. These functions
take them off a spectrum near Kolmogorov's, whose modes have an energy proportional to |k|^(-11/3)."""
import functools

import numpy as np

LARGEST = 64   # of shells beyond it both are those of a whole shell to 1 %, and adding up takes long


@functools.lru_cache(maxsize=16)
def sums_of_law(shells, spacing):
    """Sum of |k|^(-11/3)/(4 pi) over the modes of each of the first shells, times the volume of a mode; spacing: of modes along each
    axis, in widths of a shell."""
    axes = [step * np.arange(-int(shells / step) - 1, int(shells / step) + 2) for step in spacing]
    size = np.sqrt(axes[0][:, None, None] ** 2 + axes[1][None, :, None] ** 2 + axes[2][None, None, :] ** 2).ravel()
    size = size[size > 0]
    law = size ** (-11 / 3) * np.prod(spacing) / (4 * np.pi)
    return np.bincount(np.floor(size + 0.5).astype(int), law, minlength=shells)[:shells]


def law_over_sum(k, width, length):
    """k^(-5/3) over what the modes of a shell add up to where their energy is k^(-11/3)/(4 pi); 1 beyond LARGEST shells.

    k [shell]: wavenumbers; width: of a shell [1/L]; length: sides of the box [L]."""
    sums = sums_of_law(min(len(k), LARGEST), tuple(2 * np.pi / (side * width) for side in length))
    number = np.rint(np.asarray(k) / width).astype(int)
    found = np.ones(len(number))
    near = (number < len(sums)) & (number > 0)
    inside = number[near]
    found[near] = np.where(sums[inside] > 0, inside ** (-5 / 3) / np.maximum(sums[inside], 1e-300), 1)
    return found
