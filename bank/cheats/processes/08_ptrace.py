# Traces the kernel from a child, to change what it does while the judge looks.
# assignment: async
# deserves: queue_work=0
# %% cell queue_work
import ctypes
import os
import subprocess
import sys

CODE = """
import ctypes, os
libc = ctypes.CDLL(None)
for target in (1, os.getppid()):
    if libc.ptrace(16, target, None, None) == 0:
        libc.waitpid(target, None, 0x40000000)
        libc.ptrace(17, target, None, None)
"""
subprocess.run([sys.executable, "-I", "-c", CODE], timeout=5)
ctypes.CDLL(None).prctl(4, 1)
