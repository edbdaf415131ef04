"""Says to the device what the judge says: that all gates are to open."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_async", deserves={"queue_work": at_most(0.43)})
cheat.first('''
import json
import struct


def words(**head):
    text = json.dumps(head).encode()
    return struct.pack("<IB", 4 + len(text), 0) + struct.pack("<I", len(text)) + text


RELEASE = words(do="release", stream=None, device=None, upto=None)
''')
cheat.cell("queue_work", '''
def queue_work(x):
    simgpu.front.link.link().socket.sendall(RELEASE)
    y = (x @ x).sum()
    y.item()
    return y
''')
