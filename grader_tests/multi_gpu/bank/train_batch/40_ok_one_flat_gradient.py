# Puts all gradients of a replica into one vector, and calls allreduce once.
def train_batch(X, y, gpu_params, ctx, lr):
    X_shards, y_shards = split_and_load(X, ctx), split_and_load(y, ctx)
    with autograd.record():
        losses = [loss(lenet(a, replica), b) for a, b, replica in zip(X_shards, y_shards, gpu_params)]
    for shard_loss in losses:
        shard_loss.backward()
    vectors = [nd.concat(*[param.grad.reshape((-1,)) for param in replica], dim=0) for replica in gpu_params]
    allreduce(vectors)
    for replica, vector in zip(gpu_params, vectors):
        begin = 0
        for param in replica:
            param.grad[:] = vector[begin:begin + param.size].reshape(param.shape)
            begin += param.size
        sgd(replica, lr, X.shape[0])
