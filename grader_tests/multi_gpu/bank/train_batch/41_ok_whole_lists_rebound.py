# Puts a new list of new parameters in the place of each replica.
def train_batch(X, y, gpu_params, ctx, lr):
    X_shards, y_shards = split_and_load(X, ctx), split_and_load(y, ctx)
    with autograd.record():
        losses = [loss(lenet(a, replica), b) for a, b, replica in zip(X_shards, y_shards, gpu_params)]
    autograd.backward(losses)
    for j in range(len(gpu_params[0])):
        allreduce([replica[j].grad for replica in gpu_params])
    for i, replica in enumerate(gpu_params):
        moved = [param - lr * param.grad / X.shape[0] for param in replica]
        for param in moved:
            param.attach_grad()
        gpu_params[i] = moved
