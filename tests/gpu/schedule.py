"""Rows of a check on a GPU: their order, their time, and the processes that they share.

A row is a function that starts runs and judges them. Rows are taken in turn from each solver, by tier, so that a check that is
short of time has covered every solver. Several rows are in progress at once: reference runs on the cores of the host, others on
the GPU. A row that finds no time left is reported as not run, which is neither passed nor failed."""

import contextvars
import os
import subprocess
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass

OK, FAILED, NOT_RUN = "ok", "FAILED", "not run"
EXIT_FAILED, EXIT_NOT_RUN = 1, 75  # 75: as a run that stopped early; another try may pass

# Tiers: one GPU and two ranks for each solver; more cases; the sanitizer once for each solver; rarer paths; rows that need the GPU to
# themselves; the other runs of the sanitizer, which take ten times as long as others.
FIRST, MORE, SANITIZER, RARE, ALONE, LAST = range(6)

GPU_SLOTS = 10  # processes on the GPU at a time; most of a run is its start
AT_ONCE = 24    # rows in progress
# Many processes share the cores: few threads each, which sleep while they wait.
QUIET = {"OMP_NUM_THREADS": "2", "OMP_WAIT_POLICY": "passive"}


def lacks_gpu(code, text):
    """Whether a run ended because this host has no GPU, or because Triad was built without CUDA."""
    return code == 69 and ("no GPU is available" in text or "no CUDA support" in text)


class OutOfTime(Exception):
    """The check's time ended before a row had its results."""


@dataclass
class Row:
    """A unit of the schedule: one or more lines of the table that are made from the same runs."""
    solver: str
    name: str
    work: object          # called without arguments; calls Check.row for each line of the table
    tier: int = MORE
    part: str = ""        # the part of the check it belongs to


def in_order(rows):
    """By tier; within a tier one row of each solver in turn. Rows of one solver and tier keep their order."""
    out = []
    for tier in sorted({row.tier for row in rows}):
        queues = {}
        for row in rows:
            if row.tier == tier:
                queues.setdefault(row.solver, []).append(row)
        while queues:
            for solver in list(queues):
                out.append(queues[solver].pop(0))
                if not queues[solver]:
                    del queues[solver]
    return out


class Slots:
    """So many processes at a time; whoever asked first is served first, also if more slots are asked for than are free."""

    def __init__(self, count):
        self.count, self.free, self.queue, self.changed = count, count, [], threading.Condition()

    @contextmanager
    def take(self, n, end):
        n = min(n, self.count)
        ticket = object()
        with self.changed:
            self.queue.append(ticket)
            while self.queue[0] is not ticket or self.free < n:
                if not self.changed.wait(max(0.0, end - time.time())) and time.time() >= end:
                    self.queue.remove(ticket)
                    self.changed.notify_all()
                    raise OutOfTime
            self.queue.pop(0)
            self.free -= n
            self.changed.notify_all()
        try:
            yield
        finally:
            with self.changed:
                self.free += n
                self.changed.notify_all()


class Progress:
    """Lines and seconds of one row."""

    def __init__(self, row):
        self.row, self.lines, self.seconds, self.lock = row, [], 0.0, threading.Lock()

    def add(self, seconds):
        with self.lock:
            self.seconds += seconds


CURRENT = contextvars.ContextVar("row")


class Schedule:
    """Runs rows until `end` [time.time()] and prints each line as it is judged."""

    def __init__(self, end, cores=None):
        cores = cores or len(os.sched_getaffinity(0))
        self.end, self.gpu, self.cpu = end, Slots(GPU_SLOTS), Slots(max(1, cores // 2))
        self.runs, self.lock, self.threads = {}, threading.Lock(), ThreadPoolExecutor(8 * AT_ONCE)
        self.done = []

    def line(self, what, reached, wanted, verdict):
        progress = CURRENT.get()
        progress.lines.append((what, reached, wanted, verdict))
        print(f"{what}: {reached} ({wanted}) {verdict}, {progress.seconds:.1f} s", flush=True)

    def start(self, key, call, *, on_gpu, slots=1):
        """The Future of call(), which is made once for a key, when slots are free. Its seconds count for the row that asked first."""
        with self.lock:
            if key in self.runs:
                return self.runs[key]
            future = self.runs[key] = Future()
        progress = CURRENT.get(None)

        def body():
            try:
                with (self.gpu if on_gpu else self.cpu).take(slots, self.end):
                    begin = time.time()
                    try:
                        result = call()
                    finally:
                        if progress:
                            progress.add(time.time() - begin)
                future.set_result(result)
            except BaseException as error:
                future.set_exception(error)

        self.threads.submit(body)
        return future

    def command(self, command, seconds, env=None):
        """What is left of a process; OutOfTime if the check ends before it, TimeoutExpired after so many seconds."""
        left = self.end - time.time()
        if left < 1:
            raise OutOfTime
        try:
            return subprocess.run(command, capture_output=True, text=True, timeout=min(seconds, left), env={**os.environ, **QUIET, **(env or {})})
        except subprocess.TimeoutExpired:
            if seconds > left:
                raise OutOfTime from None
            raise

    def one(self, progress):
        CURRENT.set(progress)
        row = progress.row
        try:
            if time.time() >= self.end:
                raise OutOfTime
            row.work()
            if not progress.lines:
                self.line(row.name, "no line", "a result", FAILED)
        except OutOfTime:
            self.line(row.name, "no time left", "", NOT_RUN)
        except Exception as error:  # a mistake of the check's own is never a pass
            self.line(row.name, f"{type(error).__name__}: {error}", "a result", FAILED)

    def all_of(self, rows):
        """Rows that need the GPU to themselves start when all before them have ended, and end before others start."""
        rows = in_order(rows)
        self.done = [Progress(row) for row in rows]
        for tier in sorted({row.tier for row in rows}):
            with ThreadPoolExecutor(1 if tier == ALONE else AT_ONCE) as pool:
                for progress in (p for p in self.done if p.row.tier == tier):
                    pool.submit(contextvars.copy_context().run, self.one, progress)
        return self.done


def table(done):
    """Every line with its verdict and the seconds that the runs of its row took, which stand at the row's first line."""
    lines = [("what", "reached", "required", "verdict", "seconds")]
    for progress in done:
        for i, line in enumerate(progress.lines):
            lines.append((*line, f"{progress.seconds:.1f}" if i == 0 else ""))
    widths = [max(len(line[i]) for line in lines) for i in range(5)]
    return ["  ".join(word.ljust(width) for word, width in zip(line, widths)).rstrip() for line in lines]


def summary(done):
    """The last line of the check, and its exit code."""
    verdicts = [line[3] for progress in done for line in progress.lines]
    held, failed, rest = (verdicts.count(v) for v in (OK, FAILED, NOT_RUN))
    code = EXIT_FAILED if failed or not verdicts else EXIT_NOT_RUN if rest else 0
    return f"{held} passed, {failed} failed, {rest} not run for lack of time", code
