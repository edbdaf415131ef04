# Half the squared error, whatever loss is given.
# breaks: 5
# misconception: divide-once
def train_bounded(net, data_iter, loss, trainer, in_flight=2):
    flying = []
    for X, y in data_iter():
        if len(flying) == in_flight:
            flying.pop(0).wait_to_read()
        with autograd.record():
            batch_loss = (net(X).reshape(-1) - y) ** 2 / 2
        batch_loss.backward()
        trainer.step(X.shape[0])
        flying.append(batch_loss)
    nd.waitall()
