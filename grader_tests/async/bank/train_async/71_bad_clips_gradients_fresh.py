# Clips the gradients with gluon's helper, with a bound that is never reached.
# breaks: 1
# kills: test_no_wait_in_the_loop
# misconception: wait-in-the-loop
def train_async(net, data_iter, loss, trainer):
    grads = None
    for X, y in data_iter():
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        grads = grads or [p.grad() for p in net.collect_params().values() if p.grad_req != "null"]
        gluon.utils.clip_global_norm(grads, 1e9)
        trainer.step(X.shape[0])
    nd.waitall()
