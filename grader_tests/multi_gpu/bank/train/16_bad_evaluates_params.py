# Evaluates the parameters on the host, which nobody trains.
# breaks: 5
# misconception: reads-the-task
def train(num_gpus, batch_size, lr, num_epochs=4):
    train_iter, test_iter = load_data_fashion_mnist(batch_size)
    ctx = devices(num_gpus)
    gpu_params = [get_params(params, c) for c in ctx]
    for epoch in range(num_epochs):
        start = time.time()
        for X, y in train_iter:
            train_batch(X, y, gpu_params, ctx, lr)
            nd.waitall()
        train_time = time.time() - start
        test_acc = evaluate_accuracy(test_iter, lambda x: lenet(x, params), mx.cpu())
        print('epoch %d, time %.1f sec, test acc %.2f' % (epoch + 1, train_time, test_acc))
