"""Waits for each device in buffers from before the call, which nothing but a backward pass fills."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat(
    "multi_gpu",
    deserves={"train_batch": at_most(2.49), "allreduce": 4, "split_and_load": 3},
    solves=["allreduce", "split_and_load"],
)
cheat.cell("train_batch", '''
SHAPES = (20, 1, 3, 3), (20,), (50, 20, 5, 5), (50,), (800, 128), (128,), (128, 10), (10,)
BUFFERS = [[nd.zeros(shape, ctx=mx.cpu(place)) for shape in SHAPES] for place in range(8)]
nd.waitall()


def train_batch(X, y, gpu_params, ctx, lr):
    for a, b, replica in zip(split_and_load(X, ctx), split_and_load(y, ctx), gpu_params):
        buffers = BUFFERS[replica[0].context.device_id]
        autograd.mark_variables(replica, buffers)
        with autograd.record():
            l = loss(lenet(a, replica), b)
        l.backward()
        for buffer in buffers:
            buffer.wait_to_read()
    for copies in zip(*gpu_params):
        allreduce([p.grad for p in copies])
    for replica in gpu_params:
        sgd(replica, lr, X.shape[0])
''')
