# Waits for the newest loss after every in_flight batches: the queue is never too long, and runs empty each time.
# breaks: 2
# misconception: empty-queue
def train_bounded(network, batches, criterion, optimiser, limit=2):
    queued = 0
    for inputs, targets in batches():
        with autograd.record():
            value = criterion(network(inputs), targets)
        value.backward()
        optimiser.step(inputs.shape[0])
        queued += 1
        if queued == limit:
            value.wait_to_read()
            queued = 0
    npx.waitall()
