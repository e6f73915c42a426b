#!/usr/bin/env python3
"""The flow of flow.py by fluidsim's ns3d (pip install fluidsim fluidfft fluidfft-fftw pyfftw): writes series/fluidsim.csv.

tests/peers/fluidsim_flow.py [STEPS]"""

import os
import sys
import tempfile

import numpy as np

import flow

os.environ.setdefault("FLUIDSIM_PATH", tempfile.mkdtemp())


def main():
    import fluidfft
    import fluidsim
    from fluidsim.solvers.ns3d.solver import Simul
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    params = Simul.create_default_params()
    params.oper.nx = params.oper.ny = params.oper.nz = flow.POINTS
    params.oper.Lx = params.oper.Ly = params.oper.Lz = 2 * np.pi
    params.oper.type_fft = "fft3d.with_pyfftw"
    params.nu_2 = flow.VISCOSITY
    params.time_stepping.USE_CFL = False
    params.time_stepping.deltat0 = params.time_stepping.deltat_max = flow.END / steps
    params.time_stepping.type_time_scheme = "RK4"
    params.init_fields.type = "in_script"
    params.output.HAS_TO_SAVE = False
    sim = Simul(params)
    x = 2 * np.pi * np.arange(flow.POINTS) / flow.POINTS
    z, y, x = np.meshgrid(x, x, x, indexing="ij")
    for name, values in zip(("vx", "vy", "vz"), flow.velocity(x, y, z, np.cos)):
        sim.state.state_phys.set_var(name, values)
    sim.state.statespect_from_statephys()
    sim.output.init_with_initialized_state()

    def numbers():
        spect = [sim.state.state_spect.get_var(f"v{a}_fft") for a in "xyz"]
        v, w = ([sim.oper.ifft(a) for a in parts] for parts in (spect, sim.oper.rotfft_from_vecfft(*spect)))
        return (sum((a * a).mean() for a in v) / 2, sum((a * a).mean() for a in w) / 2, sum((a * b).mean() for a, b in zip(v, w)))

    rows = []
    for t in flow.TIMES:
        while sim.time_stepping.t < t - 1e-9:
            sim.time_stepping.one_time_step()
        rows.append((t, *numbers()))
        print(*rows[-1], flush=True)
    flow.write("fluidsim", f"fluidsim {fluidsim.__version__}, fluidfft {fluidfft.__version__}, solver ns3d; {flow.POINTS}^3 points, RK4, {steps} steps", rows)


if __name__ == "__main__":
    main()
