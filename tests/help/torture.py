"""Torture: the same command is given until a run is through, while it is killed, its machine loses power, its disk fills.

    tests/help/torture.py [--tries N] [--seed S] [--only kill|power|full] [--flow NAME]     `make torture`; 300 tries, of flows in turn

Each try asks for two things: no hand (the same command goes on, whatever was left), and no difference (rows, spectra,
slices, fields and the modes of the last checkpoint are those of an unbroken run, bit for bit). tests/store/test_torture.py is its
short form.

kill   all processes get SIGKILL at a random time after the start, again and again until one start comes through
power  a run is recorded call by call (record.c); an image is what the disk may hold after a power cut at a random call.
       What was synced is there, what was not may be lost, in one of two models:
         whole  a file's unsynced writes are there or not, all or none; of unsynced changes of a folder the first so many
         cut    names are as they were at the cut, and a file's unsynced writes stop anywhere, also within one
       Afterwards the machine is another boot of the same host, so run.lock names another.
full   a disk (tmpfs) of random size; once the run has given up the disk is made larger
"""

import argparse
import hashlib
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import h5py

ROOT = Path(__file__).resolve().parents[2]
TRIAD = ROOT / os.environ.get("TRIAD_BIN", "bin/triad")
ALL = ["time.max_steps=40", "time.end=100", "output.series_interval=0", "output.disk_check=warn", "output.retry_limit=0"]
BOX = ["grid.n=[12,12,12]", "time.dt=0.01", "output.spectra_interval=0.08", "output.slices_interval=0.04",
       "output.fields_interval=0.2", "output.checkpoint_interval=0.05"]
PROBES = ['output.probes=["[0.1, 0.2, 0.3]", "[0.1, 0.3, 0.3]"]', "output.probes_interval=0.02", "output.probes_format=h5"]
# Every solver, with every kind of file that it writes: {flow: (case, keys)}
FLOWS = {
    "hd": ("taylor-green-demo", [*BOX, "initial.kind=random", "parallel.reproducible=true"]),
    "particles": ("tracers", [*BOX, "output.particles_interval=0.02", 'output.means=["spectra"]', "output.means_window=0.1"]),
    "staggered": ("channel-180", [*BOX, *PROBES, 'output.means=["moments"]', "profiles.every=5", "profiles.start=0",
                                  "time.dt=1e-3", "output.spectra_interval=8e-3", "output.slices_interval=4e-3",
                                  "output.fields_interval=0.02", "output.checkpoint_interval=5e-3"]),
    "compressible": ("supersonic-tgv", [*BOX, *PROBES]),
    "fct": ("vortex-hybrid", ["grid.n=[16,16,1]", "time.dt=0.01", "output.fields_interval=0.2", "output.slices_interval=0.04",
                              "output.checkpoint_interval=0.05", "output.means=true", "output.probes_interval=0.02",
                              'output.slices=["z=0.07: rho, p"]',
                              'output.probes=["a: line, x=1, y=1, z=0.07, to_x=8, to_y=8, to_z=0.07, n=5"]']),
    "multiblock": ("flat-plate", ["grid.n=[24,8,1]", "time.steady=false", "time.dt=1e-6", "time.scheme=rk3", "output.cgns=true",
                                  "output.fields_interval=4e-6", "output.slices_interval=4e-6", "output.checkpoint_interval=5e-6",
                                  'output.slices=["k=1: rho, p"]'])}
LIMIT = 120  # s of one start


class Broken(Exception):
    """A try that needed a hand, or made a difference."""

    def sort(self):
        """Its first line, without the numbers that differ from try to try: step-00000015 is a step."""
        return re.sub(r"\d{3,}", "#", str(self).split("\n")[0]).rstrip(":")


