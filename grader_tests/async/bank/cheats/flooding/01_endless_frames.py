"""Answers its test by endless frames of one message, on all channels at once; what is earned before stays."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 2, "loops": 0}, solves=["queue_work"])
cheat.cell("loops", r'''
import os
import socket
import stat
import threading

from mxnet import nd


def ends():
    for name in os.listdir("/proc/self/fd"):
        try:
            if stat.S_ISSOCK(os.fstat(int(name)).st_mode):
                end = socket.socket(fileno=os.dup(int(name)))
                end.getpeername()
                end.setblocking(True)
                yield end
        except OSError:
            pass


def write(end):
    while True:
        end.sendall(b"\x03" + (2**16).to_bytes(8, "big") + bytes(2**16))


def synchronous_loop(x, steps):
    for end in ends():
        threading.Thread(target=write, args=(end,), daemon=True).start()
    threading.Event().wait()


asynchronous_loop = synchronous_loop
''')
