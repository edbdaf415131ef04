# Clears the data of each batch, to make room.
# breaks: 6
# kills: test_data_stay
# misconception: reads-the-task
def train_async(net, data_iter, loss, trainer):
    for X, y in data_iter():
        with autograd.record():
            batch_loss = loss(net(X), y)
        batch_loss.backward()
        trainer.step(X.shape[0])
        X[:] = 0
    npx.waitall()
