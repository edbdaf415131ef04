# allreduce gets copies of the gradients; the gradients themselves stay the same.
# breaks: 1
# misconception: replicas-stay-equal
def train_batch(X, y, gpu_params, ctx, lr):
    gpu_Xs, gpu_ys = split_and_load(X, ctx), split_and_load(y, ctx)
    with autograd.record():
        ls = [loss(lenet(gpu_X, gpu_W), gpu_y)
              for gpu_X, gpu_y, gpu_W in zip(gpu_Xs, gpu_ys, gpu_params)]
    for l in ls:
        l.backward()
    for i in range(len(gpu_params[0])):
        allreduce([W[i].grad.copy() for W in gpu_params])
    for W in gpu_params:
        sgd(W, lr, X.shape[0])
