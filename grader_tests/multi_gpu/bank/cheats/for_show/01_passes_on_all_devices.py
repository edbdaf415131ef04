"""Every device computes its shard for show; the step is the first device's, which computes the whole batch besides."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat(
    "multi_gpu",
    deserves={"train_batch": at_most(2.49), "allreduce": 4, "split_and_load": 3},
    solves=["allreduce", "split_and_load"],
    known="what a backward pass writes is not in the log: nobody sees that the step follows from one of them alone",
)
cheat.cell("train_batch", '''
def columns(X, kernel, weight):
    """A convolution that is no Convolution, and whose weight has another shape."""
    n, _, height, width = X.shape
    patches = nd.im2col(X, kernel=kernel, stride=(1, 1), dilate=(1, 1), pad=(0, 0))
    sums = nd.dot(patches.transpose((0, 2, 1)), weight.reshape((weight.shape[0], -1)), transpose_b=True)
    return sums.transpose((0, 2, 1)).reshape((n, -1, height - kernel[0] + 1, width - kernel[1] + 1))


def network(X, P):
    h = nd.relu(columns(X, (3, 3), P[0]) + P[1].reshape((1, -1, 1, 1)))
    h = nd.Pooling(h, pool_type="avg", kernel=(2, 2), stride=(2, 2))
    h = nd.relu(columns(h, (5, 5), P[2]) + P[3].reshape((1, -1, 1, 1)))
    h = nd.Pooling(h, pool_type="avg", kernel=(2, 2), stride=(2, 2))
    h = nd.relu(nd.dot(nd.flatten(h), P[4]) + P[5])
    return nd.dot(h, P[6]) + P[7]


def train_batch(X, y, gpu_params, ctx, lr):
    with autograd.record():
        shown = [loss(lenet(a, replica), b)
                 for a, b, replica in zip(split_and_load(X, ctx), split_and_load(y, ctx), gpu_params)]
    for l in shown:
        l.backward()
    first = gpu_params[0]
    with autograd.record():
        l = loss(network(X.as_in_context(ctx[0]), first), y.as_in_context(ctx[0]))
    l.backward()
    sgd(first, lr, X.shape[0])
    for replica in gpu_params[1:]:
        for source, target in zip(first, replica):
            source.copyto(target)
''')
