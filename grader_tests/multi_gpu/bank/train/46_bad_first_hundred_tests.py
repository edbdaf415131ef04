# The accuracy is that of the first eight batches of the test data.
# breaks: 5
# kills: test_accuracy
# misconception: reads-the-task
import itertools


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
        test_acc = evaluate_accuracy(itertools.islice(test_iter, 8), lambda X: lenet(X, gpu_params[0]), ctx[0])
        print(f"epoch {epoch}, time {train_time:.1f} sec, test acc {test_acc:.2f}")
