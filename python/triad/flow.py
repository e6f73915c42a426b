"""A flow that Python drives: the loop, the files and the messages of `triad run`, a step at a time."""
import atexit
import ctypes
import json
import math
import os
import re
import sys
import threading
import warnings
import weakref
import zlib

import numpy as np

from triad import calls, errors, library, values
from triad.errors import UsageError
from triad.fields import Fields
from triad.signals import Listening

_open_flows = {}  # by directory: until they are closed, at the end of Python if not before
_process = None   # whose flows these are: a process that is forked has its memory, and no part in its MPI and files


class Flow(Fields):
    """The flow of a case, at its start; or, where its directory holds a run of it, where that stands.

    case: the path of a case file, or the case as a dictionary. dir: the run directory, by default the
    case's name; all ranks use that of rank 0.
    Tables of keyword arguments change the case as --set does: equations=dict(viscosity=1e-3), precision="single".
    comm: a communicator of mpi4py, by default all ranks of mpirun. from_start, new_case, break_lock, strict and walltime
    [s] are the options of `triad run`. verbose prints what the log has.
    A flow of this process that has the directory is closed first, so that a cell of a notebook can run again.
    patience: how long a rank whose call-back has raised waits for the others before it ends them all [s].
    """

    def __init__(self, case, *, dir=None, comm=None, from_start=False, new_case=False, break_lock=False, strict=False,
                 walltime=0.0, verbose=False, patience=10.0, **tables):
        self._handle = ctypes.c_void_p()
        self._grids = 0  # how often the grid has been another
        self._no_arrays()
        self._inside, self._raised, self._stepping = False, None, None
        self.verbose, self.patience = verbose, patience
        self._calls, self._columns = calls.Calls(), []
        _check_options(case, dir, comm, walltime, patience)
        text = values.toml_of(case).encode() if isinstance(case, dict) else None
        path = "case.toml" if text is not None else os.fspath(case)
        sets = values.sets_of(tables)
        place = os.path.realpath(dir if dir is not None else os.path.splitext(os.path.basename(path))[0])
        _take_process()
        if place in _open_flows:
            _open_flows[place].close()
        self._kept_alive = library.texts(sets), library.texts(sys.argv)
        options = library.Options(
            dir=os.fsencode(dir) if dir is not None else None, text=text, sets=self._kept_alive[0], n_sets=len(sets),
            has_comm=comm is not None, comm=comm.py2f() if comm is not None else 0, from_start=from_start,
            new_case=new_case, break_lock=break_lock, strict=strict, walltime=walltime, program=b"python3",
            words=self._kept_alive[1], n_words=len(sys.argv))
        with _making:
            code = library.create(ctypes.byref(self._handle), os.fsencode(path), ctypes.byref(options))
            if code and text is not None:
                raise errors.of(code, _without_lines(library.message().decode("utf-8", "replace")))
            library.check(code)
        weak = weakref.ref(self)
        self._on_grid = library.CHANGES(lambda _who: weak()._another_grid())
        library.on_grid(self._handle, self._on_grid, None)
        self._place = place
        _open_flows[place] = self
        at = self._where()
        self.rank, self.size, self.threads = at.rank, at.size, at.threads
        self.real, self.dir, self.solver = (np.float32 if at.single else np.float64), os.fsdecode(at.dir), at.solver.decode()
        self.end = at.end
        kept = library.kept(self._handle).decode()
        self._kept_text = kept
        self.keep = json.loads(kept) if kept else {}
        self._hear()

    def _no_arrays(self):
        self._held, self._state, self._modes, self._points = weakref.WeakSet(), None, None, None

    def _another_grid(self):
        """target.grid = "follow": the flow is about to be made anew. Are arrays of this one still in use?"""
        in_use = len(self._held) > 0
        self._grids += 1
        self._no_arrays()
        return in_use

    # ---- where it is ----

    size = 1  # until it is known

    def _together(self, call, check):
        """check() on all ranks before a call that is collective: what one rank refuses raises on all, and so do calls that
        differ. What check returns."""
        if self.size == 1 or not self._handle:
            return check()
        code, text, error, result = 0, call, None, None
        try:
            result = check()
        except Exception as raised:  # other ranks are to know
            code, error = getattr(raised, "code", 70), raised
            text = str(raised) if isinstance(raised, errors.Error) else f"{type(raised).__name__}: {raised}"
        what = 2 + zlib.crc32(call.encode("utf-8", "replace")) % (1 << 30)
        found = library.meet(self._handle, what, code, text.encode("utf-8", "replace"), self.patience)
        if error is None and found:
            error = errors.of(found, library.message().decode("utf-8", "replace"))
        if error is not None:
            error.on_all_ranks = True
            raise error
        return result

    def _here(self):
        if not self._handle:
            raise UsageError("this flow is closed")
        if os.getpid() != _process:
            raise UsageError("this flow belongs to the parent process; after a fork its arrays can only be read")
        return self._handle

    def _open(self):
        if self._stepping not in (None, threading.get_ident()):
            raise UsageError("another thread is advancing this flow; until it returns only t, dt and steps can be read")
        return self._here()

    def _where(self):
        out = library.Instant()
        library.where(self._here(), ctypes.byref(out))
        return out

    @property
    def t(self):
        return self._where().t

    @property
    def dt(self):
        """The length of the last step."""
        return self._where().dt

    @property
    def steps(self):
        """How many it has taken since t = 0."""
        return self._where().step

    @property
    def finished(self):
        """Is it at time.end, or has it settled?"""
        return bool(library.finished(self._open()))

    @property
    def case(self):
        """The resolved case: {"equations.viscosity": 0.01, ..}."""
        from triad_plot.read import case
        return case.parse(library.case(self._open()).decode())

    @property
    def columns(self):
        """The series: {name: (unit, meaning)}."""
        out, texts = {}, [ctypes.c_char_p() for _ in range(3)]
        while library.column_at(self._open(), len(out), *map(ctypes.byref, texts)) == 0:
            name, unit, about = (text.value.decode() for text in texts)
            out[name] = unit, about
        return out

    def numbers(self):
        """The columns of the series, measured now: {"energy": .., ..}, with those of diagnostics, whose value is rank 0's. Within
        a diagnostic the solver's own only. Collective."""
        self._together("numbers", self._open)
        names = list(self.columns)
        row = np.full(len(names) + 1, np.nan)
        library.check(library.measure(self._open(), row.ctypes.data_as(ctypes.c_void_p)))
        own = {column.name: column for column in self._columns}
        out = {name: float(x) for name, x in zip(names, row) if name not in own}
        if not self._inside:
            out.update({name: self._rank_0(column.measure(self)) for name, column in own.items()})
        return {name: out[name] for name in names if name in out}

    def _rank_0(self, value):
        """The number that rank 0 has, on all ranks."""
        return value if self.size == 1 else self.sum(value if self.rank == 0 else 0.0)

    def __repr__(self):
        if not self._handle:
            return f"<triad.Flow {self.dir}: closed>"
        return f"<triad.Flow {self.dir}: {self.solver}, step {self.steps}, t = {self.t:g}>"

    def _hear(self):
        """Warnings of the log become Python's; all is printed where verbose."""
        for line in library.said(self._handle).decode("utf-8", "replace").splitlines():
            level, _, text = line.partition(" ")
            if level == "warning":
                warnings.warn(text, RuntimeWarning, stacklevel=4)
            elif self.verbose and level in ("info", "error"):
                print(text)

    # ---- steps ----

    def step(self, n=1):
        """n steps, or those that are left; files that are due are written."""
        return self._go(lambda: (math.inf, calls.whole("step", n, "the number of steps must be an integer, 0 or more")), f"step({n})")

    def advance(self, to=None):
        """Steps to time `to` exactly (with a fixed time.dt to the first step that reaches it), by default to time.end."""
        return self._go(lambda: (self._time_of(to), None), f"advance({to})")

    def _time_of(self, to):
        try:
            to = self.end if to is None else float(to)
        except (TypeError, ValueError):
            raise UsageError(f"advance({to!r}): the argument must be a time") from None
        if not to <= self.end * (1 + 1e-12):
            raise UsageError(f"t = {to:g} is beyond time.end = {self.end:g}: triad.Flow(.., time=dict(end={to:g})) "
                             "goes on to there")
        if to < self.t * (1 - 1e-12):
            raise UsageError(f"t = {to:g} is before the current time {self.t:g}")
        return to

    def _go(self, wanted, call):
        def check():
            handle = self._open()
            if self._inside or self._stepping is not None:
                raise UsageError("a call-back or a diagnostic cannot take steps")
            return handle, *wanted()
        handle, to, n = self._together(f"{call} with call-backs {self._calls.signature()}", check)
        self._stepping = threading.get_ident()
        try:
            with Listening(self) as ears:
                t, first = self.t, self.steps
                while not library.finished(handle) and not t >= to * (1 - 1e-12):
                    left = self._calls.steps_left(self.steps)
                    left = left if n is None else min(left, n - self.steps + first)
                    if left <= 0:
                        break
                    t = self._some(handle, t, min(to, self._calls.next(t)), left, ears)
        finally:
            self._stepping = None
            self._hear()
        library.check(library.wait(handle))
        return self

    def _some(self, handle, before, to, most, ears):
        """Steps up to when a call-back is due, or a signal has been waiting for as long as `AT_A_TIME`; the time then."""
        self._share_kept()
        code = library.steps(handle, to, most, AT_A_TIME)
        if code:
            raised, self._raised = self._raised, None
            if raised is not None:
                raise raised
            failure = errors.of(code, library.message().decode("utf-8", "replace"))
            if code == errors.Stopped.code and ears.interrupted:
                failure = errors.Interrupted(str(failure))
            raise failure
        at = self._where()
        due = self._calls.due(before, at.t, at.step)
        if due:
            library.check(library.wait(handle))  # HDF5 is free for what a call-back reads
        for function in due:
            self._agree(function)
        return at.t

    def _agree(self, function, take=lambda _flow, result: result):
        """Call it on all ranks, and take what it returns: what one raises ends the step on all."""
        code, text, error, result = 0, b"", None, None
        try:
            result = take(self, function(self))
        except BaseException as raised:  # KeyboardInterrupt and SystemExit too: other ranks are to know
            if getattr(raised, "on_all_ranks", False) and self.size > 1:
                raise  # they do
            code, error = 70, raised
            text = f"the call-back {calls.name_of(function)} raised {type(raised).__name__}: {raised}".encode()
        code = library.agree(self._handle, code, text, self.patience)
        if error is not None:
            raise error
        if code:
            raise errors.CallbackError(library.message().decode("utf-8", "replace"))
        return result

    def save(self):
        """A checkpoint now."""
        self._together("save", self._may_change)
        self._share_kept()
        library.check(library.save(self._open()))
        self._hear()

    def stop(self):
        """From within a call-back: after the next step a checkpoint is written, and Stopped raised, on all ranks."""
        library.request(self._open(), 2)

    def _share_kept(self):
        try:
            text = json.dumps(self.keep, allow_nan=True, default=values.plain) if self.keep else ""
        except (TypeError, ValueError) as error:
            raise UsageError(f"flow.keep accepts numbers, strings, lists and dictionaries: {error}") from None
        if text != self._kept_text:
            library.check(library.keep(self._handle, text.encode()))
            self._kept_text = text

    # ---- call-backs and diagnostics ----

    def every(self, time=None, *, steps=None):
        """Decorator: function(flow) is called at multiples of a time, to which steps are fitted as they are to files, or
        after every so many steps; on all ranks."""
        return self._calls.every(time, steps)

    def at(self, *times):
        """Decorator: function(flow) is called at these times."""
        return self._calls.at(times)

    def diagnostic(self, name=None, unit="1", about=None):
        """Decorator, before the first step: what function(flow) returns on rank 0 becomes a column of the series, by its
        name. It is called on all ranks whenever a row is written, and may not change the flow."""
        def add(function):
            self._columns.append(calls.Column(self, function, name, unit, about))
            return function
        return add

    # ---- the end ----

    def close(self):
        """The end; of a run that is not at its end a checkpoint is written, from which the same Flow, or `triad run`,
        goes on. Arrays that are still in use keep their memory."""
        if not self._handle or os.getpid() != _process:
            return
        if self._inside or self._stepping is not None:
            raise UsageError("a flow cannot be closed within a call-back or a diagnostic, or while another thread takes steps")
        self._together("close", lambda: None)
        try:
            self._share_kept()
        finally:  # with what was kept before
            if len(self._held):
                library.keep_memory(self._handle)
            handle, self._handle = self._handle, ctypes.c_void_p()
            _open_flows.pop(self._place, None)
            library.check(library.close(ctypes.byref(handle)))

    def __enter__(self):
        return self

    def __exit__(self, kind, _error, _trace):
        # where one rank alone has failed the others do not come here
        if kind is None or self.size == 1 or issubclass(kind, (errors.Error, errors.Interrupted)):
            self.close()
        return False