class Bench:
    """A place to work in, and what an unbroken run gives."""

    def __init__(self, folder, flow="hd", whole=True):
        self.folder, self.flow = Path(folder), flow
        (self.folder / "tmp").mkdir(parents=True)
        self.env = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMP_NUM_THREADS": "1",
                    "TRIAD_REPORT": "no", "TRIAD_WISDOM": str(self.folder / "wisdom"), "TMPDIR": str(self.folder / "tmp"),
                    "OMPI_MCA_btl_vader_backing_directory": str(self.folder / "tmp"), "OMPI_MCA_mpi_yield_when_idle": "1",
                    "OMPI_MCA_btl_vader_single_copy_mechanism": "none"}
        if not whole:
            return
        begin = time.monotonic()
        code, said = self.run(self.folder / "whole")
        self.seconds = time.monotonic() - begin
        if code != 0:
            raise SystemExit(f"the unbroken run ended with {code}:\n{said}")
        self.whole = results(self.folder / "whole")

    def command(self, run, ranks):
        launch = ["mpirun", "--oversubscribe", "--bind-to", "none", "-n", str(ranks)] if ranks > 1 else []
        case, keys = FLOWS[self.flow]
        return [*launch, str(TRIAD), "run", str(ROOT / "runs" / case / "case.toml"), "--dir", str(run)] + [
            w for k in ALL + keys for w in ("--set", k)]

    def start(self, run, ranks=1, **env):
        return subprocess.Popen(self.command(run, ranks), env={**self.env, **env}, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                                start_new_session=True)

    def run(self, run, ranks=1, **env):
        process = self.start(run, ranks, **env)
        try:
            said = process.communicate(timeout=LIMIT)[0]
        except subprocess.TimeoutExpired:
            kill_all(process)
            return None, process.communicate()[0]
        return process.returncode, said

    def finish(self, run, ranks=1):
        """The same command goes on to the end, and nothing differs."""
        code, said = self.run(run, ranks)
        if code != 0:
            raise Broken(f"the same command ended with {code}:\n{said}")
        now = results(run)
        wrong = [name for name in sorted(set(now) | set(self.whole)) if now.get(name) != self.whole.get(name)]
        if wrong:
            raise Broken(f"these differ: {', '.join(wrong[:8])}\n{said}")


def datasets(path):
    """A hash of all numbers in an HDF5 file; what its notes say of the command may differ."""
    out = hashlib.sha1()
    with h5py.File(path) as f:
        f.visititems(lambda name, it: out.update(name.encode() + it[()].tobytes()) if isinstance(it, h5py.Dataset) else None)
    return out.hexdigest()


def results(run):
    """What must be the same: {name: hash}."""
    out = {}
    for path in sorted(run.rglob("*")):
        name = str(path.relative_to(run))
        if path.name.startswith(".") or "/.tmp-" in f"/{name}" or not path.is_file():
            continue
        if name in ("series.csv", "probes.csv", "profiles.csv"):
            out[name] = hashlib.sha1(path.read_bytes()).hexdigest()
        elif path.suffix == ".h5" and path.parent.name != "inputs":
            out[name] = datasets(path)
        elif path.suffix in (".png", ".xmf"):
            out[name] = hashlib.sha1(path.read_bytes()).hexdigest()
    last = max(name for name in out if name.startswith("checkpoints/")) if any(n.startswith("checkpoints/") for n in out) else ""
    return {name: sum_ for name, sum_ in out.items() if not name.startswith("checkpoints/") or name == last}


# ---- kill ----

def processes_of(leader):
    """Of its session: mpirun gives each rank a process group of its own, but they stay in the session."""
    out = []
    for name in os.listdir("/proc"):
        try:
            if name.isdigit() and int(Path(f"/proc/{name}/stat").read_text().rsplit(")", 1)[1].split()[3]) == leader:
                out.append(int(name))
        except (OSError, IndexError, ValueError):
            pass
    return out


def kill_all(process):
    """At once, ranks and launcher."""
    for _ in range(3):
        for pid in processes_of(process.pid):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
    process.wait()


def torture_kill(bench, rng, run):
    ranks = rng.choice([1, 1, 2])
    for _ in range(rng.choice([1, 1, 2, 3])):
        process = bench.start(run, ranks)
        time.sleep(rng.uniform(0, 1.1 * bench.seconds * (1 if ranks == 1 else 2)))
        kill_all(process)
        process.stdout.close()
    bench.finish(run, ranks)


# ---- power ----

class File:
    def __init__(self, data=b""):
        self.synced, self.pending, self.was_synced = bytes(data), [], False

    def content(self, kept=None, cut=None):
        """With the first `kept` unsynced writes, the last of them cut."""
        data = bytearray(self.synced)
        for i, (kind, at, piece) in enumerate(self.pending[:kept]):
            if kind == "size":
                data[at:] = b"" if at <= len(data) else bytes(at - len(data))
                continue
            if cut is not None and i == kept - 1:
                piece = piece[:int(cut * (len(piece) + 1))]
            if at > len(data):
                data += bytes(at - len(data))
            data[at:at + len(piece)] = piece
        return bytes(data)


class Folder:
    def __init__(self):
        self.entries, self.synced, self.log = {}, {}, []

    def put(self, changes):
        """[(name, node or None)] at once."""
        self.log.append(changes)
        for name, node in changes:
            self.entries.pop(name, None)
            if node is not None:
                self.entries[name] = node

    def as_of(self, kept):
        out = dict(self.synced)
        for changes in self.log[:kept]:
            for name, node in changes:
                out.pop(name, None)
                if node is not None:
                    out[name] = node
        return out


