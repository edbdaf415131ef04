# Tells the mean loss of each device right after its backward pass.
# breaks: 3
# kills: test_enqueues_all_devices_first
# misconception: devices-in-turn
def train_batch(X, y, gpu_params, ctx, lr):
    told = []
    for a, b, replica in zip(split_and_load(X, ctx), split_and_load(y, ctx), gpu_params):
        with autograd.record():
            l = loss(lenet(a, replica), b)
        l.backward()
        told.append(float(l.mean().asscalar()))
    for i in range(len(gpu_params[0])):
        allreduce([replica[i].grad for replica in gpu_params])
    for replica in gpu_params:
        sgd(replica, lr, X.shape[0])
