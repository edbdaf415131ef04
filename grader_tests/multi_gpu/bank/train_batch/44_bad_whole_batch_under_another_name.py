# Every device computes the whole batch, with the network under another name.
# breaks: 5
# kills: test_shares_the_batch
# misconception: work-not-done
network = lenet


def train_batch(X, y, gpu_params, ctx, lr):
    with autograd.record():
        ls = [loss(network(X.as_in_context(c), W), y.as_in_context(c)) for c, W in zip(ctx, gpu_params)]
    for l in ls:
        l.backward()
    for W in gpu_params:
        sgd(W, lr, X.shape[0])
