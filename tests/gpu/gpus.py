"""Several GPUs: every transport and number of ranks against one rank, mode by mode, or point by point.

  tests/gpu/gpus.py TRIAD [--ranks "2:ipc 3:offload"] [--cases "hd;mhd"] [--size 64] [--steps 20] [--mpirun "mpirun --oversubscribe"]

A transport "offload" stands for parallel.device = "offload": the state on the host. Runs on a host with GPUs; with fewer
GPUs than ranks they are shared. Prints a table: the largest difference of a mode from the run of one rank, over the rms of
the field; 1e-12 allows for sums in another order (a rank's lines are the same lines), 1e-5 in single precision. Exits 1 when
one is larger or a run fails, 77 without a GPU."""
import argparse
import concurrent.futures
import glob
import os
import shlex
import subprocess
import sys
import tempfile

import h5py
import numpy as np

HERE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BASE = ["parallel.reproducible=true", "parallel.threads=2", "output.series_interval=1000", "output.spectra_interval=0",
        "output.fields_interval=0", "output.checkpoint_interval=0", "time.end=1000"]
CASES = {
    "hd": ("runs/iso-decay/case.toml", []),
    "hd forced": ("runs/iso-forced/case.toml", []),
    "boussinesq": ("runs/stratified-taylor-green/case.toml", ["initial.potential_energy=0.3"]),
    "mhd": ("runs/mhd-decay/case.toml", []),
    "hd 96x64x48": ("runs/iso-decay/case.toml", ["grid.n=[96,64,48]"]),
    "hd 60x45x50": ("runs/iso-decay/case.toml", ["grid.n=[60,45,50]"]),
    "mhd 36x28x22": ("runs/mhd-decay/case.toml", ["grid.n=[36,28,22]"]),
    "gpe 100x32x45": ("runs/gpe-taylor-green/case.toml", ["grid.n=[100,32,45]"]),
    "hd, 2 scalars": ("runs/iso-decay/case.toml", ["equations.scalars=[0.01, 0.02]"]),
    "mhd, hall": ("runs/mhd-decay/case.toml", ["equations.hall=0.1", "time.cfl=0.2"]),
    "gpe": ("runs/gpe-taylor-green/case.toml", []),
    "gpe split": ("runs/gpe-taylor-green/case.toml", ["time.scheme=split2", "time.dt=0.001"]),
    "hd single": ("runs/iso-decay/case.toml", ["precision=single"]),
    "gas": ("runs/compressible-hit-decay/case.toml", []),
    "gas 96x64x48": ("runs/compressible-hit-decay/case.toml", ["grid.n=[96,64,48]", "initial.re_lambda=0",
                                                               "equations.viscosity=0.01"]),
    "gas single": ("runs/compressible-hit-decay/case.toml", ["precision=single"]),
}


def run(args, name, ranks, transport, streams=0):
    case, sets = CASES[name]
    device, transport = ("offload", "auto") if transport == "offload" else ("gpu", transport)
    folder = tempfile.mkdtemp(dir=args.work)
    n = [f"grid.n=[{args.size},{args.size},{args.size}]"]
    keys = n + BASE + sets + [f"time.max_steps={args.steps}", f"parallel.device={device}",
                              f"parallel.transport={transport}", f"parallel.nstreams={streams}"]
    command = shlex.split(args.mpirun) + ["-n", str(ranks), args.triad, "run", os.path.join(HERE, case), "-q",
                                          "--dir", folder]
    for key in keys:
        command += ["--set", key]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=args.timeout)
    except subprocess.TimeoutExpired:
        return None, f"no end within {args.timeout} s"
    if done.returncode:
        return None, f"exit {done.returncode}: {(done.stderr or done.stdout).strip()[-300:]}"
    path = sorted(glob.glob(folder + "/checkpoints/step-*/[mp]o*s.h5"))[-1] # modes, or values at points
    with h5py.File(path) as f:
        return {k: f[k][...].astype(float) for k in f if isinstance(f[k], h5py.Dataset) and f[k].ndim == 3}, ""


def difference(a, b):
    return max(np.abs(a[k] - b[k]).max() / np.sqrt((a[k] ** 2).mean()) for k in a)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("triad")
    parser.add_argument("--size", type=int, default=64)
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--timeout", type=int, default=100)
    parser.add_argument("--jobs", type=int, default=6)
    parser.add_argument("--ranks", default="2:nccl 2:ipc 2:put 2:staged 2:auto 3:ipc 3:put 3:staged 3:auto 5:ipc 5:put 5:staged "
                                           "1:offload 3:offload")
    parser.add_argument("--cases", default=";".join(CASES), help="of the table above, with ; between them")
    parser.add_argument("--streams", default="0 1 7", help="parallel.nstreams, in turn")
    parser.add_argument("--mpirun", default="mpirun --allow-run-as-root --oversubscribe --bind-to none")
    args = parser.parse_args()
    if subprocess.run(["nvidia-smi", "-L"], capture_output=True).returncode:
        print("SKIP: no GPU is available")
        return 77
    variants = [(int(v.split(":")[0]), v.split(":")[1]) for v in args.ranks.split()]
    streams = [int(s) for s in args.streams.split()]
    bad = 0
    with tempfile.TemporaryDirectory() as work, concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        args.work = work
        names = args.cases.split(";")
        alone = {name: pool.submit(run, args, name, 1, "auto") for name in names}
        runs = [(name, ranks, transport, streams[(i + j) % len(streams)]) for j, name in enumerate(names)
                for i, (ranks, transport) in enumerate(variants)
                if not (name.startswith("gas") and transport in ("put", "offload"))] # gases refuse these by name
        futures = [pool.submit(run, args, name, ranks, transport, s) for name, ranks, transport, s in runs]
        print(f"{'case':14s} {'ranks':>5s} {'transport':9s} {'nstreams':>8s}  largest difference / rms")
        for (name, ranks, transport, s), future in zip(runs, futures):
            (a, why), (b, why_b) = alone[name].result(), future.result()
            limit = 1e-5 if "single" in name else 1e-12
            value = difference(a, b) if a and b else float("nan")
            verdict = "ok" if value <= limit else "BAD " + (why or why_b)
            bad += verdict != "ok"
            print(f"{name:14s} {ranks:5d} {transport:9s} {s:8d}  {value:.2e}  {verdict}", flush=True)
    print(f"{len(runs) - bad} of {len(runs)} runs agree with one rank")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
