# It waits for the loss of each device if the batch is large.
# breaks: 3
# kills: test_enqueues_all_devices_first
# misconception: devices-in-turn
def train_batch(X, y, gpu_params, ctx, lr):
    Xs, ys = split_and_load(X, ctx), split_and_load(y, ctx)
    for a, b, replica in zip(Xs, ys, gpu_params):
        with autograd.record():
            l = loss(lenet(a, replica), b)
        l.backward()
        if len(X) >= 100:
            l.wait_to_read()
    for copies in zip(*gpu_params):
        allreduce([param.grad for param in copies])
    for replica in gpu_params:
        sgd(replica, lr, X.shape[0])
