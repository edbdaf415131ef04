# Half the squared error, whatever loss is given.
# breaks: 4
# misconception: divide-once
def train_sync(net, data_iter, loss, trainer):
    total = 0.0
    for X, y in data_iter():
        with autograd.record():
            batch_loss = (net(X).reshape(-1) - y) ** 2 / 2
        batch_loss.backward()
        trainer.step(X.shape[0])
        total += float(batch_loss.mean().asscalar())
    return total
