"""HDF5 files are tried in a process of their own first: the library may crash on a damaged one, or never come back from it."""
import os
import resource
import signal
import warnings

import h5py
from h5py._objects import phil

CPU, WALL = 10, 120   # s that the trial may take
SMALL = 4 << 20       # bytes of a dataset that is read whole
DEEPEST = 4           # groups within groups
_tried = {}           # {device, inode, size and time of a file: what is wrong with it, "" if nothing}


def _quietly(call, *args):
    """What is wrong in plain words is for the reader proper: here the next thing is tried."""
    try:
        return call(*args)
    except Exception:
        return None


def _try_attributes(item):
    names = {"units", "long_name", "CLASS", "NAME", "DIMENSION_LIST", "REFERENCE_LIST", *(_quietly(list, item.attrs) or ())}
    for name in sorted(names):
        _quietly(item.attrs.get, name)


def _try_data(item):
    if item.size and item.size * item.dtype.itemsize <= SMALL:
        item[()]
    elif item.size:
        item[(0,) * item.ndim], item[(-1,) * item.ndim]


def _try_item(item, depth):
    _try_attributes(item)
    if isinstance(item, h5py.Group):
        for name in _quietly(list, item) or () if depth < DEEPEST else ():
            below = _quietly(item.get, name)
            if below is not None:
                _try_item(below, depth + 1)
    elif isinstance(item, h5py.Dataset):
        for dim in _quietly(list, item.dims) or ():
            _quietly(lambda dim=dim: list(dim.keys()))
        _quietly(_try_data, item)


def _try_all(path):
    with h5py.File(path, "r") as file:
        _try_item(file, 0)


def _child(path):
    """Never returns; how it ends says it all."""
    try:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        for number in (signal.SIGSEGV, signal.SIGBUS, signal.SIGABRT, signal.SIGFPE, signal.SIGPROF, signal.SIGALRM, signal.SIGTERM,
                       signal.SIGINT):
            signal.signal(number, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_PROF, CPU)
        signal.setitimer(signal.ITIMER_REAL, WALL)
        _try_all(path)
    except BaseException:
        pass
    finally:
        os._exit(0)


def _trial(path):
    with phil, warnings.catch_warnings():  # no other thread has the library while the process is copied
        warnings.simplefilter("ignore")    # Python's about threads: the copy touches HDF5 alone
        pid = os.fork()
        if pid == 0:
            _child(path)
    try:
        how = os.waitpid(pid, 0)[1]
    except ChildProcessError:  # somebody else waits for children, or nobody may
        return ""
    except BaseException:      # Ctrl-C
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        raise
    if not os.WIFSIGNALED(how):
        return ""
    if os.WTERMSIG(how) in (signal.SIGPROF, signal.SIGALRM):
        return "damaged: reading does not finish"
    return "damaged: the HDF5 library crashes while reading it"


def fault_of(path):
    """What is wrong with a file that the HDF5 library must not be given in this process; "" if nothing."""
    about = os.stat(path)
    key = about.st_dev, about.st_ino, about.st_size, about.st_mtime_ns
    if key not in _tried:
        _tried[key] = _trial(path)
    return _tried[key]
