# Every device computes the whole batch: all replicas are equal without an allreduce.
# breaks: 5
# kills: test_shares_the_batch
# misconception: work-not-done
def train_batch(X, y, gpu_params, ctx, lr):
    losses = []
    with autograd.record():
        for place, replica in zip(ctx, gpu_params):
            losses.append(loss(lenet(X.as_in_context(place), replica), y.as_in_context(place)))
    for l in losses:
        l.backward()
    for replica in gpu_params:
        sgd(replica, lr, X.shape[0])
