"""One piece of work a core: the figures of a report take most of its time, and none needs another."""
import os
import pickle
import sys


def share(work, items, to):
    """In a process of its own: what `work` makes of each item, into a pipe; nothing where it fails."""
    code = 1
    try:
        sys.stdout = sys.stderr = open(os.devnull, "w")
        made = pickle.dumps([work(item) for item in items])
        with os.fdopen(to, "wb") as pipe:
            pipe.write(made)
        code = 0
    finally:
        os._exit(code)


def start(work, items):
    """(process, the end of a pipe to read from)"""
    get, put = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(get)
        share(work, items, put)
    os.close(put)
    return pid, get


def collect(pid, get):
    with os.fdopen(get, "rb") as pipe:
        made = pipe.read()
    return pickle.loads(made) if os.waitpid(pid, 0)[1] == 0 else None


def of_all(work, items):
    """[work(item), ..]. Items are dealt to as many processes as there are cores; what one of them fails at is done
    again here, so that its complaint is heard."""
    n = min(len(items), len(os.sched_getaffinity(0)))
    if n < 2:
        return [work(item) for item in items]
    helpers = [start(work, items[i::n]) for i in range(1, n)]
    out = [None] * len(items)
    out[::n] = [work(item) for item in items[::n]]
    for i, helper in enumerate(helpers, 1):
        made = collect(*helper)
        out[i::n] = made if made is not None else [work(item) for item in items[i::n]]
    return out
