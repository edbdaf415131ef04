# Wait_for_first waits for y before z is enqueued: when it returns, all that the table asks for holds.
def wait_for_one(x):
    y = x @ x
    y.sum().item()
    return y


def wait_for_all(x):
    y = x @ x
    gpu.synchronize()
    z = x @ x
    gpu.synchronize()
    return y, z


def wait_for_first(x):
    y = wait_for_one(x)
    return y, y @ x


def as_list(x):
    return wait_for_one(x).tolist()


def as_number(x):
    return torch.linalg.norm(wait_for_one(x)).cpu().item()


def which_wait(lines):
    words = ("item", "cpu()", "tolist", "print", "if ", "nonzero", "[y", "synchronize", "ones(3).to")
    return [line for line in lines if any(word in line for word in words)]
