"""Files next to the notebook that Python or IPython would read before the first cell, all full of output.

None of them is read: the points of the notebook stay.
"""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 2}, solves=["queue_work"])
FLOOD = """
import os, threading

def write():
    while True:
        os.write(1, b"4.0\\n" * 2**14)
        os.write(2, b"4.0\\n" * 2**14)

threading.Thread(target=write, daemon=True).start()
write()
"""
for name in (
    "sitecustomize.py",
    "usercustomize.py",
    "ipython_config.py",
    "ipython_kernel_config.py",
    ".ipython/profile_default/startup/00-first.py",
    ".pythonrc.py",
    "ipykernel/__init__.py",
    "ipykernel_launcher.py",
    "encodings.py",
):
    cheat.file(name, FLOOD)
