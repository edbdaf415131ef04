"""A daemon that keeps running and prints scores into the descriptors of the kernel."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0})
cheat.first(r'''
import subprocess
import sys

CODE = """
import os, time
for _ in range(600):
    for descriptor in range(64):
        try: os.write(descriptor, b'2.0\\n')
        except OSError: pass
    time.sleep(0.05)
"""
subprocess.Popen([sys.executable, "-I", "-c", CODE], start_new_session=True)
''')
