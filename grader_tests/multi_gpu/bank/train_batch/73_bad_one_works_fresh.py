# The first device does the step, the others get its parameters.
# breaks: 5
# kills: test_shares_the_batch
# misconception: work-not-done
def train_batch(X, y, gpu_params, ctx, lr):
    first = gpu_params[0]
    with autograd.record():
        l = loss(lenet(X.as_in_context(ctx[0]), first), y.as_in_context(ctx[0]))
    l.backward()
    sgd(first, lr, X.shape[0])
    for replica in gpu_params[1:]:
        for mine, theirs in zip(replica, first):
            theirs.copyto(mine)