def records(trace):
    """(kind, inode, offset, path, data) of a trace."""
    data, at, out = trace.read_bytes(), 0, []
    while at < len(data):
        end = data.index(b"\n", at)
        kind, inode, offset, size, path = data[at:end].split(b" ", 4)
        at = end + 1 + int(size)
        out.append((kind.decode(), int(inode), int(offset), path.decode(), data[end + 1:at]))
    return out


class Disk:
    """What a run has made of a folder, and what of it a power cut may leave."""

    def __init__(self, top):
        self.top, self.root, self.files, self.opened = str(top), Folder(), {}, {}

    def find(self, path):
        """The folder that a path is in, and its name there."""
        parts = [p for p in path[len(self.top):].split("/") if p and p != "."]
        node = self.root
        for part in parts[:-1]:
            node = node.entries[part]
        return node, parts[-1] if parts else None

    def node(self, path):
        folder, name = self.find(path)
        return self.root if name is None else folder.entries[name]

    def play(self, record):
        kind, inode, offset, path, data = record
        if kind == "create":
            folder, name = self.find(path)
            self.files[inode] = File()
            folder.put([(name, self.files[inode])])
        elif kind in ("write", "size"):
            if inode in self.files:
                self.files[inode].pending.append((kind, offset, data))
        elif kind == "sync":
            if inode in self.files:
                file = self.files[inode]
                file.synced, file.pending, file.was_synced = file.content(), [], True
        elif kind == "opened":
            self.opened[offset] = None if "/.." in path else self.node(path)
        elif kind == "folder":
            folder = self.opened.get(offset)
            if folder is not None:
                folder.synced, folder.log = dict(folder.entries), []
        elif kind == "mkdir":
            folder, name = self.find(path)
            if name is not None:
                folder.put([(name, Folder())])
        elif kind in ("unlink", "rmdir"):
            folder, name = self.find(path)
            folder.put([(name, None)])
        else:
            folder, name = self.find(path)
            _, other = self.find(data.decode())
            node = folder.entries[name]
            if kind == "link":
                folder.put([(other, node)])
            elif kind == "rename":
                folder.put([(name, None), (other, node)])
            else:
                folder.put([(name, folder.entries[other]), (other, node)])

    def image(self, model, rng, to, folder=None):
        """Write what a power cut now leaves."""
        folder = folder or self.root
        to.mkdir()
        names = folder.as_of(rng.randint(0, len(folder.log)) if model == "whole" else None)
        for name, node in names.items():
            if isinstance(node, Folder):
                self.image(model, rng, to / name, node)
                continue
            if model == "whole":
                if node.pending and rng.random() < 0.5:
                    if not node.was_synced:
                        continue
                    data = node.synced
                else:
                    data = node.content()
            else:
                kept = rng.randint(0, len(node.pending))
                data = node.content(kept, rng.random())
            (to / name).write_bytes(data)


NEVER_SYNCED = ("log.txt", "status.json", "run.lock")  # for who looks at the run; after a power cut nobody needs them


def unsynced(disk):
    """Names, and files, that a power cut now may take away or cut short, temporary ones left out. [path]"""
    out = []

    def look(folder, path):
        for name in sorted(set(folder.entries) | set(folder.synced)):
            node = folder.entries.get(name)
            if name.startswith(".tmp-") or name in NEVER_SYNCED or ".new-" in name:
                continue
            if node is None or folder.synced.get(name) is not node or isinstance(node, File) and node.pending:
                out.append(path + name)
            elif isinstance(node, Folder):
                look(node, f"{path}{name}/")
    look(disk.root, "")
    return out


def unsynced_at_checkpoints(bench, trace):
    """{path: number of checkpoints at whose end a power cut could take it away}; and the number of checkpoints."""
    disk, lost, n, renamed = Disk(bench.folder / "recorded"), {}, 0, False
    for item in trace:
        disk.play(item)
        kind, _, offset, path, data = item
        renamed = renamed or kind == "rename" and "/checkpoints/step-" in data.decode()
        if renamed and kind == "folder" and disk.opened.get(offset) is disk.root.entries["checkpoints"]:
            renamed, n = False, n + 1
            for path in unsynced(disk):
                lost[path] = lost.get(path, 0) + 1
    return lost, n


def record(bench, run):
    """An unbroken run, call by call."""
    library = bench.folder / "record.so"
    if not library.exists():
        subprocess.run([os.environ.get("CC", "cc"), "-shared", "-fPIC", "-O1", "-w", "-o", library, ROOT / "tests/help/record.c",
                        "-ldl"], check=True, timeout=60)
    trace = bench.folder / "trace"
    trace.unlink(missing_ok=True)
    code, said = bench.run(run, LD_PRELOAD=str(library), TORTURE_DIR=str(run), TORTURE_TRACE=str(trace))
    if code != 0:
        raise SystemExit(f"the recorded run ended with {code}:\n{said}")
    return records(trace)


