# One backward pass from the list of all losses; shards by its own bounds.
def train_batch(X, y, gpu_params, ctx, lr):
    def shards(batch):
        bounds = [len(batch) * i // len(ctx) for i in range(len(ctx) + 1)]
        return [batch[a:b].as_in_context(c) for a, b, c in zip(bounds, bounds[1:], ctx)]

    pairs = list(zip(shards(X), shards(y), gpu_params))
    with autograd.record():
        heads = [loss(lenet(*[part, params]), labels) for part, labels, params in pairs]
    autograd.backward(heads)
    for replicas in zip(*gpu_params):
        allreduce([p.grad for p in replicas])
    for params in gpu_params:
        sgd(params, lr, len(X))
