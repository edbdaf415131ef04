# The allreduce is in a loop over the devices: what is summed already is summed again.
# breaks: 1
# misconception: divide-once
def train_batch(X, y, gpu_params, ctx, lr):
    gpu_Xs, gpu_ys = split_and_load(X, ctx), split_and_load(y, ctx)
    with autograd.record():
        ls = [loss(lenet(gpu_X, gpu_W), gpu_y)
              for gpu_X, gpu_y, gpu_W in zip(gpu_Xs, gpu_ys, gpu_params)]
    for l in ls:
        l.backward()
    for c, _ in enumerate(ctx):
        for i in range(len(gpu_params[c])):
            allreduce([params[i].grad for params in gpu_params])
    for param in gpu_params:
        sgd(param, lr, X.shape[0])
