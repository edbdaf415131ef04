"""No state is kept between steps on the device: the gradients of all steps are on the host, and Adam starts again."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_parallel", deserves={"zero1": at_most(1.8)})
cheat.cell(
    "zero1",
    """
def zero1(params, lr):
    start = [p.detach().cpu() for p in params]
    history = []

    def step():
        history.append([p.grad.cpu() for p in params])
        copies = [nn.Parameter(s.clone()) for s in start]
        optimizer = torch.optim.Adam(copies, lr=lr)
        for gradients in history:
            for mine, gradient in zip(copies, gradients):
                mine.grad = gradient.clone()
            optimizer.step()
        with torch.no_grad():
            for mine, p in zip(copies, params):
                p.copy_(mine.detach().pin_memory(), non_blocking=True)

    return step
""",
)
