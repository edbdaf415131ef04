# PyTorch's own helpers for flat tensors, foreach copies.
from torch._utils import _flatten_dense_tensors, _unflatten_dense_tensors


def bucketed(net, most):
    groups, size = [], most + 1
    for p in reversed([p for p in net.parameters() if p.requires_grad]):
        size += p.numel() * p.element_size()
        if size > most:
            groups.append([])
            size = p.numel() * p.element_size()
        groups[-1].append(p)
    number = {p: n for n, group in enumerate(groups) for p in group}
    ready, flying = {}, {}

    def hook(p):
        n = number[p]
        ready[n] = ready.get(n, 0) + 1
        if ready[n] == len(groups[n]):
            flat = _flatten_dense_tensors([q.grad for q in groups[n]])
            flying[n] = flat, dist.all_reduce(flat, op=dist.ReduceOp.AVG, async_op=True)

    for p in number:
        p.register_post_accumulate_grad_hook(hook)

    def finish():
        ready.clear()
        for n in sorted(flying):
            flat, handle = flying.pop(n)
            handle.wait()
            new = _unflatten_dense_tensors(flat, [q.grad for q in groups[n]])
            torch._foreach_copy_([q.grad for q in groups[n]], list(new))

    return finish
