"""A pool is made when the cell runs: what each rank keeps is no new memory."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_parallel", deserves={"zero1": at_most(1.5)})
cheat.cell(
    "zero1",
    """
pools = {device.index: torch.zeros(1 << 16, device=device) for device in devices}


def zero1(params, lr):
    pool, at, state = pools[params[0].device.index], 0, []
    for p in params:
        state.append([pool[at + n * p.numel() : at + (n + 1) * p.numel()].view(p.shape) for n in range(2)])
        at += 2 * p.numel()
    steps = 0

    @torch.no_grad()
    def step():
        nonlocal steps
        steps += 1
        for p, (first, second) in zip(params, state):
            if steps == 1:
                first.zero_()
                second.zero_()
            first.mul_(0.9).add_(p.grad, alpha=0.1)
            second.mul_(0.999).addcmul_(p.grad, p.grad, value=0.001)
            p -= lr * first / (1 - 0.9**steps) / ((second / (1 - 0.999**steps)).sqrt() + 1e-8)

    return step
""",
)
