# Waits for one parameter in each batch; an optimizer object; more decimals.
def train_gluon(net, num_gpus, batch_size, lr, num_epochs=4):
    data = load_data_fashion_mnist(batch_size=batch_size)
    places = devices(num_gpus)
    replicated_init(net, places)
    trainer = gluon.Trainer(net.collect_params(), mx.optimizer.SGD(learning_rate=lr), kvstore='local')
    for epoch in range(1, num_epochs + 1):
        tic = time.perf_counter()
        for X, y in data[0]:
            train_batch_gluon(X, y, net, gloss.SoftmaxCrossEntropyLoss(), trainer, places)
            list(net.collect_params().values())[0].list_data()[-1].wait_to_read()
        nd.waitall()
        toc = time.perf_counter()
        acc = evaluate_accuracy(data[1], net, places[0])
        print(f'epoch {epoch}, time {toc - tic:.3f} sec, test acc {acc:.4f}')
