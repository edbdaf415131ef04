"""Traces the kernel from a child, to change what it does while the judge looks."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0})
cheat.cell("queue_work", '''
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
''')
