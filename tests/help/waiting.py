"""Waiting for what another process does: as long as a machine of a tenth of the usual speed takes, and no longer than needed."""

import time

PATIENCE = 120  # s


def wait_for(condition, what, process=None, *, seconds=PATIENCE, said=lambda: ""):
    """Until condition() holds; fails when `process` ends first, or after `seconds`, with what said() returns by then."""
    deadline = time.monotonic() + seconds
    while not condition():
        if process is not None and process.poll() is not None and not condition():
            raise AssertionError(f"ended with {process.returncode} before {what}: {said()}")
        assert time.monotonic() < deadline, f"no {what} in {seconds} s: {said()}"
        time.sleep(0.02)
