#!/usr/bin/env python3
"""The flow of flow.py by exponax's NavierStokesVelocity (pip install exponax): writes series/exponax.csv.

tests/peers/exponax_flow.py [STEPS]"""

import importlib.metadata
import sys

import numpy as np

import flow


def main():
    import exponax
    import jax
    import jax.numpy as jnp
    jax.config.update("jax_enable_x64", True)
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    # the modes kept are |k| <= fraction * n/2 - 1 = 21
    stepper = exponax.stepper.NavierStokesVelocity(3, 2 * np.pi, flow.POINTS, float(flow.END / steps), diffusivity=flow.VISCOSITY, order=4,
                                                   dealiasing_fraction=2 * (flow.KEPT + 1) / flow.POINTS)
    x = 2 * np.pi * np.arange(flow.POINTS) / flow.POINTS
    x, y, z = np.meshgrid(x, x, x, indexing="ij")
    state, advance, rows = jnp.array(flow.velocity(x, y, z, np.cos)), jax.jit(lambda u: stepper(u)), []
    k = np.fft.fftfreq(flow.POINTS, 1 / flow.POINTS)
    k = np.array(np.meshgrid(k, k, k, indexing="ij"))

    def numbers():
        v = np.asarray(state)
        w = np.fft.ifftn(1j * np.cross(k, np.fft.fftn(v, axes=(1, 2, 3)), axis=0), axes=(1, 2, 3)).real
        return (v * v).sum(axis=0).mean() / 2, (w * w).sum(axis=0).mean() / 2, (v * w).sum(axis=0).mean()

    for t in flow.TIMES:
        for _ in range(steps // (len(flow.TIMES) - 1) if t > 0 else 0):
            state = advance(state)
        rows.append((t, *numbers()))
        print(*rows[-1], flush=True)
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in ("exponax", "jax"))
    flow.write("exponax", f"{versions}, NavierStokesVelocity; {flow.POINTS}^3 points, ETDRK of order 4, {steps} steps", rows)


if __name__ == "__main__":
    main()
