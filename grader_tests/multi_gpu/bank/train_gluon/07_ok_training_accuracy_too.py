# The line also has the accuracy on the training data; the network is hybridized.
def train_gluon(net, num_gpus, batch_size, lr, num_epochs=4):
    train_iter, test_iter = load_data_fashion_mnist(batch_size)
    ctx = devices(num_gpus)
    replicated_init(net, ctx)
    net.hybridize()
    trainer = gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': lr})
    loss = gloss.SoftmaxCrossEntropyLoss()
    for epoch in range(1, num_epochs + 1):
        start = time.time()
        for X, y in train_iter:
            train_batch_gluon(X, y, net, loss, trainer, ctx)
        nd.waitall()
        train_time = time.time() - start
        train_acc = evaluate_accuracy(train_iter, net, ctx[0])
        test_acc = evaluate_accuracy(test_iter, net, ctx[0])
        print(f'epoch {epoch}, time {train_time:.1f} sec, train acc {train_acc:.2f}, test acc {test_acc:.2f}')
