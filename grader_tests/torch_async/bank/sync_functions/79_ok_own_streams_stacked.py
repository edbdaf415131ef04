# Streams of its own, and waits for those.
def wait_for_one(x):
    side = gpu.Stream()
    side.wait_stream(gpu.current_stream())
    with gpu.stream(side):
        y = x.matmul(x)
    side.synchronize()
    y.record_stream(gpu.current_stream())
    return y


def wait_for_all(x):
    y, z = torch.stack([x @ x, x @ x]).unbind()
    gpu.synchronize()
    return y, z


def wait_for_first(x):
    y = x @ x
    done = gpu.Event(blocking=True)
    done.record(gpu.current_stream())
    z = y @ x
    while not done.query():
        time.sleep(0.001)
    return [y, z]


def as_list(x):
    host = torch.empty(x.shape).pin_memory()
    host.copy_(x @ x, non_blocking=True)
    gpu.current_stream().synchronize()
    return host.tolist()


def as_number(x):
    return torch.linalg.matrix_norm(x @ x, ord="fro").item()


QUIET = (".shape", "+ 1", "y.sum()", "reshape", "torch.where", "non_blocking", "record()", "wait_stream", "query()")


def which_wait(lines):
    return [line for line in lines if line != "y.sum()" and not any(mark in line for mark in QUIET if mark != "y.sum()")]
