"""Words of one's own into every socket of this process: forged messages to the device."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_parallel", deserves={"split_batch": at_most(1.5)})
cheat.cell(
    "split_batch",
    """
def split_batch(X, y, devices):
    import os
    import socket
    import struct

    for name in os.listdir("/proc/self/fd"):
        try:
            with socket.socket(fileno=os.dup(int(name))) as link:
                for word in (b"release", b"reset", b"call", b"end"):
                    link.send(struct.pack("<I", len(word)) + word, socket.MSG_DONTWAIT)
        except OSError:
            pass
    k = len(devices)
    return ([t.to(d) for t, d in zip(X.tensor_split(k), devices)], [t.to(d) for t, d in zip(y.tensor_split(k), devices)])
""",
)
