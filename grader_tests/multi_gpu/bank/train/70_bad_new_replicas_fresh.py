# Makes the replicas again in each epoch.
# breaks: 1
# kills: test_every_batch_of_every_epoch
# misconception: reads-the-task
def train(num_gpus, batch_size, lr, num_epochs=4):
    ctx = devices(num_gpus)
    train_iter, test_iter = load_data_fashion_mnist(batch_size)
    for epoch in range(1, num_epochs + 1):
        replicas = [get_params(params, c) for c in ctx]
        start = time.time()
        for X, y in train_iter:
            train_batch(X, y, replicas, ctx, lr)
            nd.waitall()
        spent = time.time() - start
        acc = evaluate_accuracy(test_iter, lambda X: lenet(X, replicas[0]), ctx[0])
        print(f"epoch {epoch}, time {spent:.1f} sec, test acc {acc:.2f}")
