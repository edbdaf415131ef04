# Initialises without force_reinit: a trained net goes on from where it was.
# breaks: 1
# kills: test_starts_anew
# misconception: every-call-starts-anew
def train_gluon(net, num_gpus, batch_size, lr, num_epochs=4):
    ctx = devices(num_gpus)
    net.initialize(init.Normal(0.01), ctx=ctx)
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": lr})
    loss = gloss.SoftmaxCrossEntropyLoss()
    train_iter, test_iter = load_data_fashion_mnist(batch_size)
    for epoch in range(1, num_epochs + 1):
        start = time.time()
        for X, y in train_iter:
            train_batch_gluon(X, y, net, loss, trainer, ctx)
        nd.waitall()
        seconds = time.time() - start
        print(f"epoch {epoch}, time {seconds:.1f} sec, test acc {evaluate_accuracy(test_iter, net, ctx[0]):.2f}")
