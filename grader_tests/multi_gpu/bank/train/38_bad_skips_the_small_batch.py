# Leaves out a last batch that is smaller.
# breaks: 1
# kills: test_every_batch_of_every_epoch
# misconception: reads-the-task
def train(num_gpus, batch_size, lr, num_epochs=4):
    train_iter, test_iter = load_data_fashion_mnist(batch_size)
    ctx = devices(num_gpus)
    gpu_params = [get_params(params, c) for c in ctx]
    for epoch in range(num_epochs):
        start = time.time()
        for X, y in train_iter:
            if X.shape[0] < batch_size:
                continue
            train_batch(X, y, gpu_params, ctx, lr)
            nd.waitall()
        seconds = time.time() - start
        acc = evaluate_accuracy(test_iter, lambda X: lenet(X, gpu_params[0]), ctx[0])
        print('epoch %d, time %.1f sec, test acc %.2f' % (epoch + 1, seconds, acc))
