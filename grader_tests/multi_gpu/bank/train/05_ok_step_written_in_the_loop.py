# Does not call train_batch: the step is in the loop.  Draws all the batches of an epoch first.
def train(num_gpus, batch_size, lr, num_epochs=4):
    train_iter, test_iter = load_data_fashion_mnist(batch_size)
    ctx = devices(num_gpus)
    gpu_params = [get_params(params, c) for c in ctx]

    def net(X):
        return lenet(X, gpu_params[0])

    for epoch in range(num_epochs):
        batches = list(train_iter)
        start = time.time()
        for X, y in batches:
            Xs, ys = split_and_load(X, ctx), split_and_load(y, ctx)
            with autograd.record():
                ls = [loss(lenet(Xs[i], gpu_params[i]), ys[i]) for i in range(num_gpus)]
            autograd.backward(ls)
            for copies in zip(*gpu_params):
                allreduce([p.grad for p in copies])
            for replica in gpu_params:
                sgd(replica, lr, X.shape[0])
            mx.nd.waitall()
        print(f'epoch {epoch + 1}, time {time.time() - start:.2f} sec', end=', ')
        print(f'test acc {evaluate_accuracy(test_iter, net, ctx[0]):.3f}')
