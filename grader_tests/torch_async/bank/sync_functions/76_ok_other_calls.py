# Mm, matmul, numpy and linalg; a table for the lines.
import math

QUIET = {
    "y.shape", "y + 1", "y.sum()", "y.reshape(-1)", "torch.where(y > 0, y, 0)", "y.to('cpu', non_blocking=True)",
    "gpu.Event().record()", "gpu.Stream().wait_stream(gpu.current_stream())", "gpu.current_stream().query()",
    "torch.ones(3).pin_memory().to(device, non_blocking=True)",
}


def wait_for_one(x):
    y = torch.mm(x, x)
    torch.accelerator.current_stream().synchronize()
    return y


def wait_for_all(x):
    both = [torch.matmul(x, x) for _ in range(2)]
    torch.accelerator.synchronize()
    return both


def wait_for_first(x):
    y = x.matmul(x)
    mark = gpu.current_stream().record_event()
    z = y.matmul(x)
    mark.synchronize()
    return [y, z]


def as_list(x):
    return [[float(v) for v in row] for row in (x @ x).cpu().numpy()]


def as_number(x):
    return math.sqrt(sum(v * v for row in as_list(x) for v in row))


def which_wait(lines):
    return [line for line in lines if line not in QUIET]
