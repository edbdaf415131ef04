"""Eight processes fill a hundred pairs of sockets each: the numbers wait in the kernel, in no process's memory.

The limit of descriptors bounds them: some hundred MiB, and then either the kernel is ended or the work goes on.
"""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async", deserves={"queue_work": at_most(2)})
cheat.cell("queue_work", r'''
def queue_work(x):
    return nd.dot(x, x).sum()


import socket

ends, counter = os.pipe()
for _ in range(8):
    if os.fork() == 0:
        total, kept = 0, []
        try:
            for _ in range(100):
                pair = socket.socketpair()
                kept.append(pair)
                for end in pair:
                    end.setblocking(False)
                    try:
                        while True:
                            total += end.send(b"x" * 65536)
                    except OSError:
                        pass
        except OSError:
            pass
        os.write(counter, b"%12d" % total)
        time.sleep(12)
        os._exit(0)
print("MiB in sockets:", sum(int(os.read(ends, 12)) for _ in range(8)) / 2**20)
time.sleep(6)
''')
