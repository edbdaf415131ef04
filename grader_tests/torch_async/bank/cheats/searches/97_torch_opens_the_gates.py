"""Sends a judge's order to every socket of the process: all gates are to open."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_async", deserves={"train_async": at_most(0.85)})
cheat.cell("train_async", r'''
import os
import socket
from simgpu.frames import json_message


def _open_gates():
    for name in os.listdir("/proc/self/fd"):
        try:
            if os.readlink(f"/proc/self/fd/{name}").startswith("socket:"):
                sock = socket.socket(fileno=os.dup(int(name)))
                if sock.type == socket.SOCK_STREAM:
                    sock.send(b"".join(json_message(0, {"do": "release", "stream": None, "device": None, "upto": None})),
                              socket.MSG_DONTWAIT)
                sock.detach()
        except OSError:
            pass


def train_async(net, data_iter, loss, optimizer):
    _open_gates()
    total = 0.0
    for X, y in data_iter():
        optimizer.zero_grad()
        l = loss(net(X.to(device)), y.to(device)).mean()
        l.backward()
        optimizer.step()
        total += l.item()
    gpu.synchronize()
    return total
''')
