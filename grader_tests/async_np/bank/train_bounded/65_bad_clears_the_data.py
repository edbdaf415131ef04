# Clears the data of each batch, to make room.
# breaks: 9
# kills: test_data_stay
# misconception: reads-the-task
def train_bounded(net, data_iter, loss, trainer, in_flight=2):
    flying = []
    for X, y in data_iter():
        if len(flying) == in_flight:
            flying.pop(0).wait_to_read()
        with autograd.record():
            batch_loss = loss(net(X), y)
        batch_loss.backward()
        trainer.step(X.shape[0])
        X[:] = 0
        flying.append(batch_loss)
    npx.waitall()
