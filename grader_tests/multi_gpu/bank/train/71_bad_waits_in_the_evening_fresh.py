# Waits once in each epoch.
# breaks: 4
# kills: test_one_wait_for_each_batch
# misconception: queue-is-free
def train(num_gpus, batch_size, lr, num_epochs=4):
    ctx = devices(num_gpus)
    replicas = [get_params(params, c) for c in ctx]
    train_iter, test_iter = load_data_fashion_mnist(batch_size)
    for epoch in range(1, num_epochs + 1):
        start = time.time()
        for X, y in train_iter:
            train_batch(X, y, replicas, ctx, lr)
        nd.waitall()
        spent = time.time() - start
        acc = evaluate_accuracy(test_iter, lambda X: lenet(X, replicas[0]), ctx[0])
        print(f"epoch {epoch}, time {spent:.1f} sec, test acc {acc:.2f}")
