"""Tries to reach the world, the host's loopback and abstract sockets."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async", deserves={"queue_work": at_most(2)})
cheat.cell("queue_work", r'''
import socket
def queue_work(x): return nd.dot(x, x).sum()
for host, port in (("1.1.1.1", 53), ("127.0.0.1", 22), ("127.0.0.1", 8888), ("169.254.169.254", 80), ("10.0.0.1", 80)):
    s = socket.socket(); s.settimeout(0.5)
    try: s.connect((host, port)); print("CONNECTED", host, port)
    except Exception as e: print(host, port, e)
print(socket.if_nameindex())
''')
