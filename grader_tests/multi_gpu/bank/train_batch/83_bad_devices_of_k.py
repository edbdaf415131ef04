# Takes devices(k) instead of ctx.
# breaks: 4
# kills: test_devices_of_ctx
# misconception: reads-the-task
def train_batch(X, y, gpu_params, ctx, lr):
    places = devices(len(ctx))
    Xs, ys = split_and_load(X, places), split_and_load(y, places)
    with autograd.record():
        losses = [loss(lenet(a, p), b) for a, b, p in zip(Xs, ys, gpu_params)]
    for l in losses:
        l.backward()
    for i in range(len(gpu_params[0])):
        allreduce([p[i].grad for p in gpu_params])
    for p in gpu_params:
        sgd(p, lr, X.shape[0])
