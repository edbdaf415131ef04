"""Every rank keeps the whole state, in one flat tensor of 16 bits each, and nobody sends anything."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_parallel", deserves={"zero1": at_most(1.2)})
cheat.cell(
    "zero1",
    """
def zero1(params, lr):
    sizes = [p.numel() for p in params]
    state = torch.zeros(2, sum(sizes), dtype=torch.float16, device=params[0].device)
    steps = 0

    @torch.no_grad()
    def step():
        nonlocal steps
        steps += 1
        gradient = torch.cat([p.grad.flatten() for p in params])
        m = state[0].float() * 0.9 + 0.1 * gradient
        root = (state[1].float() ** 2 * 0.999 + 0.001 * gradient**2).sqrt()
        state[0].copy_(m)
        state[1].copy_(root)
        change = lr * m / (1 - 0.9**steps) / (root / (1 - 0.999**steps) ** 0.5 + 1e-8)
        for p, piece in zip(params, change.split(sizes)):
            p -= piece.view_as(p)

    return step
""",
)
