# All replicas are on the first device.
# breaks: 3
# misconception: replicas-stay-equal
def train(num_gpus, batch_size, lr, num_epochs=4):
    train_iter, test_iter = load_data_fashion_mnist(batch_size)
    ctx = devices(num_gpus)
    gpu_params = [get_params(params, ctx[0]) for _ in ctx]
    for epoch in range(num_epochs):
        start = time.time()
        for X, y in train_iter:
            train_batch(X, y, gpu_params, [ctx[0]] * num_gpus, lr)
            nd.waitall()
        train_time = time.time() - start
        test_acc = evaluate_accuracy(test_iter, lambda x: lenet(x, gpu_params[0]), ctx[0])
        print('epoch %d, time %.1f sec, test acc %.2f' % (epoch + 1, train_time, test_acc))
