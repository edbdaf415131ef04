# as_list drops dimensions of size 1, so a matrix with one element gives a number and not a list of lists.
# breaks: 9
# kills: test_as_list
# misconception: reads-the-task
def wait_for_one(x):
    y = x @ x
    event = gpu.Event()
    event.record()
    event.synchronize()
    return y


def wait_for_all(x):
    y = x @ x
    z = x @ x
    gpu.synchronize()
    return y, z


def wait_for_first(x):
    y = x @ x
    event = gpu.Event()
    event.record()
    z = y @ x
    event.synchronize()
    return y, z


def as_list(x):
    return (x @ x).squeeze().tolist()


def as_number(x):
    return torch.linalg.vector_norm(x @ x).item()


_WAITING = {
    "y.sum().item()",
    "y.cpu()",
    "y.tolist()",
    "print(y)",
    "if y.sum() > 0: pass",
    "y.nonzero()",
    "y[y > 0]",
    "gpu.synchronize()",
    "torch.ones(3).to(device)",
}


def which_wait(lines):
    return [line for line in lines if line in _WAITING]
