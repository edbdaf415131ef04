# Waits for the losses that are left, and not for the updates.
# breaks: 6
# kills: test_finished_at_return, test_more_room_than_batches
# misconception: last-loss-last-work
def train_bounded(net, data_iter, loss, trainer, in_flight=2):
    pending = []
    for X, y in data_iter():
        if len(pending) == in_flight:
            pending.pop(0).wait_to_read()
        with autograd.record():
            pending.append(loss(net(X), y))
        pending[-1].backward()
        trainer.step(X.shape[0])
    for l in pending:
        l.wait_to_read()