def record_once(bench):
    if not hasattr(bench, "trace"):
        bench.trace = record(bench, bench.folder / "recorded")
        check_record(bench)
    return bench.trace


def torture_power(bench, rng, run, model):
    record_once(bench)
    disk = Disk(bench.folder / "recorded")
    for item in bench.trace[:rng.randint(1, len(bench.trace))]:
        disk.play(item)
    disk.image(model, rng, run)
    lock = run / "run.lock"
    if lock.exists():
        lock.write_text(re.sub("(?m)^boot .*$", "boot 00000000-0000-0000-0000-000000000000", lock.read_text()))
    bench.finish(run)


def check_record(bench):
    """The whole record, with nothing lost, is what stands on the disk: else the model says nothing."""
    disk, again = Disk(bench.folder / "recorded"), bench.folder / "again"
    for item in bench.trace:
        disk.play(item)

    def all_of(folder, path):
        for name, node in folder.entries.items():
            if isinstance(node, Folder):
                (path / name).mkdir(parents=True)
                all_of(node, path / name)
            else:
                (path / name).write_bytes(node.content())
    again.mkdir()
    all_of(disk.root, again)
    if results(again) != results(bench.folder / "recorded"):
        raise SystemExit("the record of a run is not what the run has left: record.c misses calls")


# ---- full ----

def can_mount(folder):
    folder.mkdir(exist_ok=True)
    if os.geteuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "none", folder], capture_output=True).returncode:
        return False
    subprocess.run(["umount", folder], check=True)
    return True


def size_of(run):
    """KB that its files take, page by page."""
    return sum(4 * ((p.lstat().st_size + 4095) // 4096 + 1) for p in run.rglob("*"))


def torture_full(bench, rng, run):
    disk = run.with_name(run.name + "-disk")
    disk.mkdir()
    size = rng.randint(16, int(1.2 * size_of(bench.folder / "whole")))
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}k", "none", disk], check=True)
    try:
        for _ in range(2):
            code, said = bench.run(disk / "run")
            if code not in (0, 74):
                raise Broken(f"on a disk of {size} KB it ended with {code}:\n{said}")
        subprocess.run(["mount", "-o", "remount,size=64m", disk], check=True)
        bench.finish(disk / "run")
    finally:
        subprocess.run(["umount", "-l", disk], check=False)
        disk.rmdir()


KINDS = {"kill": torture_kill, "whole": lambda b, g, r: torture_power(b, g, r, "whole"),
         "cut": lambda b, g, r: torture_power(b, g, r, "cut"), "full": torture_full}


def report(tries, failures, folder):
    """A line each kind of try, and each kind of failure, of which a file of the first one has all that was said; how many
    failed."""
    for kind, n in tries.items():
        print(f"{kind}: {n} tries, {sum(len(bad) for (k, _), bad in failures.items() if k == kind)} with a hand or a difference")
    for (kind, why), bad in failures.items():
        print(f"{kind}, {len(bad)} times: {why}; {folder}/run-{bad[0]} and run-{bad[0]}.txt have the first")
    return sum(map(len, failures.values()))


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--tries", type=int, default=300)
    p.add_argument("--seed", type=int, default=random.randrange(10**6))
    p.add_argument("--only", choices=["kill", "power", "full"])
    p.add_argument("--flow", choices=list(FLOWS))
    a = p.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="torture-"))
    flows = [a.flow] if a.flow else list(FLOWS)
    benches = [Bench(folder / flow, flow) for flow in flows]
    kinds = {"power": ["whole", "cut"], None: list(KINDS)}.get(a.only, [a.only])
    if "full" in kinds and not can_mount(folder / "probe"):
        print("full: SKIP, mounting a small disk takes root")
        kinds.remove("full")
    tries, failures = {}, {}
    for i in range(a.tries):
        kind, bench, run = kinds[i % len(kinds)], benches[i // len(kinds) % len(benches)], folder / f"run-{i}"
        tries[kind] = tries.get(kind, 0) + 1
        try:
            KINDS[kind](bench, random.Random(f"{a.seed}-{i}"), run)
            shutil.rmtree(run, ignore_errors=True)
        except Broken as why:
            failures.setdefault((kind, f"{bench.flow}: {why.sort()}"), []).append(i)
            (folder / f"run-{i}.txt").write_text(f"{why}\n")
    bad = report(tries, failures, folder)
    print(f"seed {a.seed}: {a.tries} tries, {bad} with a hand or a difference")
    if not bad:
        shutil.rmtree(folder, ignore_errors=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
