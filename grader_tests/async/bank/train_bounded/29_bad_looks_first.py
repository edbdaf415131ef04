# Fills the bound with a look at the first losses, and then trains with a wait in every batch.
# breaks: 2
# misconception: empty-queue
def train_bounded(net, data_iter, loss, trainer, in_flight=2):
    held = []
    for number, (X, y) in enumerate(data_iter()):
        held.append((X, y))
        if number < in_flight - 1:
            loss(net(X), y)
            continue
        for X, y in held:
            with autograd.record():
                l = loss(net(X), y)
            l.backward()
            trainer.step(X.shape[0])
            nd.waitall()
        held = []
