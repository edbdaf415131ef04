# One thread for each device.
import threading


def train_batch_gluon(X, y, net, loss, trainer, ctx):
    def work(gpu_X, gpu_y):
        with autograd.record():
            l = loss(net(gpu_X), gpu_y)
        l.backward()

    shards = zip(gutils.split_and_load(X, ctx), gutils.split_and_load(y, ctx))
    threads = [threading.Thread(target=work, args=shard) for shard in shards]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    trainer.step(X.shape[0])
