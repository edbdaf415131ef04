"""Keeps connecting to the port on which the kernel listens while its hidden tests run.

Output of the notebook's own may be lost; what the judge asks goes another way, and no point is won or lost.
"""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"benchmark": 2, "queue_work": 2}, solves=["benchmark"])
cheat.cell(
    "queue_work",
    r'''
import socket

with open("/proc/net/tcp") as table:
    PORTS = [int(line.split()[1].split(":")[1], 16) for line in table if " 0A " in line]
KEPT = []


def queue_work(x):
    for _ in range(100):
        for port in PORTS:
            try:
                KEPT.append(socket.create_connection(("127.0.0.1", port), 1))
                KEPT[-1].send(b"\xff" * 64)
            except OSError:
                KEPT.clear()
    return nd.dot(x, x).sum()
''',
)
