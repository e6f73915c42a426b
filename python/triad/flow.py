"""A flow that Python drives: the loop, the files and the messages of `triad run`, a step at a time."""
import atexit
import ctypes
import json
import math
import os
import sys
import warnings
import weakref

import numpy as np

from triad import calls, errors, library, values
from triad.errors import UsageError
from triad.memory import Modes, State
from triad.points import Points
from triad.signals import Listening

_open_flows = {}  # by directory: until they are closed, at the end of Python if not before


class Flow:
    """The flow of a case, at its start; or, where its directory holds a run of it, where that stands.

    case: the path of a case file, or the case as a dictionary. dir: the run directory, by default the case's name.
    Tables of keyword arguments change the case as --set does: equations=dict(viscosity=1e-3), precision="single".
    comm: a communicator of mpi4py, by default all ranks of mpirun. from_start, new_case, break_lock, strict and walltime
    [s] are the options of `triad run`. verbose prints what the log is told.
    A flow of this process that has the directory is closed first, so that a cell of a notebook can run again.
    patience: how long a rank whose call-back has raised waits for the others before it ends them all [s].
    """

    def __init__(self, case, *, dir=None, comm=None, from_start=False, new_case=False, break_lock=False, strict=False,
                 walltime=0.0, verbose=False, patience=10.0, **tables):
        self._handle = ctypes.c_void_p()
        self._held, self._state, self._modes, self._points = weakref.WeakSet(), None, None, None
        self._inside, self._raised = False, None
        self.verbose, self.patience = verbose, patience
        self._calls, self._columns = calls.Calls(), []
        text = values.toml_of(case).encode() if isinstance(case, dict) else None
        path = "case.toml" if text is not None else os.fspath(case)
        sets = values.sets_of(tables)
        place = os.path.realpath(dir if dir is not None else os.path.splitext(os.path.basename(path))[0])
        if place in _open_flows:
            _open_flows[place].close()
        self._kept_alive = library.texts(sets), library.texts(sys.argv)
        options = library.Options(
            dir=os.fspath(dir).encode() if dir is not None else None, text=text, sets=self._kept_alive[0], n_sets=len(sets),
            has_comm=comm is not None, comm=comm.py2f() if comm is not None else 0, from_start=from_start,
            new_case=new_case, break_lock=break_lock, strict=strict, walltime=walltime, program=b"python3",
            words=self._kept_alive[1], n_words=len(sys.argv))
        library.check(library.create(ctypes.byref(self._handle), path.encode(), ctypes.byref(options)))
        self._place = place
        _open_flows[place] = self
        at = self._where()
        self.rank, self.size, self.threads = at.rank, at.size, at.threads
        self.real, self.dir, self.solver = (np.float32 if at.single else np.float64), at.dir.decode(), at.solver.decode()
        self.end = at.end
        kept = library.kept(self._handle).decode()
        self._kept_text = kept
        self.keep = json.loads(kept) if kept else {}
        self._hear()

    # ---- where it is ----

    def _open(self):
        if not self._handle:
            raise UsageError("this flow is closed")
        return self._handle

    def _where(self):
        out = library.Instant()
        library.where(self._open(), ctypes.byref(out))
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
        from triad_plot import case
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
        """The solver's columns of the series, measured now: {"energy": .., ..}. Collective."""
        names = list(self.columns)
        row = np.full(len(names) + 1, np.nan)
        library.check(library.measure(self._open(), row.ctypes.data_as(ctypes.c_void_p)))
        own = {column.name for column in self._columns}
        return {name: float(x) for name, x in zip(names, row) if name not in own}

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

    # ---- fields ----

    @property
    def state(self):
        """Fields of the state, by name: this rank's part of them, the flow's own memory."""
        self._open()
        if self._state is None:
            self._state = State(self)
        return self._state

    @property
    def modes(self):
        """The same of a spectral flow, with its wavenumbers."""
        self._open()
        if self._modes is None:
            self._modes = Modes(self)
        return self._modes

    def _grid(self):
        self._open()
        if self._points is None:
            self._points = Points(self)
        return self._points

    @property
    def grid(self):
        """x, y, z of all points of the grid."""
        return tuple(self._grid().at)

    def points(self, name, **planes):
        """A quantity (`triad case --quantities` lists them) at this rank's points [z, y, x]; on a plane with x =, y = or
        z =, the grid's nearest one; on a line with two. Collective."""
        return self._grid().take(name, planes)

    def _may_change(self):
        self._open()
        if self._inside:
            raise UsageError("a diagnostic sees the flow, and changes nothing: call-backs may")

    def set(self, name=None, values=None, **fields):
        """Fields of the state from values at points: flow.set("u", array) or flow.set(u=.., v=.., w=..). An array has this
        rank's part [z, y, x], or all of the grid. What several calls set is made a field of the equations (without
        divergence, say) before its next use. Collective."""
        self._may_change()
        for field, array in ({name: values} if name is not None else {} | fields).items():
            number = self.state.number(field)
            if self.state.fields[number].kind == library.MODES:
                self._grid().put(number, array, field)
            else:
                self.state[field] = array

    def sum(self, x):
        """The sum of numbers over all ranks: of an array, of all its entries. Likewise min and max. Collective."""
        return self._reduce(0, np.sum(x))

    def min(self, x):
        return self._reduce(1, np.min(x) if np.size(x) else np.inf)

    def max(self, x):
        return self._reduce(2, np.max(x) if np.size(x) else -np.inf)

    def mean(self, x):
        """The mean of an array over all its points on all ranks. Collective."""
        return self.sum(x) / self._reduce(0, np.size(x))

    def _reduce(self, what, x):
        row = np.array([x], np.float64)
        library.check(library.reduce(self._open(), what, 1, row.ctypes.data_as(ctypes.c_void_p)))
        return float(row[0])

    # ---- steps ----

    def step(self, n=1):
        """n steps, or those that are left; files that are due are written."""
        return self._go(math.inf, n)

    def advance(self, to=None):
        """Steps to time `to` exactly (with a fixed time.dt to the first step that reaches it), by default to time.end."""
        to = self.end if to is None else float(to)
        if not to <= self.end * (1 + 1e-12):
            raise UsageError(f"t = {to:g} is beyond time.end = {self.end:g}: triad.Flow(.., time=dict(end={to:g})) "
                             "goes on to there")
        if to < self.t * (1 - 1e-12):
            raise UsageError(f"t = {to:g} has passed: it is {self.t:g}, and time does not go back")
        return self._go(to, None)

    def _go(self, to, n):
        if self._inside:
            raise UsageError("no step from within a call-back or a diagnostic")
        handle = self._open()
        try:
            with Listening(self) as ears:
                while n != 0 and not library.finished(handle) and not self.t >= to * (1 - 1e-12):
                    self._one(handle, min(to, self._calls.next(self.t)), ears)
                    n = None if n is None else n - 1
        finally:
            self._hear()
        library.check(library.wait(handle))
        return self

    def _one(self, handle, land_on, ears):
        before = self.t
        self._share_kept()
        code = library.step(handle, land_on)
        if code:
            raised, self._raised = self._raised, None
            if raised is not None:
                raise raised
            failure = errors.of(code, library.message().decode("utf-8", "replace"))
            if code == errors.Stopped.code and ears.interrupted:
                failure = errors.Interrupted(str(failure))
            elif code == 70 and str(failure).startswith(f"{CALLED} "):
                failure = errors.CallbackError(str(failure)[len(CALLED) + 1:])
            raise failure
        due = self._calls.due(before, self.t, self.steps)
        if due:
            library.check(library.wait(handle))  # HDF5 is free for what a call-back reads
        for function in due:
            self._agree(function)

    def _agree(self, function):
        """Call it on all ranks: what one raises ends the step on all."""
        code, text, error, result = 0, b"", None, None
        try:
            result = function(self)
        except BaseException as raised:  # KeyboardInterrupt and SystemExit too: other ranks are to know
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
        self._may_change()
        self._share_kept()
        library.check(library.save(self._open()))
        self._hear()

    def stop(self):
        """From within a call-back: after the next step a checkpoint is written, and Stopped raised, on all ranks."""
        library.request(self._open(), 2)

    def _share_kept(self):
        text = json.dumps(self.keep, allow_nan=True) if self.keep else ""
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
        if not self._handle:
            return
        if self._inside:
            raise UsageError("no end from within a call-back or a diagnostic")
        self._share_kept()
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


CALLED = "call-back:"


@atexit.register
def _close_all():
    """At the end of Python what is open is closed; not where ranks may be at different places."""
    for flow in list(_open_flows.values()):
        if not (errors.uncaught and flow.size > 1):
            try:
                flow.close()
            except errors.Error as error:
                print(f"triad: {flow.dir}: {error}", file=sys.stderr)
    if not errors.uncaught or not _open_flows:
        library.finalize()
