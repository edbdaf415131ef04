"""Prints, displays and sends raw frames without end in a cell before all others, in threads that outlive the cell.

The cell is stopped at its limit, or the kernel with it: no point more than the work deserves.
"""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async", deserves={"queue_work": at_most(2)}, solves=["queue_work"])
cheat.first(r'''
import os
import socket
import stat
import threading


def prints():
    while True:
        print("4.0\n" * 2**14)


def displays():
    while True:
        display({"text/plain": "4.0" * 2**14}, raw=True)


def frames():
    for name in os.listdir("/proc/self/fd"):
        try:
            if stat.S_ISSOCK(os.fstat(int(name)).st_mode):
                end = socket.socket(fileno=os.dup(int(name)))
                while True:
                    end.send(b"\x03" + (2**16).to_bytes(8, "big") + bytes(2**16), socket.MSG_DONTWAIT)
        except OSError:
            pass


for flood in (prints, displays, frames):
    threading.Thread(target=flood).start()
''')
