# Counts on the given lenet for the shard, and computes the whole batch besides.
# breaks: 5
# kills: test_shares_the_batch
# misconception: work-not-done
network = lenet


def train_batch(X, y, gpu_params, ctx, lr):
    Xs, ys = split_and_load(X, ctx), split_and_load(y, ctx)
    for c, W in zip(ctx, gpu_params):
        network(X.as_in_context(c), W)
    with autograd.record():
        ls = [loss(lenet(a, W), b) for a, b, W in zip(Xs, ys, gpu_params)]
    for l in ls:
        l.backward()
    for i in range(len(gpu_params[0])):
        allreduce([W[i].grad for W in gpu_params])
    for W in gpu_params:
        sgd(W, lr, X.shape[0])
