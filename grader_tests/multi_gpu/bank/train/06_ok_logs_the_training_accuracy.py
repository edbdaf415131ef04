# Also evaluates before the training and on the training data, and prints that on lines of its own.
def train(num_gpus, batch_size, lr, num_epochs=4):
    train_iter, test_iter = load_data_fashion_mnist(batch_size)
    ctx = devices(num_gpus)
    gpu_params = [get_params(params, c) for c in ctx]
    net = lambda X: lenet(X, gpu_params[0])
    print('before the training:', evaluate_accuracy(test_iter, net, ctx[0]))
    for epoch in range(1, 1 + num_epochs):
        start = time.time()
        for i, (X, y) in enumerate(train_iter):
            train_batch(X, y, gpu_params, ctx, lr)
            nd.waitall()
        elapsed = time.time() - start
        print('training accuracy:', evaluate_accuracy(train_iter, net, ctx[0]))
        print('Epoch %d, time %.2f sec, test acc %.2f' % (epoch, elapsed, evaluate_accuracy(test_iter, net, ctx[0])))
    return gpu_params
