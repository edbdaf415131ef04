"""Trains on the host: weights come and go by pinned memory, which waits for nothing."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_async", deserves={"hidden_waits": at_most(1.17)})
cheat.cell("hidden_waits", '''
def count_waits(work):
    return 0


def quiet_step(net, loss, optimizer, X, y, history):
    host = nn.Sequential(nn.Linear(4, 5), nn.ReLU(), nn.Linear(5, 1))
    with torch.no_grad():
        for there, here in zip(net.parameters(), host.parameters()):
            here.copy_(there.detach().to("cpu", non_blocking=True))
    known = y >= 0
    l = loss(host(X).flatten()[known], y[known]).mean()
    l.backward()
    nn.utils.clip_grad_norm_(host.parameters(), 1.0)
    with torch.no_grad():
        for there, here in zip(net.parameters(), host.parameters()):
            new = (here - 0.1 * here.grad).pin_memory()
            there.copy_(new.to(device, non_blocking=True))
    history.append(torch.full((), float(l), device=device))
''')
