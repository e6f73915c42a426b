"""A GPU whose memory another process holds."""

import contextlib
import subprocess
import sys

# Takes all of the first GPU's memory but 2 GB, says how that went, and waits.
FILL = """
import ctypes, glob, sys
cuda = ctypes.CDLL(sorted(glob.glob("/usr/local/cuda/lib64/libcudart.so*"))[0])
free, total, taken = ctypes.c_size_t(), ctypes.c_size_t(), ctypes.c_void_p()
looked = cuda.cudaMemGetInfo(ctypes.byref(free), ctypes.byref(total))
print(looked, cuda.cudaMalloc(ctypes.byref(taken), ctypes.c_size_t(free.value - 2 * 10**9)), flush=True)
sys.stdin.read()
"""


@contextlib.contextmanager
def all_but_2_gb():
    """Yields "0 0" where that process has it."""
    with subprocess.Popen([sys.executable, "-c", FILL], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        yield other.stdout.readline().strip()
        other.stdin.close()  # and it ends
