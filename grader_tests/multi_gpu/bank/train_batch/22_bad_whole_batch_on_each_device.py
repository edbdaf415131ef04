# Every device computes the whole batch: the replicas are right, the devices do the same work k times.
# breaks: 5
# misconception: work-not-done
def train_batch(X, y, gpu_params, ctx, lr):
    gpu_Xs = [X.as_in_context(c) for c in ctx]
    gpu_ys = [y.as_in_context(c) for c in ctx]
    with autograd.record():
        ls = [loss(lenet(gpu_X, gpu_W), gpu_y)
              for gpu_X, gpu_y, gpu_W in zip(gpu_Xs, gpu_ys, gpu_params)]
    for l in ls:
        l.backward()
    for param in gpu_params:
        sgd(param, lr, X.shape[0])
