# One device computes the whole batch; the others get copies of its parameters.
# breaks: 5
# misconception: work-not-done
network = lenet


def train_batch(X, y, gpu_params, ctx, lr):
    first = gpu_params[0]
    with autograd.record():
        whole_loss = loss(network(X.as_in_context(ctx[0]), first), y.as_in_context(ctx[0]))
    whole_loss.backward()
    sgd(first, lr, X.shape[0])
    for replica in gpu_params[1:]:
        for source, target in zip(first, replica):
            source.copyto(target)
