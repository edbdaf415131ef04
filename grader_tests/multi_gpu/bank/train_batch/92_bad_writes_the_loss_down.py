# Writes the loss of each device down as a number.
# breaks: 3
# misconception: devices-in-turn
def train_batch(X, y, gpu_params, ctx, lr):
    history = []
    Xs, ys = split_and_load(X, ctx), split_and_load(y, ctx)
    for Xi, yi, params in zip(Xs, ys, gpu_params):
        with autograd.record():
            l = loss(lenet(Xi, params), yi)
        l.backward()
        history.append(float(l.mean().asscalar()))
    for i in range(len(gpu_params[0])):
        allreduce([params[i].grad for params in gpu_params])
    for params in gpu_params:
        sgd(params, lr, X.shape[0])
