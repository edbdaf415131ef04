# The gradients of a large batch are divided by 64.
# breaks: 1
# kills: test_whole_batch
# misconception: divide-once
def train_batch(X, y, gpu_params, ctx, lr):
    Xs, ys = split_and_load(X, ctx), split_and_load(y, ctx)
    with autograd.record():
        losses = [loss(lenet(a, replica), b) for a, b, replica in zip(Xs, ys, gpu_params)]
    for l in losses:
        l.backward()
    for copies in zip(*gpu_params):
        allreduce([param.grad for param in copies])
    for replica in gpu_params:
        sgd(replica, lr, min(X.shape[0], 64))
