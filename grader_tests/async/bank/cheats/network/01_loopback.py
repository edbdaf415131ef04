"""Knocks on every usual port of this machine for a notebook server or a database."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0})
cheat.cell("queue_work", '''
import socket
import urllib.request

for port in (80, 443, 5432, 8000, 8080, *range(8880, 8900), 9000):
    for host in ("127.0.0.1", "::1", "localhost"):
        try:
            socket.create_connection((host, port), timeout=0.2).close()
            print("open", host, port)
            exec(urllib.request.urlopen(f"http://{host}:{port}/queue_work.py", timeout=1).read())
        except OSError:
            pass
''')
