# Trains twenty batches at most.
# breaks: 3
# misconception: divide-once
def train_sync(net, data_iter, loss, trainer):
    total = 0.0
    for number, (X, y) in enumerate(data_iter()):
        if number == 20:
            break
        with autograd.record():
            batch_loss = loss(net(X), y)
        batch_loss.backward()
        trainer.step(X.shape[0])
        total += float(batch_loss.mean().asscalar())
    return total
