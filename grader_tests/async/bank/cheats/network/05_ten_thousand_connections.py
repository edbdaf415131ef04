"""Ten thousand connections from ten processes to the one port on which the kernel listens, all kept open.

The sockets of the judge itself listen to nobody.  Some hundred are taken, the others refused; the points of the work stay.
"""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async", deserves={"benchmark": 2, "queue_work": at_most(2)}, solves=["benchmark"])
cheat.cell(
    "queue_work",
    r'''
import os, socket


def queue_work(x):
    return nd.dot(x, x).sum()


with open("/proc/net/tcp") as table:
    PORTS = [int(line.split()[1].split(":")[1], 16) for line in table if " 0A " in line]
ends, counter = os.pipe()
for _ in range(10):
    if os.fork() == 0:
        kept = []
        for number in range(1000):
            try:
                kept.append(socket.create_connection(("127.0.0.1", PORTS[number % len(PORTS)]), 1))
                kept[-1].send(b"\xff" * 64)
            except OSError:
                break
        os.write(counter, b"%8d" % len(kept))
        time.sleep(60)
        os._exit(0)
print("connections:", sum(int(os.read(ends, 8)) for _ in range(10)))
''',
)
