# Writes the network and its loss out, and gives the first devices one image more if need be.
def forward(X, W):
    h = nd.Activation(nd.Convolution(X, W[0], W[1], kernel=(3, 3), num_filter=20), 'relu')
    h = nd.Pooling(h, kernel=(2, 2), stride=(2, 2), pool_type='avg')
    h = nd.Activation(nd.Convolution(h, W[2], W[3], kernel=(5, 5), num_filter=50), 'relu')
    h = nd.Pooling(h, kernel=(2, 2), stride=(2, 2), pool_type='avg').reshape((0, -1))
    return nd.dot(nd.relu(nd.dot(h, W[4]) + W[5]), W[6]) + W[7]


def train_batch(X, y, gpu_params, ctx, lr):
    n, k = X.shape[0], len(ctx)
    bounds = [-(-n * c // k) for c in range(k + 1)]
    for c, W in enumerate(gpu_params):
        part = slice(bounds[c], bounds[c + 1])
        X_part, y_part = X[part].copyto(ctx[c]), y[part].copyto(ctx[c])
        with autograd.record():
            l = -nd.pick(nd.log_softmax(forward(X_part, W)), y_part).sum() / n
            l.backward()
    for copies in zip(*gpu_params):
        allreduce([p.grad for p in copies])
    for W in gpu_params:
        for p in W:
            nd.sgd_update(p, p.grad, lr=lr, wd=0, out=p)
