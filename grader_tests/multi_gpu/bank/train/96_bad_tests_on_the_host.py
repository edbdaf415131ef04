# Copies a replica to the host to test it.
# breaks: 9
# kills: test_no_mixing
# misconception: devices-mix
def train(num_gpus, batch_size, lr, num_epochs=4):
    train_iter, test_iter = load_data_fashion_mnist(batch_size)
    ctx = devices(num_gpus)
    gpu_params = [get_params(params, place) for place in ctx]
    for epoch in range(1, num_epochs + 1):
        start = time.perf_counter()
        for X, y in train_iter:
            train_batch(X, y, gpu_params, ctx, lr)
            nd.waitall()
        train_time = time.perf_counter() - start
        on_host = get_params(gpu_params[0], mx.cpu(0))
        test_acc = evaluate_accuracy(test_iter, lambda X: lenet(X, on_host), mx.cpu(0))
        print(f"epoch {epoch}, time {train_time:.1f} sec, test acc {test_acc:.2f}")
