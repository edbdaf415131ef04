"""The product as a gradient, in a buffer that a backward pass fills; nobody waits for it."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_async", deserves={"sync_functions": at_most(1.99)})
cheat.cell("sync_functions", '''
def wait_for_one(x):
    weight = torch.zeros_like(x).requires_grad_()
    (x.T @ weight).backward(x)
    return weight.grad


def wait_for_all(x):
    y, z = x @ x, x @ x
    gpu.synchronize()
    return y, z


def wait_for_first(x):
    y = x @ x
    done = gpu.Event()
    done.record()
    z = y @ x
    done.synchronize()
    return y, z


def as_list(x):
    return (x @ x).tolist()


def as_number(x):
    return (x @ x).norm().item()


WAIT = {
    "y.sum().item()", "y.cpu()", "y.tolist()", "print(y)", "if y.sum() > 0: pass", "y.nonzero()", "y[y > 0]",
    "gpu.synchronize()", "torch.ones(3).to(device)",
}


def which_wait(lines):
    return [line for line in lines if line in WAIT]
''')
