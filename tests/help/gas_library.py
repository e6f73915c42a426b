"""The Riemann solvers of solvers/gas compiled into a library that Python calls, and random faces for them."""
import ctypes
import subprocess

import numpy as np

from conftest import ROOT
from gas_fluxes import GAMMA

SOURCE = r"""
#include "solvers/gas/riemann.h"
static const char *const words[] = {
#define WORD(kind, word, ...) word,
  TRIAD_GAS_FLUXES(WORD)
};
const char *word_of(int kind) { return kind < TRIAD_GAS_RIEMANN_KINDS ? words[kind] : 0; }
void fluxes(int kind, long n, const double *l, const double *r, const double *s, double gamma, double *f)
{
  for (long i = 0; i < n; i++) {
    const triad_gas_state a = {l[i], l[n + i], l[2 * n + i], l[3 * n + i], l[4 * n + i]},
                          b = {r[i], r[n + i], r[2 * n + i], r[3 * n + i], r[4 * n + i]};
    const double area[3] = {s[i], s[n + i], s[2 * n + i]};
    const triad_gas_flux g = triad_gas_face((triad_gas_riemann)kind, a, b, area, gamma);
    f[i] = g.mass;
    f[n + i] = g.x;
    f[2 * n + i] = g.y;
    f[3 * n + i] = g.z;
    f[4 * n + i] = g.energy;
  }
}
"""


def compile_fluxes(folder, tree=ROOT):
    """The fluxes of the tree's solvers/gas."""
    (folder / "fluxes.c").write_text(SOURCE)
    subprocess.run(["cc", "-std=c17", "-O2", "-fPIC", "-shared", "-Werror=implicit-function-declaration", f"-I{tree}", f"-I{ROOT}/src", "-o",
                    folder / "fluxes.so", folder / "fluxes.c", "-lm"], check=True, capture_output=True, text=True)
    library = ctypes.CDLL(str(folder / "fluxes.so"))
    library.word_of.restype = ctypes.c_char_p
    return library


def words(library):
    found = []
    while (word := library.word_of(len(found))) is not None:
        found.append(word.decode())
    return found


def random_faces(n, seed=7):
    """Left and right states (5, n) with densities and pressures over two decades and Mach numbers up to 2, and area vectors (3, n)."""
    random = np.random.default_rng(seed)

    def states():
        rho, p = 10 ** random.uniform(-1, 1, n), 10 ** random.uniform(-1, 1, n)
        return np.concatenate([[rho], random.uniform(-1.2, 1.2, (3, n)) * np.sqrt(GAMMA * p / rho), [p]])
    return states(), states(), random.normal(size=(3, n))


def fluxes_of(library, kind, l, r, s):
    found = np.empty(l.shape)
    at = [np.ascontiguousarray(a).ctypes.data_as(ctypes.c_void_p) for a in (l, r, s)]
    library.fluxes(kind, ctypes.c_long(l.shape[1]), *at, ctypes.c_double(GAMMA), found.ctypes.data_as(ctypes.c_void_p))
    return found


def size_of_flux(l, r, s):
    """Of the terms of a flux: rounding is in proportion to them."""
    c = np.maximum(np.sqrt(GAMMA * l[4] / l[0]), np.sqrt(GAMMA * r[4] / r[0])) + np.sqrt((np.maximum(abs(l), abs(r))[1:4]**2).sum(0))
    return 10 * np.sqrt((s * s).sum(0)) * (l[0] + r[0]) * c * np.array([np.ones_like(c), c, c, c, c * c])
