"""Lines whose kernels are compiled when they are wanted (fft/gpu_compiled.h): against the CPU along every axis, and what is kept
of them. For check."""

import os
from concurrent.futures import ThreadPoolExecutor

import compare

# Every radix, few and many elements a thread, even and odd, rows in pairs and one by one.
GRIDS = [(480, 18, 20), (500, 21, 24), (576, 25, 16), (600, 27, 28), (720, 30, 35), (900, 36, 42), (1000, 45, 49), (1152, 40, 63),
         (2160, 16, 27), (4096, 20, 18), (189, 36, 175), (416, 343, 22)]
# With every mode kept, even and odd.
ALL = [(64, 64, 64), (60, 45, 50), (33, 36, 40)]
SETS = ["mhd", "gpe", "boussinesq", "hd-scalars", "hd-shifted", "hd-two-grids", "mhd-hall-shifted"]


def on_both(check, keys_of, name, grid, precision="double", more=()):
    keys = [keys_of(name, grid, 3, precision, device, 1000) + list(more) for device in ("gpu", "cpu")]
    tag = "x".join(map(str, grid))
    on_gpu = check.run(keys[0], f"lengths-{name}-{tag}-{precision}-gpu{len(more)}")
    on_cpu = check.run(keys[1] + ["parallel.threads=2", "parallel.reproducible=true"],
                       f"lengths-{name}-{tag}-{precision}-cpu{len(more)}")
    return on_gpu, on_cpu


def agree(check, what, runs, wanted):
    (a, text), (b, _) = runs
    if a is None or b is None or "cuFFT" in text or "are not built in" not in text:
        check.row(what, "no result, or lines by cuFFT", "runs", False)
        return
    modes, over_rms = compare.mode_difference(a, b)
    check.row(what, f"{modes:.1e} (over rms {over_rms:.1e})", f"<= {wanted:g}", modes <= wanted)


def agreement(check, keys_of):
    todo = [("hd", n[turn:] + n[:turn], "double", ()) for n in GRIDS for turn in range(3)]
    todo += [("hd", n, "single", ()) for n in GRIDS]
    todo += [(name, (60, 45, 50), "double", ()) for name in SETS] + [(name, (90, 28, 48), "double", ()) for name in SETS]
    todo += [("hd", n, "double", ('grid.truncation="none"',)) for n in ALL]
    with ThreadPoolExecutor(8) as pool:
        runs = list(pool.map(lambda one: on_both(check, keys_of, *one), todo))
    for (name, grid, precision, more), both in zip(todo, runs):
        what = f"{name} {'x'.join(map(str, grid))} {precision}{', every mode' if more else ''}"
        agree(check, what, both, 1e-12 if precision == "double" else 1e-5)


def kept(check, keys_of):
    """The same run by kernels that were compiled, read, compiled anew: bit for bit."""
    folder = check.folder / "kernels-kept"
    keys = keys_of("hd", (36, 28, 42), 3, "double", "gpu", 1000)
    before = ("env", f"TRIAD_KERNELS={folder}")
    first, text = check.run(keys, "kernels-cold", before=before)

    def row(what, run, said, held):
        same = first is not None and run is not None and compare.mode_difference(run, first)[0] == 0
        check.row(f"kernels: {what}", "as the first time" if same else "not as the first time", said, same and held)

    row("no folder yet", first, "compiled", "programs compiled in" in text)
    run, text = check.run(keys, "kernels-warm", before=before)
    row("kept by an earlier run", run, "none compiled", "compiled in" not in text)
    run, text = check.run(keys, "kernels-alone", before=(*before, "TRIAD_NVRTC=/nonexistent"))
    row("kept, and NVRTC is not there", run, "none compiled, no cuFFT", "compiled in" not in text and "cuFFT" not in text)
    files = [path for path in folder.iterdir() if path.suffix != ".lock"]
    for path in files:
        data = bytearray(path.read_bytes())
        data[-100] ^= 1
        path.write_bytes(data)
    run, text = check.run(keys, "kernels-damaged", before=before)
    row("a bit of each file has changed", run, f"{len(files)} programs compiled", f"{len(files)} programs compiled in" in text)
    for path in files:
        path.write_bytes(path.read_bytes().replace(b"sm_", b"sm_1", 1))
    run, text = check.run(keys, "kernels-other", before=before)
    row("files of another GPU", run, f"{len(files)} programs compiled", f"{len(files)} programs compiled in" in text)
    run, text = check.run(keys, "kernels-nowhere", before=("env", "TRIAD_KERNELS=/proc/nowhere"))
    row("nothing can be written", run, "says so", "cannot be kept" in text)
    both = ("env", f"TRIAD_KERNELS={check.folder / 'kernels-two'}")
    with ThreadPoolExecutor(2) as pool:
        runs = list(pool.map(lambda i: check.run(keys, f"kernels-two-{i}", before=both), range(2)))
    for i, (run, text) in enumerate(runs):
        row(f"two processes at once, {i}", run, "runs", "are not built in" in text)
    _, text = check.run(keys, "kernels-none", before=("env", f"TRIAD_KERNELS={check.folder / 'none'}", "TRIAD_NVRTC=/nonexistent"))
    check.row("kernels: no NVRTC, nothing kept", "by cuFFT" if "cuFFT" in text else "not by cuFFT", "by cuFFT", "cuFFT" in text)


def all_of(check, keys_of):
    os.environ.setdefault("TRIAD_KERNELS", str(check.folder / "kernels"))
    agreement(check, keys_of)
    kept(check, keys_of)
