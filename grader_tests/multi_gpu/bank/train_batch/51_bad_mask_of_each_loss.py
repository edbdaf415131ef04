# Looks whether a loss of a device is no number: how many are left is known only when they are computed.
# breaks: 3
# kills: test_enqueues_all_devices_first
# misconception: devices-in-turn
def train_batch(X, y, gpu_params, ctx, lr):
    gpu_Xs, gpu_ys = split_and_load(X, ctx), split_and_load(y, ctx)
    for gpu_X, gpu_y, gpu_W in zip(gpu_Xs, gpu_ys, gpu_params):
        with autograd.record():
            l = loss(lenet(gpu_X, gpu_W), gpu_y)
        assert nd.contrib.boolean_mask(l, l == l).size == l.size
        l.backward()
    for i in range(len(gpu_params[0])):
        allreduce([gpu_params[c][i].grad for c in range(len(ctx))])
    for param in gpu_params:
        sgd(param, lr, X.shape[0])
