# A generator of batches; waitall in a finally.
def train(num_gpus, batch_size, lr, num_epochs=4):
    data = dict(zip(("train", "test"), load_data_fashion_mnist(batch_size)))
    ctx = devices(num_gpus)
    replicas = {c: get_params(params, c) for c in ctx}

    def step(X, y):
        try:
            train_batch(X, y, list(replicas.values()), ctx, lr)
        finally:
            nd.waitall()

    for epoch in range(num_epochs):
        start = time.perf_counter()
        for batch in data["train"]:
            step(*batch)
        seconds = time.perf_counter() - start
        acc = evaluate_accuracy(data["test"], net=lambda X: lenet(X, replicas[ctx[0]]), ctx=ctx[0])
        print("epoch", f"{epoch + 1},", "time", round(seconds, 2), "sec, test acc", f"{acc:.3f}")
