# Every device goes through its shard twice and divides by two, under another name.
# breaks: 5
# kills: test_shares_the_batch
# misconception: work-not-done
network = lenet


def train_batch(X, y, gpu_params, ctx, lr):
    Xs, ys = split_and_load(X, ctx), split_and_load(y, ctx)
    with autograd.record():
        ls = [(loss(network(a, W), b) + loss(network(a, W), b)) / 2 for a, b, W in zip(Xs, ys, gpu_params)]
    for l in ls:
        l.backward()
    for i in range(len(gpu_params[0])):
        allreduce([W[i].grad for W in gpu_params])
    for W in gpu_params:
        sgd(W, lr, X.shape[0])
