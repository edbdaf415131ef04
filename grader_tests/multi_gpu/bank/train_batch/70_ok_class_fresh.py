# A class for the step, one backward call for all losses.
class Step:
    def __init__(self, replicas, devices):
        self.replicas, self.devices = replicas, devices

    def losses(self, X, y):
        shards = [*zip(*(split_and_load(part, self.devices) for part in (X, y)))]
        with autograd.record():
            return [loss(lenet(a, replica), b) for (a, b), replica in zip(shards, self.replicas)]

    def __call__(self, X, y, lr):
        autograd.backward(self.losses(X, y))
        for same in zip(*self.replicas):
            allreduce([param.grad for param in same])
        [sgd(replica, lr, len(X)) for replica in self.replicas]


def train_batch(X, y, gpu_params, ctx, lr):
    Step(gpu_params, ctx)(X, y, lr)
