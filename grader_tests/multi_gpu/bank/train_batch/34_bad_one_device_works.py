# The first device computes everything, and the others get its new parameters.
# breaks: 5
# misconception: work-not-done
def train_batch(X, y, gpu_params, ctx, lr):
    X_all, y_all = X.as_in_context(ctx[0]), y.as_in_context(ctx[0])
    with autograd.record():
        l = loss(lenet(X_all, gpu_params[0]), y_all)
    l.backward()
    sgd(gpu_params[0], lr, X.shape[0])
    for replica in gpu_params[1:]:
        for mine, new in zip(replica, gpu_params[0]):
            new.copyto(mine)
