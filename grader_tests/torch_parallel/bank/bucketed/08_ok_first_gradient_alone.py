# The first gradient that comes goes alone, most often a bias; all others in full buckets, by PyTorch's own helpers.
from collections import deque
from torch._utils import _flatten_dense_tensors, _unflatten_dense_tensors


def bucketed(net, most):
    class State:
        params, grads, sent, first = [], [], deque(), True

    state = State()
    state.params, state.grads, state.sent = [], [], deque()

    def flush():
        flat = _flatten_dense_tensors(state.grads)
        state.sent.append((state.params, state.grads, flat, dist.all_reduce(flat, op=dist.ReduceOp.AVG, async_op=True)))
        state.params, state.grads, state.first = [], [], False

    def hook(p):
        if state.grads and sum(g.nbytes for g in state.grads) + p.grad.nbytes > most:
            flush()
        state.params.append(p)
        state.grads.append(p.grad)
        if state.first:
            flush()

    for p in net.parameters():
        if p.requires_grad:
            p.register_post_accumulate_grad_hook(hook)

    def finish():
        if state.grads:
            flush()
        while state.sent:
            params, grads, flat, handle = state.sent.popleft()
            handle.wait()
            for p, g in zip(params, _unflatten_dense_tensors(flat, grads)):
                p.grad = g
        state.first = True

    return finish
