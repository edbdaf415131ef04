# Counts in NDArrays, and prints the float32 accuracy with all the digits it has.
def train(num_gpus, batch_size, lr, num_epochs=4):
    ctx = devices(num_gpus)
    train_iter, test_iter = load_data_fashion_mnist(batch_size)
    replicas = [get_params(params, c) for c in ctx]
    for epoch in range(num_epochs):
        begin = time.perf_counter()
        for X, y in train_iter:
            train_batch(X, y, replicas, ctx, lr)
            nd.waitall()
        end = time.perf_counter()
        hits, n = nd.zeros((1,)), 0
        for X, y in test_iter:
            guesses = lenet(X.as_in_context(ctx[0]), replicas[0]).argmax(axis=1)
            hits += (guesses.as_in_context(mx.cpu(0)) == y).sum()
            n += len(y)
        print('Epoch:', epoch + 1, '- time:', end - begin, 's - test accuracy:', (hits / n).asscalar())
