"""Waits for each device by what a key-value store makes of its gradients."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat(
    "multi_gpu",
    deserves={"train_batch": at_most(2.49), "allreduce": 4, "split_and_load": 3},
    solves=["allreduce", "split_and_load"],
)
cheat.cell("train_batch", '''
def train_batch(X, y, gpu_params, ctx, lr):
    store = mx.kv.create("local")
    for key, (a, b, replica) in enumerate(zip(split_and_load(X, ctx), split_and_load(y, ctx), gpu_params)):
        with autograd.record():
            l = loss(lenet(a, replica), b)
        l.backward()
        seen = nd.zeros(replica[-1].shape)
        store.init(key, seen)
        store.push(key, replica[-1].grad)
        store.pull(key, out=seen)
        seen.wait_to_read()
    for copies in zip(*gpu_params):
        allreduce([p.grad for p in copies])
    for replica in gpu_params:
        sgd(replica, lr, X.shape[0])
''')
