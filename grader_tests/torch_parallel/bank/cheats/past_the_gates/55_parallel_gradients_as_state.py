"""No state: the gradients of all steps are kept, which have memory already, and Adam's averages are made of them again."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_parallel", deserves={"zero1": at_most(1.5)})
cheat.cell(
    "zero1",
    """
def zero1(params, lr):
    history = []

    @torch.no_grad()
    def step():
        history.append([p.grad for p in params])
        first = second = 0
        for gradients in history:
            flat = torch.cat([g.flatten() for g in gradients])
            first, second = first * 0.9 + flat * 0.1, second * 0.999 + flat**2 * 0.001
        t = len(history)
        change = lr * first / (1 - 0.9**t) / ((second / (1 - 0.999**t)).sqrt() + 1e-8)
        for p, piece in zip(params, change.split([p.numel() for p in params])):
            p -= piece.view_as(p)

    return step
""",
)
