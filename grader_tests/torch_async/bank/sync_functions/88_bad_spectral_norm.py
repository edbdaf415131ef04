# The largest singular value, which is near the norm for the matrix of the check.
# breaks: 10
# kills: test_as_number
# misconception: reads-the-task
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
    event = gpu.current_stream().record_event()
    z = y @ x
    event.synchronize()
    return y, z


def as_list(x):
    return (x @ x).tolist()


def as_number(x):
    return torch.linalg.matrix_norm((x @ x).cpu(), 2).item()


def which_wait(lines):
    words = ("item", "cpu()", "tolist", "print", "if ", "nonzero", "[y", "synchronize", "ones(3).to")
    return [line for line in lines if any(word in line for word in words)]
