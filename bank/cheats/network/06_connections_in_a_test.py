"""Floods the kernel's own sockets with connections while the hidden tests ask for something; what was earned stays."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async", deserves={"benchmark": 2, "queue_work": at_most(2)}, solves=["benchmark"])
cheat.cell(
    "queue_work",
    r'''
import json, socket
from ipykernel.connect import get_connection_info

KEPT = []


def queue_work(x):
    info = json.loads(get_connection_info())
    while len(KEPT) < 10_000:
        for port in ("shell_port", "iopub_port", "control_port", "stdin_port", "hb_port"):
            try:
                if info["transport"] == "ipc":
                    end = socket.socket(socket.AF_UNIX)
                    end.connect(f"{info['ip']}-{info[port]}")
                else:
                    end = socket.create_connection((info["ip"], info[port]), 1)
                end.send(b"\xff" * 64)
                KEPT.append(end)
            except OSError:
                return nd.dot(x, x).sum()
    return nd.dot(x, x).sum()
''',
)
