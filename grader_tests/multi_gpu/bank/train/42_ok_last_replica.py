# Asks the last replica for the accuracy, on its device: all replicas are equal.
def train(num_gpus, batch_size, lr, num_epochs=4):
    train_iter, test_iter = load_data_fashion_mnist(batch_size)
    ctx = devices(num_gpus)
    replicas = [get_params(params, c) for c in ctx]
    for epoch in range(1, 1 + num_epochs):
        begin = time.time()
        for X, y in train_iter:
            train_batch(X, y, replicas, ctx, lr)
            nd.waitall()
        seconds = time.time() - begin
        accuracy = evaluate_accuracy(test_iter, lambda X: lenet(X, replicas[-1]), ctx[-1])
        print(f"epoch {epoch}, time {seconds:.1f} sec, test acc {accuracy:.2f}")
