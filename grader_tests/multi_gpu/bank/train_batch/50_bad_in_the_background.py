# A thread trains, and nobody waits for it: it waits for the engine itself, and for the replicas that it trains.
# breaks: 1
# misconception: work-not-done
import threading


def train_batch(X, y, gpu_params, ctx, lr):
    def work():
        nd.waitall()
        gpu_Xs, gpu_ys = split_and_load(X, ctx), split_and_load(y, ctx)
        with autograd.record():
            ls = [loss(lenet(gpu_X, gpu_W), gpu_y) for gpu_X, gpu_y, gpu_W in zip(gpu_Xs, gpu_ys, gpu_params)]
        for l in ls:
            l.backward()
        for i in range(len(gpu_params[0])):
            allreduce([gpu_params[c][i].grad for c in range(len(ctx))])
        for param in gpu_params:
            sgd(param, lr, X.shape[0])

    threading.Thread(target=work).start()
