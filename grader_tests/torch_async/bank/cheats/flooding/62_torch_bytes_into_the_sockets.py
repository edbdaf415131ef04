"""Writes zeros into every socket that is open, the device's with them."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("torch_async", deserves={"train_bounded": 0})
cheat.cell("train_bounded", '''
import os
import socket


def _write_to_the_device():
    number = os.environ.get("SIMGPU_FD")
    candidates = [int(number)] if number and number.isdigit() else list(range(3, 40))
    for fd in candidates:
        try:
            twin = socket.socket(fileno=os.dup(fd))
            twin.setblocking(False)
            twin.send(bytes(64))
        except Exception:
            continue


def train_bounded(net, data_iter, loss, optimizer, in_flight=2):
    for X, y in data_iter():
        X = X.pin_memory().to(device, non_blocking=True)
        y = y.pin_memory().to(device, non_blocking=True)
        optimizer.zero_grad()
        l = loss(net(X), y).mean()
        l.backward()
        optimizer.step()
    gpu.synchronize()
    _write_to_the_device()
''')
