# A set of lines; the other way round: those that do not wait are listed.
def wait_for_one(x):
    y = x @ x
    gpu.current_stream().synchronize()
    return y


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


QUIET = {
    "y.shape", "y + 1", "y.sum()", "y.reshape(-1)", "torch.where(y > 0, y, 0)", "y.to('cpu', non_blocking=True)",
    "gpu.Event().record()", "gpu.Stream().wait_stream(gpu.current_stream())", "gpu.current_stream().query()",
    "torch.ones(3).pin_memory().to(device, non_blocking=True)",
}


def which_wait(lines):
    return set(lines) - QUIET
