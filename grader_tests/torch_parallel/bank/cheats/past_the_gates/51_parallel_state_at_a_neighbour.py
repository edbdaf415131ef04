"""A whole Adam in each rank; its state is on a device that is not this rank's."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_parallel", deserves={"zero1": at_most(1.5)})
cheat.cell(
    "zero1",
    """
def zero1(params, lr):
    rank = dist.get_rank()
    there = devices[(rank + 2) % len(devices)]
    copies = [nn.Parameter(p.detach().to(there)) for p in params]
    optimizer = torch.optim.Adam(copies, lr=lr)

    def step():
        with torch.no_grad():
            for mine, p in zip(copies, params):
                mine.grad = p.grad.to(there)
        optimizer.step()
        with torch.no_grad():
            for mine, p in zip(copies, params):
                p.copy_(mine)

    return step
""",
)
