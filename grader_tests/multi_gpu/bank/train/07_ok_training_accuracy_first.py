# The same line also has the accuracy on the training data, before the one on the test data.
def train(num_gpus, batch_size, lr, num_epochs=4):
    train_iter, test_iter = load_data_fashion_mnist(batch_size)
    ctx = devices(num_gpus)
    gpu_params = [get_params(params, c) for c in ctx]

    def accuracy(data):
        return evaluate_accuracy(data, lambda X: lenet(X, gpu_params[0]), ctx[0])

    for epoch in range(1, num_epochs + 1):
        start = time.time()
        for X, y in train_iter:
            train_batch(X, y, gpu_params, ctx, lr)
            nd.waitall()
        seconds = time.time() - start
        print(f'epoch {epoch}, time {seconds:.1f} sec, train acc {accuracy(train_iter):.2f}, '
              f'test acc {accuracy(test_iter):.2f}')
