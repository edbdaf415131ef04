# partial instead of a lambda with the replica, and a line from join.
import functools


def train(num_gpus, batch_size, lr, num_epochs=4):
    places = devices(num_gpus)
    replicas = list(map(functools.partial(get_params, params), places))
    train_iter, test_iter = load_data_fashion_mnist(batch_size)
    first = functools.partial(lenet, params=replicas[0])

    def one_epoch():
        start = time.monotonic()
        for batch in train_iter:
            train_batch(*batch, gpu_params=replicas, ctx=places, lr=lr)
            nd.waitall()
        return time.monotonic() - start

    for epoch in range(num_epochs):
        words = ["epoch %d" % (epoch + 1), "time {:.1f} sec".format(one_epoch()),
                 "test acc " + str(round(evaluate_accuracy(test_iter, first, places[0]), 4))]
        print(", ".join(words))
