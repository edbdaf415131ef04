# Waits at the beginning of each batch for the one before it, and once more after the last.
def train(num_gpus, batch_size, lr, num_epochs=4):
    train_iter, test_iter = load_data_fashion_mnist(batch_size)
    ctx = devices(num_gpus)
    gpu_params = [get_params(params, c) for c in ctx]
    for epoch in range(num_epochs):
        start = time.time()
        for X, y in train_iter:
            nd.waitall()
            train_batch(X, y, gpu_params, ctx, lr)
        nd.waitall()
        stop = time.time()
        test_acc = evaluate_accuracy(test_iter, lambda x: lenet(x, gpu_params[0]), ctx[0])
        print('epoch', epoch + 1, ', time %.1f' % (stop - start), 'sec, test acc', round(test_acc, 2))
