# wait_for_one multiplies on a side stream that does not wait for a pending x.
# breaks: 1
# kills: test_wait_for_one_value
# misconception: reads-the-task
_side = gpu.Stream()


def wait_for_one(x):
    with gpu.stream(_side):
        y = x @ x
    _side.synchronize()
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
    return torch.linalg.norm(x @ x).item()


def which_wait(lines):
    quiet = ("shape", "y + 1", "y.sum()", "reshape", "where", "non_blocking", "record", "wait_stream", "query")
    return [line for line in lines if line == "y.sum().item()" or line.startswith("if") or not any(word in line for word in quiet)]
