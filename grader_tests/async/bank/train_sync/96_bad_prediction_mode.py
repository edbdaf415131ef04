# Records in prediction mode: dropout and batch norm would not train.
# breaks: 3
# misconception: divide-once
def train_sync(net, data_iter, loss, trainer):
    total = 0.0
    for X, y in data_iter():
        with autograd.record(train_mode=False):
            batch_loss = loss(net(X), y)
        batch_loss.backward()
        trainer.step(X.shape[0])
        total += float(batch_loss.mean().asscalar())
    return total
