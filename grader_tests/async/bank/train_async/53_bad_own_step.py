# The update is its own, with the rate and the momentum of the trainer: weight decay is forgotten.
# breaks: 3
# kills: test_weights
# misconception: divide-once
_moves = {}


def train_async(net, data_iter, loss, trainer):
    moves = {}
    for X, y in data_iter():
        with autograd.record():
            batch_loss = loss(net(X), y)
        batch_loss.backward()
        trainer._optimizer.wd = 0
        trainer.step(X.shape[0])
    nd.waitall()
