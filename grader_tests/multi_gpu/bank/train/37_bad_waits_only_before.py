# Waits before each batch only: the last batch of an epoch is not waited for before the clock is read.
# breaks: 4
# kills: test_one_wait_for_each_batch
# misconception: queue-is-free
def train(num_gpus, batch_size, lr, num_epochs=4):
    train_iter, test_iter = load_data_fashion_mnist(batch_size)
    ctx = devices(num_gpus)
    gpu_params = [get_params(params, c) for c in ctx]
    for epoch in range(num_epochs):
        start = time.time()
        for X, y in train_iter:
            nd.waitall()
            train_batch(X, y, gpu_params, ctx, lr)
        seconds = time.time() - start
        acc = evaluate_accuracy(test_iter, lambda X: lenet(X, gpu_params[0]), ctx[0])
        print('epoch %d, time %.1f sec, test acc %.2f' % (epoch + 1, seconds, acc))
