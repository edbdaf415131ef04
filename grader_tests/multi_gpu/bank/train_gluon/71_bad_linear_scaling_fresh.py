# Multiplies the learning rate by the number of devices, as for larger batches.
# breaks: 3
# kills: test_every_batch_of_every_epoch
# misconception: reads-the-task
def train_gluon(net, num_gpus, batch_size, lr, num_epochs=4):
    ctx = devices(num_gpus)
    replicated_init(net, ctx)
    loss = gloss.SoftmaxCrossEntropyLoss()
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": lr * num_gpus})
    train_iter, test_iter = load_data_fashion_mnist(batch_size)
    for epoch in range(1, num_epochs + 1):
        start = time.time()
        for X, y in train_iter:
            train_batch_gluon(X, y, net, loss, trainer, ctx)
        nd.waitall()
        spent = time.time() - start
        print(f"epoch {epoch}, time {spent:.1f} sec, test acc {evaluate_accuracy(test_iter, net, ctx[0]):.2f}")
