# The line names the device of the test, with its number, between "test acc" and the share.
def train(num_gpus, batch_size, lr, num_epochs=4):
    train_iter, test_iter = load_data_fashion_mnist(batch_size)
    ctx = devices(num_gpus)
    gpu_params = [get_params(params, c) for c in ctx]
    for epoch in range(num_epochs):
        start = time.time()
        for X, y in train_iter:
            train_batch(X, y, gpu_params, ctx, lr)
            nd.waitall()
        seconds = time.time() - start
        acc = evaluate_accuracy(test_iter, lambda X: lenet(X, gpu_params[0]), ctx[0])
        print(f'epoch {epoch + 1}, time {seconds:.1f} sec, test acc on {ctx[0]}: {acc:.2f}')
