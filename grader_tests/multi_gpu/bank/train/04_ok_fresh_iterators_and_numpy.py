# Loads the data in each epoch, draws with iter and next, and waits by reading a bias of each replica.
def train(num_gpus, batch_size, lr, num_epochs=4):
    ctx = devices(num_gpus)
    gpu_params = {c: get_params(params, c) for c in ctx}
    for epoch in range(num_epochs):
        train_iter, test_iter = load_data_fashion_mnist(batch_size)
        t, batches = 0.0, iter(train_iter)
        while True:
            try:
                X, y = next(batches)
            except StopIteration:
                break
            start = time.time()
            train_batch(X, y, list(gpu_params.values()), ctx, lr)
            for replica in gpu_params.values():
                replica[-1].asnumpy()
            t += time.time() - start
        best = ctx[0]
        acc = evaluate_accuracy(test_iter, lambda X: lenet(X, gpu_params[best]), best)
        print('epoch {}, time {:.1f} sec, test acc {:.2f}'.format(epoch + 1, t, acc))
