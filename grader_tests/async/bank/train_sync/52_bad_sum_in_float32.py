# The sum of the losses is computed after the first eight batches only.
# breaks: 5
# kills: test_returns_the_loss
# misconception: reads-the-task
def train_sync(net, data_iter, loss, trainer):
    total = 0.0
    for n, (X, y) in enumerate(data_iter()):
        with autograd.record():
            batch_loss = loss(net(X), y)
        batch_loss.backward()
        trainer.step(X.shape[0])
        value = float(batch_loss.mean().asscalar())
        if n < 8:
            total += value
    return total
