# The accuracy is computed by a metric of MXNet, on the last device.
def train_gluon(net, num_gpus, batch_size, lr, num_epochs=4):
    train_iter, test_iter = load_data_fashion_mnist(batch_size)
    ctx = devices(num_gpus)
    replicated_init(net, ctx)
    trainer = gluon.Trainer(net.collect_params(), 'sgd', dict(learning_rate=lr))
    loss = gluon.loss.SoftmaxCELoss()
    epoch = 0
    while epoch < num_epochs:
        epoch += 1
        begin = time.time()
        for batch in train_iter:
            train_batch_gluon(*batch, net, loss, trainer, ctx)
        mx.nd.waitall()
        seconds = time.time() - begin
        metric = mx.metric.Accuracy()
        for X, y in test_iter:
            metric.update(preds=[net(X.as_in_context(ctx[-1]))], labels=[y])
        print('epoch {:d}, time {:.1f} sec, test acc {:.2f}'.format(epoch, seconds, metric.get()[1]))
