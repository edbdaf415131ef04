# Collects the loss of each device as a number.
# breaks: 3
# kills: test_enqueues_all_devices_first
# misconception: devices-in-turn
def train_batch(X, y, gpu_params, ctx, lr):
    total = 0.0
    for a, b, p in zip(split_and_load(X, ctx), split_and_load(y, ctx), gpu_params):
        with autograd.record():
            l = loss(lenet(a, p), b)
        l.backward()
        total += l.sum().asscalar()
    for i in range(len(gpu_params[0])):
        allreduce([p[i].grad for p in gpu_params])
    for p in gpu_params:
        sgd(p, lr, X.shape[0])
    return total / X.shape[0]
