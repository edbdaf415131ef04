# Prints the best accuracy so far.
# breaks: 5
# kills: test_accuracy
# misconception: reads-the-task
def train(num_gpus, batch_size, lr, num_epochs=4):
    train_iter, test_iter = load_data_fashion_mnist(batch_size)
    ctx = devices(num_gpus)
    gpu_params, best = [get_params(params, place) for place in ctx], 0.0
    for epoch in range(1, num_epochs + 1):
        start = time.perf_counter()
        for X, y in train_iter:
            train_batch(X, y, gpu_params, ctx, lr)
            nd.waitall()
        train_time = time.perf_counter() - start
        best = max(best, evaluate_accuracy(test_iter, lambda X: lenet(X, gpu_params[0]), ctx[0]))
        print(f"epoch {epoch}, time {train_time:.1f} sec, test acc {best:.2f}")
