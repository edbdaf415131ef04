# A ring of slots: slot t % in_flight holds the loss that batch t + in_flight waits for.
def train_bounded(net, data_iter, loss, trainer, in_flight=2):
    """Slots in a ring: slot t % in_flight holds the loss of batch t until batch t + in_flight wants it."""
    slots = [None] * in_flight
    for t, (X, y) in enumerate(data_iter()):
        old, slots[t % in_flight] = slots[t % in_flight], None
        if old is not None:
            old.wait_to_read()
        with autograd.record():
            slots[t % in_flight] = l = loss(net(X), y)
        l.backward()
        trainer.step(len(X))
    nd.waitall()
