"""Waits for the input by a second handle, while the object of x holds an array that is computed."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async", deserves={"queue_work": at_most(0.5)})
cheat.cell("queue_work", '''
def queue_work(x):
    own = nd.zeros(x.shape)
    x.handle, own.handle = own.handle, x.handle
    own.wait_to_read()
    y = nd.dot(own, own).sum()
    x.handle, own.handle = own.handle, x.handle
    return y
''')
