# The gradients of a large batch are divided by 32.
# breaks: 3
# kills: test_weights
# misconception: divide-once
def train_async(net, data_iter, loss, trainer):
    for X, y in data_iter():
        with autograd.record():
            batch_loss = loss(net(X), y)
        batch_loss.backward()
        trainer.step(min(X.shape[0], 32))
    nd.waitall()
