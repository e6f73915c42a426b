"""Signals while steps are taken: as `triad run` heeds them."""
import signal
import threading
import time

from triad import library

ABORT_WITHIN = 5.0  # s between two Ctrl-C
SAVE, STOP = 1, 2
HEEDED = {"SIGINT": STOP, "SIGTERM": STOP, "SIGUSR1": STOP, "SIGUSR2": SAVE}


class Listening:
    """Within it a signal asks for a stop in good order or a checkpoint; a second Ctrl-C soon after interrupts at once."""

    def __init__(self, flow):
        self._flow, self._before, self._last = flow, {}, None
        self.interrupted = False

    def _heed(self, number, _frame):
        now = time.monotonic()
        if number == signal.SIGINT:
            if self._last is not None and now - self._last <= ABORT_WITHIN:
                raise KeyboardInterrupt
            self.interrupted, self._last = True, now
        library.request(self._flow._handle, HEEDED[signal.Signals(number).name])

    def __enter__(self):
        if threading.current_thread() is threading.main_thread():
            for name in HEEDED:
                number = getattr(signal, name)
                self._before[number] = signal.signal(number, self._heed)
        return self

    def __exit__(self, *_):
        for number, handler in self._before.items():
            signal.signal(number, handler if handler is not None else signal.SIG_DFL)
        return False
