# The test images go to the host, and the replica stays on its device.
# breaks: 8
# misconception: devices-mix
def train(num_gpus, batch_size, lr, num_epochs=4):
    train_iter, test_iter = load_data_fashion_mnist(batch_size)
    ctx = devices(num_gpus)
    gpu_params = [get_params(params, c) for c in ctx]
    for epoch in range(1, num_epochs + 1):
        start = time.time()
        for X, y in train_iter:
            train_batch(X, y, gpu_params, ctx, lr)
            nd.waitall()
        seconds = time.time() - start
        acc = evaluate_accuracy(test_iter, lambda X: lenet(X, gpu_params[0]), mx.cpu())
        print("epoch %d, time %.1f sec, test acc %.2f" % (epoch, seconds, acc))
