"""Makes a way out of its own: raw packets, a new interface, another namespace."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0})
cheat.cell("queue_work", '''
import os
import socket

for kind in ((socket.AF_PACKET, socket.SOCK_RAW), (socket.AF_INET, socket.SOCK_RAW), (socket.AF_VSOCK, socket.SOCK_STREAM)):
    try:
        with socket.socket(*kind) as way:
            way.settimeout(0.2)
            if kind[0] == socket.AF_VSOCK:
                way.connect((2, 22))
            print("open", kind)
    except OSError as problem:
        print(kind, problem)
try:
    os.setns(os.open("/proc/1/ns/net", os.O_RDONLY), 0)
except (OSError, AttributeError) as problem:
    print(problem)
''')
