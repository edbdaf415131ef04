# A plan by index; only the first layer of each bucket has a hook, for it comes last.
from torch._utils import _flatten_dense_tensors, _unflatten_dense_tensors


def bucketed(net, most):
    plan, size = [[]], 0
    for p in list(net.parameters())[::-1]:
        if not p.requires_grad:
            continue
        if size + p.nbytes > most and plan[-1]:
            plan.append([])
            size = 0
        plan[-1].append(p)
        size += p.nbytes
    under_way = []
    missing = {}

    for number, bucket in enumerate(plan):
        missing[number] = {id(p) for p in bucket}

        def hook(p, number=number, bucket=bucket):
            missing[number].discard(id(p))
            if not missing[number]:
                missing[number] = {id(q) for q in bucket}
                gradients = [q.grad for q in bucket]
                flat = _flatten_dense_tensors(gradients)
                work = dist.all_reduce(flat, op=dist.ReduceOp.AVG, async_op=True)
                under_way.append((work, gradients, flat))

        for p in bucket:
            p.register_post_accumulate_grad_hook(hook)

    def finish():
        for work, gradients, flat in under_way:
            work.wait()
            torch._foreach_copy_(gradients, list(_unflatten_dense_tensors(flat, gradients)))
        under_way.clear()

    return finish
