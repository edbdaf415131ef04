# Its own words in the line, with capital letters and colons.
def train_gluon(net, num_gpus, batch_size, lr, num_epochs=4):
    train_iter, test_iter = load_data_fashion_mnist(batch_size)
    ctx = devices(num_gpus)
    replicated_init(net, ctx)
    trainer = gluon.Trainer(net.collect_params(), mx.optimizer.SGD(learning_rate=lr), kvstore='device')
    loss = gloss.SoftmaxCrossEntropyLoss()
    for epoch in range(num_epochs):
        start = time.time()
        for X, y in train_iter:
            train_batch_gluon(X, y, net, loss, trainer, ctx)
        nd.waitall()
        seconds = time.time() - start
        accuracy = evaluate_accuracy(test_iter, net, ctx[0])
        print('Epoch: {} Time: {:.2f}s Test Accuracy: {:.3f}'.format(epoch + 1, seconds, accuracy))
