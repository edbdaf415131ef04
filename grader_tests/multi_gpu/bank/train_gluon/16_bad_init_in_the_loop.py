# Each epoch starts again.
# breaks: 2
# misconception: reads-the-task
def train_gluon(net, num_gpus, batch_size, lr, num_epochs=4):
    train_iter, test_iter = load_data_fashion_mnist(batch_size)
    ctx = devices(num_gpus)
    loss = gloss.SoftmaxCrossEntropyLoss()
    for epoch in range(num_epochs):
        replicated_init(net, ctx)
        trainer = gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': lr})
        start = time.time()
        for X, y in train_iter:
            train_batch_gluon(X, y, net, loss, trainer, ctx)
        nd.waitall()
        train_time = time.time() - start
        test_acc = evaluate_accuracy(test_iter, net, ctx[0])
        print('epoch %d, time %.1f sec, test acc %.2f' % (epoch + 1, train_time, test_acc))
