# Draws all batches before the first one.
# breaks: 8
# kills: test_draws_when_needed
# misconception: queue-is-free
def train_bounded(net, data_iter, loss, trainer, in_flight=2):
    flying = []
    for X, y in list(data_iter()):
        if len(flying) == in_flight:
            flying.pop(0).wait_to_read()
        with autograd.record():
            batch_loss = loss(net(X), y)
        batch_loss.backward()
        trainer.step(X.shape[0])
        flying.append(batch_loss)
    nd.waitall()
