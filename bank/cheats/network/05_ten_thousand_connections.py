"""Ten thousand connections to the kernel's own sockets, from ten processes, all kept open.

There may be 2,048 descriptors in all: the kernel is ended, or the connections fail; the points before it stay.
"""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async", deserves={"benchmark": 2, "queue_work": at_most(2)}, solves=["benchmark"])
cheat.cell(
    "queue_work",
    r'''
import json, os, socket, time
from ipykernel.connect import get_connection_info


def queue_work(x):
    return nd.dot(x, x).sum()


info = json.loads(get_connection_info())
PORTS = "shell_port", "iopub_port", "control_port", "stdin_port", "hb_port"
for _ in range(10):
    if os.fork() == 0:
        kept = []
        for number in range(1000):
            port = info[PORTS[number % 5]]
            try:
                if info["transport"] == "ipc":
                    end = socket.socket(socket.AF_UNIX)
                    end.connect(f"{info['ip']}-{port}")
                else:
                    end = socket.create_connection((info["ip"], port), 1)
                end.send(b"\xff" * 64)
                kept.append(end)
            except OSError:
                pass
        time.sleep(20)
        os._exit(0)
time.sleep(10)
''',
)
