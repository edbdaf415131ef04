# Sleeps a little when the queue is full.
# breaks: 1
# kills: test_default, test_never_more
# misconception: reads-the-task
def train_bounded(net, data_iter, loss, trainer, in_flight=2):
    pending = []
    for X, y in data_iter():
        if len(pending) >= in_flight:
            time.sleep(0.01)
            pending.pop(0)
        with autograd.record():
            pending.append(loss(net(X), y))
        pending[-1].backward()
        trainer.step(X.shape[0])
    nd.waitall()
