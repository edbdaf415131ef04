# Waits for the last parameter of each replica; more decimals; names its arguments.
def train(num_gpus, batch_size, lr, num_epochs=4):
    ctx = devices(num_gpus)
    replicas = []
    for place in ctx:
        replicas.append(get_params(params, place))
    train_iter, test_iter = load_data_fashion_mnist(batch_size=batch_size)
    for epoch in range(1, num_epochs + 1):
        began = time.perf_counter()
        for X, y in train_iter:
            train_batch(X=X, y=y, gpu_params=replicas, ctx=ctx, lr=lr)
            for replica in replicas:
                replica[-1].wait_to_read()
        seconds = time.perf_counter() - began
        accuracy = evaluate_accuracy(test_iter, lambda X: lenet(X, replicas[0]), ctx[0])
        print(f'epoch {epoch}, time {seconds:.3f} sec, test acc {accuracy:.4f}')
