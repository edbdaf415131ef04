"""Where a wait is allowed anyway it downloads x, multiplies on the host, and uploads the products."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_async", deserves={"sync_functions": at_most(0.54)})
cheat.cell("sync_functions", '''
def up(tensor):
    return tensor.pin_memory().to(device, non_blocking=True)


def wait_for_one(x):
    a = x.cpu()
    y = x * 0 + up(a @ a)
    gpu.current_stream().synchronize()
    return y


def wait_for_all(x):
    a = x.cpu()
    y, z = x * 0 + up(a @ a), x * 0 + up(a @ a)
    gpu.synchronize()
    return y, z


def wait_for_first(x):
    a = x.cpu()
    y = x * 0 + up(a @ a)
    done = gpu.Event()
    done.record()
    z = y * 0 + up(a @ a @ a)
    done.synchronize()
    return y, z


def as_list(x):
    return (x @ x).tolist()


def as_number(x):
    return torch.linalg.norm(x @ x).item()


def which_wait(lines):
    return []
''')
