# Waits for three parameters after the first batch, and for nothing after the others.
# breaks: 4
# kills: test_one_wait_for_each_batch
# misconception: queue-is-free
def train(num_gpus, batch_size, lr, num_epochs=4):
    train_iter, test_iter = load_data_fashion_mnist(batch_size)
    ctx = devices(num_gpus)
    gpu_params = [get_params(params, c) for c in ctx]
    for epoch in range(num_epochs):
        start = time.time()
        for i, (X, y) in enumerate(train_iter):
            train_batch(X, y, gpu_params, ctx, lr)
            if i == 0:
                for param in gpu_params[0][:3]:
                    param.wait_to_read()
        train_time = time.time() - start
        test_acc = evaluate_accuracy(test_iter, lambda x: lenet(x, gpu_params[0]), ctx[0])
        print('epoch %d, time %.1f sec, test acc %.2f' % (epoch + 1, train_time, test_acc))
