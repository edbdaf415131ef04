# A thread for each device records and goes backward.
import threading


def train_batch(X, y, gpu_params, ctx, lr):
    def work(a, b, replica):
        with autograd.record():
            l = loss(lenet(a, replica), b)
        l.backward()

    threads = [threading.Thread(target=work, args=job)
               for job in zip(split_and_load(X, ctx), split_and_load(y, ctx), gpu_params)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    for i in range(len(gpu_params[0])):
        allreduce([replica[i].grad for replica in gpu_params])
    for replica in gpu_params:
        sgd(replica, lr, X.shape[0])
