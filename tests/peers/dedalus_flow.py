#!/usr/bin/env python3
"""The flow of flow.py by Dedalus (pip install dedalus): writes series/dedalus.csv. 44 modes along each axis are |k| <= 21 and one at half
the points, which stays 0; products are formed on 66^3 points, so that nothing aliases.

tests/peers/dedalus_flow.py [STEPS]"""

import importlib.metadata
import logging
import sys

import numpy as np

import flow


def main():
    import dedalus.public as d3
    logging.getLogger().setLevel(logging.WARNING)
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    coords = d3.CartesianCoordinates("x", "y", "z")
    dist = d3.Distributor(coords, dtype=np.float64)
    bases = [d3.RealFourier(coords[name], size=2 * (flow.KEPT + 1), bounds=(0, 2 * np.pi), dealias=3 / 2) for name in "xyz"]
    p, tau = dist.Field(name="p", bases=bases), dist.Field(name="tau")
    u = dist.VectorField(coords, name="u", bases=bases)
    nu = flow.VISCOSITY
    names = {"p": p, "tau": tau, "u": u, "nu": nu, "d3": d3}
    problem = d3.IVP([u, p, tau], namespace=names)
    problem.add_equation("dt(u) - nu*lap(u) + grad(p) = cross(u, curl(u))")
    problem.add_equation("div(u) + tau = 0")
    problem.add_equation("integ(p) = 0")
    solver = problem.build_solver(d3.RK443)
    u.change_scales(1)
    for i, values in enumerate(flow.velocity(*dist.local_grids(*bases), np.cos)):
        u["g"][i] = values
    volume = (2 * np.pi)**3
    w = d3.curl(u)
    wanted = [d3.integ(d3.dot(u, u)) / 2, d3.integ(d3.dot(w, w)) / 2, d3.integ(d3.dot(u, w))]
    rows, each = [], steps // (len(flow.TIMES) - 1)
    for t in flow.TIMES:
        for _ in range(each if t > 0 else 0):
            solver.step(flow.END / steps)
        rows.append((t, *(float(one.evaluate()["g"].ravel()[0]) / volume for one in wanted)))
        print(*rows[-1], flush=True)
    flow.write("dedalus", f"dedalus {importlib.metadata.version('dedalus')}; {2 * (flow.KEPT + 1)}^3 modes, RK443, {steps} steps", rows)


if __name__ == "__main__":
    main()
