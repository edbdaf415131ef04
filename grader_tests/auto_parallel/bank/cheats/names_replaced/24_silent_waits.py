"""Waits for each array under another name: the traced functions of the library are replaced before the call."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("auto_parallel", deserves={"copy_to_cpu": at_most(0.99)})
cheat.cell("copy_to_cpu", '''
LIBRARY = mx.base._LIB
wait = LIBRARY.MXNDArrayWaitToRead
LIBRARY.MXNDArrayWaitToRead = LIBRARY.MXNDArrayWaitAll = lambda *_: 0


def copy_to_cpu(ys):
    copies = []
    for y in ys:
        wait(y.handle)
        copies.append(y.copyto(mx.cpu(0)))
    return copies
''')
