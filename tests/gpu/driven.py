#!/usr/bin/env python3
"""Flows that Python drives with their state on a GPU, against the same on the CPU, by hand on a machine that has one:

    make python CUDA=1 BUILD=build/cuda BIN=build/cuda/bin && tests/gpu/driven.py build/cuda/python

  steps      20 steps of hd at 64^3: every mode, and the vorticity at the points
  set        fields set from arrays, 5 steps: every mode
  memory     what state.on_gpu names, copied by the CUDA runtime, is what modes shows
  checkpoint one that a flow on the GPU has left is gone on with on the CPU
  cost       a step of Flow.advance over one of `triad run`, by wall-clock time, 96^3

The table comes last; the exit code is 0 when every line of it holds."""

import ctypes
import glob
import os
import subprocess
import sys
import tempfile
import time
import warnings

CASE = {"equations": {"solver": "hd", "viscosity": 0.02}, "grid": {"n": [64, 64, 64]},
        "initial": {"kind": "random", "wavenumber": 2, "seed": 3}, "time": {"end": 100.0, "cfl": 0.5},
        "output": {"report": False}}
LIMIT = 1e-12  # relative to the largest, as tests/gpu/check has it for 20 steps in double
rows = []


def row(name, value, limit):
    rows.append((name, value, limit, value <= limit))


def apart(a, b):
    return float(abs(a - b).max() / abs(b).max())


def flow(triad, name, device, **tables):
    return triad.Flow(CASE, dir=name, parallel=dict(device=device), **tables)


def agree(triad, np):
    gpu, cpu = flow(triad, "gpu", "gpu"), flow(triad, "cpu", "cpu")
    for one in (gpu, cpu):
        one.step(20)
    row("steps: modes", max(apart(gpu.modes[c], cpu.modes[c]) for c in "uvw"), LIMIT)
    row("steps: vorticity", apart(np.asarray(gpu.points("vorticity")), np.asarray(cpu.points("vorticity"))), LIMIT)
    look_at_memory(gpu, np)
    z, y, x = np.meshgrid(*gpu.grid[::-1], indexing="ij")
    for one in (gpu, cpu):
        one.set(u=np.sin(x) * np.cos(y), v=-np.cos(x) * np.sin(y) * np.cos(z), w=0.1 * np.cos(x + y))
        one.step(5)
    row("set: modes after 5 steps", max(apart(gpu.modes[c], cpu.modes[c]) for c in "uvw"), LIMIT)
    last = gpu.modes["u"].copy()
    gpu.close()
    again = flow(triad, "gpu", "cpu")
    row("checkpoint: modes", apart(again.modes["u"], last), 0)
    again.close()
    cpu.close()


def look_at_memory(gpu, np):
    about = gpu.state.on_gpu("u").__cuda_array_interface__
    held = np.empty(about["shape"], about["typestr"])
    cuda = ctypes.CDLL(sorted(glob.glob("/usr/local/cuda/lib64/libcudart.so*"))[0])
    code = cuda.cudaMemcpy(ctypes.c_void_p(held.ctypes.data), ctypes.c_void_p(about["data"][0]),
                           ctypes.c_size_t(held.nbytes), 2)
    m = gpu.modes
    same = code == 0 and np.array_equal(held.transpose(0, 2, 1), m["u"])
    row("memory: differs", 0 if same else 1, 0)


def cost(triad, program):
    def driven(steps):
        one = flow(triad, "cost", "gpu", from_start=True, grid=dict(n=[96] * 3), time=dict(max_steps=steps),
                   output=dict(series_interval=1e3))
        begin = time.monotonic()
        one.advance()
        took = time.monotonic() - begin
        one.close()
        return took

    def run(steps):
        begin = time.monotonic()
        subprocess.run([sys.executable, "-m", "triad", "run", "cost/case.toml", "--dir", "cost-run", "--from-start", "-q",
                        "--set", 'parallel.device="gpu"', "--set", "grid.n=[96,96,96]", "--set",
                        f"time.max_steps={steps}", "--set", "output.series_interval=1e3"], check=True, env=program,
                       stdout=subprocess.DEVNULL)
        return time.monotonic() - begin

    ratios = sorted((driven(2100) - driven(100)) / (run(2100) - run(100)) for _ in range(3))
    row("cost: step / step of triad run", ratios[1], 1.05)


def main(package):
    sys.path.insert(0, os.path.abspath(package))
    import numpy as np
    import triad
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        package, before = os.path.abspath(package), os.getcwd()
        os.chdir(folder)
        agree(triad, np)
        cost(triad, dict(os.environ, PYTHONPATH=package))
        os.chdir(before)
    for name, value, limit, good in rows:
        print(f"{name:36} {value:10.3g}  {limit:8.3g}  {'ok' if good else 'WRONG'}")
    return 0 if all(good for *_, good in rows) else 1


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
