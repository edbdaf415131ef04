# wait_for_first waits for z as well, and then enqueues z once more.
# breaks: 8
# kills: test_wait_for_first_waits_for_y_alone
# misconception: place-in-a-stream
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
    z = y @ x
    gpu.synchronize()
    z = y @ x
    return y, z


def as_list(x):
    return (x @ x).tolist()


def as_number(x):
    return torch.linalg.matrix_norm(x @ x).item()


def which_wait(lines):
    words = ("item", "cpu()", "tolist", "print", "if ", "nonzero", "y[", "synchronize", "ones(3).to")
    return [line for line in lines if any(word in line for word in words)]
