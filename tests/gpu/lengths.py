"""Lines whose kernels are compiled when they are wanted (fft/gpu/gpu_compiled.h): against the CPU along every axis, and what is kept
of them. For check."""

import os
from functools import partial

import compare
from schedule import RARE, Row

# Every radix, few and many elements a thread, even and odd, rows in pairs and one by one.
GRIDS = [(480, 18, 20), (500, 21, 24), (576, 25, 16), (600, 27, 28), (720, 30, 35), (900, 36, 42), (1000, 45, 49), (1152, 40, 63),
         (2160, 16, 27), (4096, 20, 18), (189, 36, 175), (416, 343, 22)]
# With every mode kept, even and odd.
ALL = [(64, 64, 64), (60, 45, 50), (33, 36, 40)]
SETS = ["mhd", "gpe", "boussinesq", "hd-scalars", "hd-shifted", "hd-two-grids", "mhd-hall-shifted"]


def agree(check, keys_of, name, grid, precision, more):
    tag = "x".join(map(str, grid))
    on_gpu, on_cpu = (check.begin(keys_of(name, grid, 3, precision, device, 1000) + list(more) + own, f"lengths-{name}-{tag}-{precision}-{device}{len(more)}")
                      for device, own in (("gpu", []), ("cpu", ["parallel.threads=1", "parallel.reproducible=true"])))
    (a, text), (b, _) = on_gpu.result(), on_cpu.result()
    what, wanted = name_of(name, grid, precision, more), 1e-12 if precision == "double" else 1e-5
    if a is None or b is None or "cuFFT" in text or "are not built in" not in text:
        check.row(what, "no result, or lines by cuFFT", "runs", False)
        return
    modes, over_rms = compare.mode_difference(a, b)
    check.row(what, f"{modes:.1e} (over rms {over_rms:.1e})", f"<= {wanted:g}", modes <= wanted)


def name_of(name, grid, precision, more):
    return f"{name} {'x'.join(map(str, grid))} {precision}{', every mode' if more else ''}"


def cases():
    """Each grid turned one way in double and another in single precision: between them every length is along two axes."""
    out = [("hd", n[turn:] + n[:turn], precision, ()) for precision, more in (("double", 0), ("single", 1)) for i, n in enumerate(GRIDS) for turn in [(i + more) % 3]]
    out += [(name, ((60, 45, 50), (90, 28, 48))[i % 2], "double", ()) for i, name in enumerate(SETS)]
    return out + [("hd", n, "double", ('grid.truncation="none"',)) for n in ALL]


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
    row("nothing can be written", run, "says so", "cannot be stored" in text)
    both = ("env", f"TRIAD_KERNELS={check.folder / 'kernels-two'}")
    runs = [check.begin(keys, f"kernels-two-{i}", before=both) for i in range(2)]
    for i, (run, text) in enumerate(job.result() for job in runs):
        row(f"two processes at once, {i}", run, "runs", "are not built in" in text)
    _, text = check.run(keys, "kernels-none", before=("env", f"TRIAD_KERNELS={check.folder / 'none'}", "TRIAD_NVRTC=/nonexistent"))
    check.row("kernels: no NVRTC, nothing kept", "by cuFFT" if "cuFFT" in text else "not by cuFFT", "by cuFFT", "cuFFT" in text)


def rows(check, keys_of):
    os.environ.setdefault("TRIAD_KERNELS", str(check.folder / "kernels"))
    yield Row("hd", "kernels: no folder yet", partial(kept, check, keys_of), RARE, "lengths")
    for case in cases():
        yield Row(case[0].split("-")[0], name_of(*case), partial(agree, check, keys_of, *case), RARE, "lengths")
