# Adds up the losses of the devices, to print them.
# breaks: 7
# misconception: devices-mix
def train_gluon(net, num_gpus, batch_size, lr, num_epochs=4):
    train_iter, test_iter = load_data_fashion_mnist(batch_size)
    ctx = devices(num_gpus)
    replicated_init(net, ctx)
    trainer = gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': lr})
    loss = gloss.SoftmaxCrossEntropyLoss()
    for epoch in range(num_epochs):
        start = time.time()
        for X, y in train_iter:
            Xs, ys = gutils.split_and_load(X, ctx), gutils.split_and_load(y, ctx)
            with autograd.record():
                ls = [loss(net(a), b) for a, b in zip(Xs, ys)]
            autograd.backward(ls)
            trainer.step(batch_size)
            train_loss = sum(l.sum() for l in ls)
        nd.waitall()
        train_time = time.time() - start
        test_acc = evaluate_accuracy(test_iter, net, ctx[0])
        print('epoch %d, time %.1f sec, test acc %.2f' % (epoch + 1, train_time, test_acc))
