# Prints the loss of every 50th batch.
# breaks: 1
# kills: test_no_wait_in_the_loop
# misconception: wait-in-the-loop
def train_async(net, data_iter, loss, trainer):
    for number, (X, y) in enumerate(data_iter()):
        with autograd.record():
            batch_loss = loss(net(X), y)
        batch_loss.backward()
        trainer.step(X.shape[0])
        if number % 50 == 49:
            print(batch_loss.mean())
    nd.waitall()
