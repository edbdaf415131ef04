"""Large messages come between the cells, on the channel that nobody reads: what is earned before or after stays."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("multi_gpu", deserves={"get_params": 0, "split_and_load": at_most(3)}, solves=["split_and_load"])
cheat.cell("get_params", r'''
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
        end.sendall(b"\x02" + (60 * 2**20).to_bytes(8, "big"))
        for _ in range(60):
            end.sendall(bytes(2**20))


for end in ends():
    threading.Timer(0.2, write, (end,)).start()
''')
