# A thread of its own trains the epoch, and is joined.
import threading


def train_async(net, data_iter, loss, trainer):
    def epoch():
        for X, y in data_iter():
            with autograd.record():
                batch_loss = loss(net(X), y)
            batch_loss.backward()
            trainer.step(X.shape[0])

    thread = threading.Thread(target=epoch)
    thread.start()
    thread.join()
    nd.waitall()
