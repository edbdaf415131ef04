"""A whole Adam in each rank, with its state in the memory of the host."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_parallel", deserves={"zero1": at_most(1.8)})
cheat.cell(
    "zero1",
    """
def zero1(params, lr):
    copies = [nn.Parameter(p.detach().cpu()) for p in params]
    optimizer = torch.optim.Adam(copies, lr=lr)

    def step():
        for mine, p in zip(copies, params):
            mine.grad = p.grad.cpu()
        optimizer.step()
        with torch.no_grad():
            for mine, p in zip(copies, params):
                p.copy_(mine)

    return step
""",
)
