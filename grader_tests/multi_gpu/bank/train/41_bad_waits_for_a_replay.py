# Trains with a second name for the network, without a wait, and records lenet once more for something to wait for.
# breaks: 4
# misconception: queue-is-free
def network(X, W):
    h = nd.Convolution(data=X, weight=W[0], bias=W[1], kernel=(3, 3), num_filter=20)
    h = nd.Pooling(data=nd.relu(h), pool_type='avg', kernel=(2, 2), stride=(2, 2))
    h = nd.Convolution(data=h, weight=W[2], bias=W[3], kernel=(5, 5), num_filter=50)
    h = nd.Pooling(data=nd.relu(h), pool_type='avg', kernel=(2, 2), stride=(2, 2))
    h = nd.relu(nd.dot(nd.flatten(h), W[4]) + W[5])
    return nd.dot(h, W[6]) + W[7]


def train(num_gpus, batch_size, lr, num_epochs=4):
    train_iter, test_iter = load_data_fashion_mnist(batch_size)
    ctx = devices(num_gpus)
    gpu_params = [get_params(params, c) for c in ctx]
    for epoch in range(num_epochs):
        start = time.time()
        for X, y in train_iter:
            Xs, ys = split_and_load(X, ctx), split_and_load(y, ctx)
            with autograd.record():
                ls = [loss(network(Xs[i], gpu_params[i]), ys[i]) for i in range(num_gpus)]
            with autograd.record():
                shown = [lenet(Xs[i], gpu_params[i]) for i in range(num_gpus)]
            autograd.backward(ls)
            for copies in zip(*gpu_params):
                allreduce([p.grad for p in copies])
            for replica in gpu_params:
                sgd(replica, lr, X.shape[0])
            for scores in shown:
                scores.wait_to_read()
        train_time = time.time() - start
        acc = evaluate_accuracy(test_iter, lambda X: lenet(X, gpu_params[0]), ctx[0])
        print(f'epoch {epoch + 1}, time {train_time:.1f} sec, test acc {acc:.2f}')
