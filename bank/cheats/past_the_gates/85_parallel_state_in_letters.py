"""Every rank has the whole state; between two steps it is on its way to the neighbour."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_parallel", deserves={"zero1": at_most(1.8)})
cheat.cell("zero1", r'''
def zero1(params, lr):
    """A whole Adam in every rank. All have the same state, so each sends it to the next, who takes it in the next step."""
    rank, size = dist.get_rank(), dist.get_world_size()
    count, b1, b2 = [0], 0.9, 0.999

    def receive(p):
        m, v = torch.empty_like(p), torch.empty_like(p)
        for t in (m, v):
            dist.recv(t, (rank - 1) % size)
        return m, v

    @torch.no_grad()
    def step():
        count[0] += 1
        t = count[0]
        for p in params:
            m, v = (torch.zeros_like(p), torch.zeros_like(p)) if t == 1 else receive(p)
            m.mul_(b1).add_(p.grad, alpha=1 - b1)
            v.mul_(b2).addcmul_(p.grad, p.grad, value=1 - b2)
            p.addcdiv_(m / (1 - b1**t), (v / (1 - b2**t)).sqrt().add_(1e-8), value=-lr)
            side = gpu.Stream(p.device)
            side.wait_stream(gpu.current_stream(p.device))
            with gpu.stream(side):
                for s in (m, v):
                    dist.isend(s, (rank + 1) % size)

    return step
''')
