# The trainer by keyword, the printing by a helper.
def train_gluon(net, num_gpus, batch_size, lr, num_epochs=4):
    ctx = devices(num_gpus)
    replicated_init(net, ctx)
    loss_of = gloss.SoftmaxCrossEntropyLoss()
    trainer = gluon.Trainer(params=net.collect_params(), optimizer="sgd", optimizer_params=dict(learning_rate=lr))
    data = load_data_fashion_mnist(batch_size)

    def tell(number, seconds):
        accuracy = evaluate_accuracy(data[1], net, ctx[0])
        print("epoch", number, end=", ")
        print("time", round(seconds, 1), "sec", end=", ")
        print("test acc", f"{accuracy:.3f}")

    number = 1
    while number <= num_epochs:
        start = time.perf_counter()
        for X, y in data[0]:
            train_batch_gluon(X, y, net, loss_of, trainer, ctx)
        nd.waitall()
        tell(number, time.perf_counter() - start)
        number += 1
