# Clears the data of each batch, to make room.
# breaks: 8
# kills: test_data_stay
# misconception: reads-the-task
def train_sync(net, data_iter, loss, trainer):
    total = 0.0
    for X, y in data_iter():
        with autograd.record():
            batch_loss = loss(net(X), y)
        batch_loss.backward()
        trainer.step(X.shape[0])
        X[:] = 0
        total += float(batch_loss.mean().item())
    return total
