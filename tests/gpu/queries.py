"""triad query on a GPU against the CPU: every field of a checkpoint, derivatives, pressure, a part of the modes, paths of points."""

import sys
from functools import partial
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))
import flows
from filled import all_but_2_gb
from schedule import ALONE, LAST, MORE, RARE, SANITIZER, Row

# name: the flow's keys, its grid, what is asked. Grids whose fine ones have factors 2, 3, 5 and 7 along one axis or another; modes in single.
FLOWS = {
    "hd": (flows.FLOWS["hd"], (40, 36, 42), "velocity,gradient,hessian"),
    "hd filtered": (flows.FLOWS["hd"], (40, 36, 42), "velocity,gradient,filtered=5"),
    "hd single": ([*flows.FLOWS["hd"], 'precision="single"'], (64, 48, 32), "velocity,gradient"),
    "boussinesq": (flows.FLOWS["boussinesq"], (32, 36, 40), "fields,gradient=theta,pressure,gradient=pressure"),
    "mhd": (flows.FLOWS["mhd"], (64, 64, 64), "fields,gradient=bx"),
    "gpe": (flows.FLOWS["gpe"], (36, 30, 50), "fields"),
}

# At a point both ways are wrong by 1e-14 of the sum of amplitudes (fft/at_points/at_points.h), and rounded apart: 1e-12 of the rms.
LIMIT = 1e-12
# Places go with velocities that differ by 1e-12 at most, for less than a unit of time.
ADVECT = ["--time", "0.03", "--advect", "0.09", "--steps", "20"]


def points(folder):
    """Some in a box of 2 pi, some far outside."""
    path = folder / "points.csv"
    if not path.exists():
        np.savetxt(path, (np.random.default_rng(5).random((20000, 3)) - 0.3) * 12, fmt="%.17g", delimiter=",", header="x,y,z", comments="")
    return path


def query(check, run, device, words, at, out, before=()):
    """The Future of what is left of the process, its stderr included."""
    command = [*map(str, before), str(check.triad), "query", str(run), "--at", str(at), "--device", device, "-o", str(out), *words]
    return check.plan.start(tuple(command), partial(check.plan.command, command, 120, env={"OMP_NUM_THREADS": "4"}), on_gpu=device != "cpu")


def ask(check, run, device, words, says=""):
    """{column: values}, or None with what was said, which must hold `says`."""
    out = check.folder / f"{run.name}-{len(words)}-{device}.h5"
    done = query(check, run, device, words, points(check.folder), out).result()
    if done.returncode or says not in done.stderr:
        print(f"query {run.name} {device}: exit code {done.returncode}\n{done.stderr[-2000:]}", flush=True)
        return None
    with h5py.File(out) as f:
        return {name: f[name][()] for name in f if isinstance(f[name], h5py.Dataset)}


def compare(check, what, run, words, says=""):
    """says: words of the GPU's report."""
    both = run and [ask(check, run, "gpu", words, says), ask(check, run, "cpu", words)]
    if not both or None in both:
        check.row(what, "no result", "runs", False)
        return
    on_gpu, on_cpu = both
    if on_gpu.keys() != on_cpu.keys():
        check.row(what, "not the same columns", "runs", False)
        return
    worst = {name: float(np.abs(on_gpu[name] - v).max() / (np.sqrt((v**2).mean()) or 1)) for name, v in on_cpu.items()}
    name = max(worst, key=worst.get)
    check.row(what, f"{worst[name]:.1e} ({name}, of {len(worst)})", f"<= {LIMIT:g}", worst[name] <= LIMIT)


def few_bytes(check):
    """2 GB of memory, of which CUDA takes some: 1.2 GB of a grid of 525^3 points and as much for cuFFT come in pieces, and 36 million points have
    no room beside them; these would take four cores longer than it takes to start a GPU."""
    run = check.run([*flows.FLOWS["hd"], "grid.n=[384,384,384]", "time.max_steps=1", 'parallel.device="gpu"', "output.spectra_interval=0",
                     "output.series_interval=0"], "query-short")[0]
    many, out = "lattice 330 330 330", check.folder / "many.h5"
    with all_but_2_gb() as filled:
        compare(check, f"query, another process holds all but 2 GB ({filled}), 384^3", run, ["--what", "u"], " pieces")
        refused = run and query(check, run, "gpu", ["--what", "u"], many, out).result()
        check.row("query, likewise, too many points: gpu", f"exit code {refused and refused.returncode}", "71, GPU memory named",
                  bool(refused) and refused.returncode == 71 and "GPU memory" in refused.stderr)
        passed = run and query(check, run, "auto", ["--what", "u"], many, out).result()
        check.row("query, likewise: auto", f"exit code {passed and passed.returncode}", "0, the CPU named",
                  bool(passed) and passed.returncode == 0 and "--device auto uses the CPU" in passed.stderr)
    out.unlink(missing_ok=True)


def flow(check, name):
    """Its run, with checkpoints; one that has been made is found finished."""
    keys, n, _ = FLOWS[name]
    return check.run([*keys, f"grid.n=[{n[0]},{n[1]},{n[2]}]", "time.max_steps=5", "parallel.threads=2", 'parallel.device="cpu"',
                      "output.checkpoint_interval=0.02", "output.keep=50", "output.spectra_interval=0", "output.series_interval=0"],
                     f"query-{name}".replace(" ", "-"))[0]


def sanitized(check, tool, which):
    run = flow(check, "hd")
    done = run and query(check, run, "gpu", ["--what", "velocity,gradient"], points(check.folder), check.folder / f"{which}.h5",
                         (tool, "--tool", which, "--error-exitcode", "9")).result()
    summary = [line.strip("= ") for line in (done.stdout + done.stderr).splitlines() if "SUMMARY" in line] if done else []
    check.row(f"query {which}", "; ".join(summary) or "no summary", "no report", bool(summary) and done.returncode == 0)


def sanitizer(check, tool, tools):
    for i, which in enumerate(tools):
        yield Row("query", f"query {which}", partial(sanitized, check, tool, which), SANITIZER if i == 0 else LAST, "sanitizer")


def one(check, name, what, words):
    compare(check, what, flow(check, name), words)


def rows(check, names, short=False):
    """short: also with a GPU that another process has filled."""
    points(check.folder)
    for name in names:
        what = f"query, {name}: {FLOWS[name][2]}"
        yield Row("query", what, partial(one, check, name, what, ["--what", FLOWS[name][2]]), MORE if name == "hd" else RARE, "query")
    if "hd" in names:
        yield Row("query", "query, hd: paths of points", partial(one, check, "hd", "query, hd: paths of points", ADVECT), RARE, "query")
    if short:
        yield Row("query", "query, another process holds all but 2 GB", partial(few_bytes, check), ALONE, "query")
