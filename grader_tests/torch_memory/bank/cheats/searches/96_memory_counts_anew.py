"""Finds the judge's socket among the descriptors, and lets the device count again before the backward pass."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_memory", deserves={"activation_checkpointing": at_most(1.1)})
cheat.cell("activation_checkpointing", r'''
import os
import socket
from simgpu.frames import json_message


def _every_socket(orders):
    """Says these orders of a judge's to whatever socket this process has."""
    for name in os.listdir("/proc/self/fd"):
        try:
            if not os.readlink(f"/proc/self/fd/{name}").startswith("socket:"):
                continue
            sock = socket.socket(fileno=os.dup(int(name)))
            for order in orders:
                sock.sendmsg(json_message(0, order), [], socket.MSG_DONTWAIT)
            sock.detach()
        except OSError:
            pass


def checkpointed(blocks, x, budget):
    for block in blocks:
        x = block(x)
    x.register_hook(lambda gradient: _every_socket([{"do": "count"}]))
    gpu.reset_peak_memory_stats()
    return x
''')
