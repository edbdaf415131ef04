# Half the squared error, whatever loss is given.
# breaks: 3
# misconception: divide-once
def train_async(net, data_iter, loss, trainer):
    for X, y in data_iter():
        with autograd.record():
            batch_loss = (net(X).reshape(-1) - y) ** 2 / 2
        batch_loss.backward()
        trainer.step(X.shape[0])
    npx.waitall()
