# numbers of NumPy
def wait_for_one(x):
    y = x @ x
    gpu.current_stream().synchronize()
    return y


def wait_for_all(x):
    y = x @ x
    z = x @ x
    gpu.synchronize()
    return y, z


def wait_for_first(x):
    y = x @ x
    e = gpu.Event()
    e.record()
    z = y @ x
    e.synchronize()
    return y, z


def as_list(x):
    return [list(row) for row in (x @ x).cpu().numpy()]


def as_number(x):
    return numpy.linalg.norm((x @ x).cpu().numpy())


WAITING = {"y.to('cpu', non_blocking=True)" : False, "y.sum().item()": True, "y.cpu()": True, "y.tolist()": True, "print(y)": True,
           "if y.sum() > 0: pass": True, "y.nonzero()": True, "y[y > 0]": True, "gpu.synchronize()": True,
           "torch.ones(3).to(device)": True}
def which_wait(lines):
    return [line for line in lines if WAITING.get(line, False)]
