# Prints a line that a careless reader of the output would look at for ever.
# breaks: 6
# misconception: reads-the-task
def train(num_gpus, batch_size, lr, num_epochs=4):
    train_iter, test_iter = load_data_fashion_mnist(batch_size)
    ctx = devices(num_gpus)
    gpu_params = [get_params(params, c) for c in ctx]
    for epoch in range(num_epochs):
        for X, y in train_iter:
            train_batch(X, y, gpu_params, ctx, lr)
            nd.waitall()
    print("epoch1" * 400 + "time1" * 400 + "acc" * 400)
