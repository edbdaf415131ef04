# A dict from the number of the batch to its loss.
def train_bounded(net, data_iter, loss, trainer, in_flight=2):
    flying = {}
    for t, (X, y) in enumerate(data_iter()):
        done = flying.pop(t - in_flight, None)
        if done is not None:
            done.wait_to_read()
        with autograd.record():
            flying[t] = loss(net(X), y)
        flying[t].backward()
        trainer.step(X.shape[0])
    nd.waitall()
