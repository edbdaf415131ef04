# wait_for_first waits for y and z, and returns a copy of z that is still pending.
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
    gpu.current_stream().synchronize()
    return y, z.clone()


def as_list(x):
    return (x @ x).tolist()


def as_number(x):
    return torch.linalg.norm(x @ x).item()


def which_wait(lines):
    quiet = ("shape", "y + 1", "y.sum()", "reshape", "where", "non_blocking", "record", "wait_stream", "query")
    return [line for line in lines if line == "y.sum().item()" or line.startswith("if") or not any(word in line for word in quiet)]
