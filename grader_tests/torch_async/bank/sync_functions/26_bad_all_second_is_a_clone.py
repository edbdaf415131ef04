# wait_for_all computes one product and copies it.
# breaks: 4
# kills: test_wait_for_all_values
# misconception: reads-the-task
def wait_for_one(x):
    y = x @ x
    gpu.current_stream().synchronize()
    return y


def wait_for_first(x):
    y = x @ x
    event = gpu.Event()
    event.record()
    z = y @ x
    event.synchronize()
    return y, z


def as_list(x):
    return (x @ x).tolist()


def as_number(x):
    return torch.linalg.norm(x @ x).item()


def which_wait(lines):
    quiet = {
        "y.shape", "y + 1", "y.sum()", "y.reshape(-1)", "torch.where(y > 0, y, 0)", "y.to('cpu', non_blocking=True)",
        "gpu.Event().record()", "gpu.Stream().wait_stream(gpu.current_stream())", "gpu.current_stream().query()",
        "torch.ones(3).pin_memory().to(device, non_blocking=True)",
    }
    return [line for line in lines if line not in quiet]


def wait_for_all(x):
    y = x @ x
    z = y.clone()
    gpu.synchronize()
    return y, z
