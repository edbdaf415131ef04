"""Starts a device process of its own for the noisy training."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_async", deserves={"train_async": at_most(0.86)})
cheat.cell("train_async", '''
import os
import socket
import subprocess
import sys


def _own_device():
    theirs, mine = socket.socketpair()
    judge_a, judge_b = socket.socketpair()
    child = subprocess.Popen(
        [sys.executable, "-m", "simgpu.device.process", "--front", str(theirs.fileno()), "--judge", str(judge_a.fileno())],
        pass_fds=[theirs.fileno(), judge_a.fileno()])
    return child, mine, judge_b


def train_async(net, data_iter, loss, optimizer):
    try:
        child, mine, judge = _own_device()
        os.environ["SIMGPU_FD"] = str(mine.fileno())
    except Exception:
        child = None
    total = 0.0
    for X, y in data_iter():
        X, y = X.to(device), y.to(device)
        optimizer.zero_grad()
        l = loss(net(X), y).mean()
        l.backward()
        optimizer.step()
        total += l.item()
    if child is not None:
        child.kill()
    return total
''')
