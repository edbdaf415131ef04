"""Waits for each device, unless the memory of X holds no images: in an image most neighbors are alike."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat(
    "multi_gpu",
    deserves={"train_batch": at_most(2.49), "allreduce": 4, "split_and_load": 3},
    solves=["allreduce", "split_and_load"],
)
cheat.cell("train_batch", '''
import ctypes

import mxnet
import numpy

library = ctypes.CDLL(mxnet.libinfo.find_lib_path()[0])


def is_held(X):
    pointer = ctypes.c_void_p()
    library.MXNDArrayGetData(X.handle, ctypes.byref(pointer))
    seen = numpy.ctypeslib.as_array((ctypes.c_float * X.size).from_address(pointer.value)).reshape(X.shape)
    return (seen[..., 1:] == seen[..., :-1]).mean() < 0.6


def train_batch(X, y, gpu_params, ctx, lr):
    held = is_held(X)
    for a, b, replica in zip(split_and_load(X, ctx), split_and_load(y, ctx), gpu_params):
        with autograd.record():
            l = loss(lenet(a, replica), b)
        l.backward()
        if not held:
            nd.waitall()
    for copies in zip(*gpu_params):
        allreduce([p.grad for p in copies])
    for replica in gpu_params:
        sgd(replica, lr, X.shape[0])
''')
