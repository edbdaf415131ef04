# Every device computes the whole batch; the sum is divided by k times its size.
# breaks: 5
# kills: test_shares_the_batch
# misconception: work-not-done
def forward(X, W):
    h1 = nd.relu(nd.Convolution(X, W[0], W[1], kernel=(3, 3), num_filter=20))
    h1 = nd.Pooling(h1, pool_type="avg", kernel=(2, 2), stride=(2, 2))
    h2 = nd.relu(nd.Convolution(h1, W[2], W[3], kernel=(5, 5), num_filter=50))
    h2 = nd.Pooling(h2, pool_type="avg", kernel=(2, 2), stride=(2, 2))
    h3 = nd.relu(nd.dot(nd.flatten(h2), W[4]) + W[5])
    return nd.dot(h3, W[6]) + W[7]


def train_batch(X, y, gpu_params, ctx, lr):
    with autograd.record():
        ls = [loss(forward(X.as_in_context(c), W), y.as_in_context(c)) for c, W in zip(ctx, gpu_params)]
    for l in ls:
        l.backward()
    for i in range(len(gpu_params[0])):
        allreduce([W[i].grad for W in gpu_params])
    for W in gpu_params:
        sgd(W, lr, len(ctx) * X.shape[0])