AT_A_TIME = 0.1  # s of steps without Python
LAST_WORDS = 3.0  # s that ranks have to say what has failed, once one rank's Python has ended without them
_making = threading.Lock()  # MPI comes up once, whichever thread makes the first flow


def _without_lines(message):
    """Errors of a dictionary: it has no lines of a file."""
    message = re.sub(r"^case\.toml(?::\d+:\d+)?: (?:error: )?", "", message, flags=re.M)
    return re.sub(r"\bin case\.toml\b", "in the dictionary", message)


def _check_options(case, dir, comm, walltime, patience):
    if not isinstance(case, (dict, str, bytes, os.PathLike)):
        raise UsageError(f"Flow({case!r}): the case must be a path or a dictionary")
    for path in (dir, None if isinstance(case, dict) else case):
        if path is not None and not isinstance(path, (str, bytes, os.PathLike)):
            raise UsageError(f"dir={path!r}: must be a path")
        if path is not None and b"\0" in os.fsencode(path):
            raise UsageError(f"{path!r}: a path cannot contain a NUL")
    if comm is not None and not hasattr(comm, "py2f"):
        raise UsageError(f"comm={comm!r}: must be a communicator of mpi4py")
    for name, seconds in (("walltime", walltime), ("patience", patience)):
        if not isinstance(seconds, (int, float, np.number)) or not seconds >= 0:
            raise UsageError(f"{name}={seconds!r}: must be a number of seconds, 0 or more")


def _take_process():
    global _process
    if _process not in (None, os.getpid()):
        raise UsageError("a process forked after MPI was started cannot create a flow: start processes of multiprocessing with "
                         'get_context("spawn")')
    _process = os.getpid()


@atexit.register
def _close_all():
    """At the end of Python what is open is closed; not where ranks may be at different places."""
    if os.getpid() != _process:
        return
    shared = [flow for flow in _open_flows.values() if flow.size > 1 and flow._handle]
    if shared and not errors.uncaught:  # other ranks may be in the midst of a call: they hear of it there
        library.leave((ctypes.c_void_p * len(shared))(*[flow._handle.value for flow in shared]), len(shared), LAST_WORDS)
    for flow in list(_open_flows.values()):
        if not (errors.uncaught and flow.size > 1):
            try:
                flow.close()
            except errors.Error as error:
                print(f"triad: {flow.dir}: {error}", file=sys.stderr)
    if not errors.uncaught or not _open_flows:
        library.finalize()
