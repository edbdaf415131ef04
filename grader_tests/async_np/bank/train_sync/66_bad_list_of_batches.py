# Draws all batches before the first one.
# breaks: 7
# kills: test_draws_when_needed
# misconception: queue-is-free
def train_sync(net, data_iter, loss, trainer):
    total = 0.0
    for X, y in list(data_iter()):
        with autograd.record():
            batch_loss = loss(net(X), y)
        batch_loss.backward()
        trainer.step(X.shape[0])
        total += float(batch_loss.mean().item())
    return total
