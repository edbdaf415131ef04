# The first replica is params themselves.
# breaks: 7
# misconception: names-and-arrays
def train(num_gpus, batch_size, lr, num_epochs=4):
    train_iter, test_iter = load_data_fashion_mnist(batch_size)
    ctx = [mx.cpu(i) for i in range(num_gpus)]
    gpu_params = [[p.as_in_context(c) for p in params] for c in ctx]
    for replica in gpu_params:
        for p in replica:
            p.attach_grad()
    for epoch in range(num_epochs):
        start = time.time()
        for X, y in train_iter:
            train_batch(X, y, gpu_params, ctx, lr)
            nd.waitall()
        train_time = time.time() - start
        test_acc = evaluate_accuracy(test_iter, lambda x: lenet(x, gpu_params[0]), ctx[0])
        print('epoch %d, time %.1f sec, test acc %.2f' % (epoch + 1, train_time, test_acc))
