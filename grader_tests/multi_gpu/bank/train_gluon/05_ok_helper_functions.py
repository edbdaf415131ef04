# One function for an epoch; learning rate set on the trainer; update outside the key-value store.
def _epoch(train_iter, step):
    start = time.time()
    for X, y in train_iter:
        step(X, y)
    nd.waitall()
    return time.time() - start


def train_gluon(net, num_gpus, batch_size, lr, num_epochs=4):
    train_iter, test_iter = load_data_fashion_mnist(batch_size)
    ctx = devices(num_gpus)
    replicated_init(net, ctx)
    trainer = gluon.Trainer(net.collect_params(), 'sgd', update_on_kvstore=False)
    trainer.set_learning_rate(lr)
    loss = gloss.SoftmaxCrossEntropyLoss()
    for epoch in range(num_epochs):
        seconds = _epoch(train_iter, lambda X, y: train_batch_gluon(X, y, net, loss, trainer, ctx))
        print('epoch', epoch + 1, end=', ')
        print('time %.1f sec' % seconds, end=', ')
        print('test acc %.2f' % evaluate_accuracy(test_iter, net, ctx[0]))
    return net
