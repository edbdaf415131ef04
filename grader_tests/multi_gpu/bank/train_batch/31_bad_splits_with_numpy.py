# numpy splits the batch: it waits for X and y before any device has work.
# breaks: 3
# misconception: devices-in-turn
def train_batch(X, y, gpu_params, ctx, lr):
    k = len(ctx)
    gpu_Xs = [nd.array(part, ctx=c) for part, c in zip(numpy.split(X.asnumpy(), k), ctx)]
    gpu_ys = [nd.array(part, ctx=c) for part, c in zip(numpy.split(y.asnumpy(), k), ctx)]
    with autograd.record():
        ls = [loss(lenet(gpu_X, gpu_W), gpu_y)
              for gpu_X, gpu_y, gpu_W in zip(gpu_Xs, gpu_ys, gpu_params)]
    for l in ls:
        l.backward()
    for i in range(len(gpu_params[0])):
        allreduce([gpu_params[c][i].grad for c in range(len(ctx))])
    for param in gpu_params:
        sgd(param, lr, X.shape[0])
