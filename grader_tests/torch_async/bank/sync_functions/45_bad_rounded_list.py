# as_list rounds to four digits: small numbers become 0.
# breaks: 9
# kills: test_as_list
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
    return [[round(number, 4) for number in row] for row in (x @ x).tolist()]


def as_number(x):
    return torch.linalg.norm(x @ x).item()


def which_wait(lines):
    quiet = ("shape", "y + 1", "y.sum()", "reshape", "where", "non_blocking", "record", "wait_stream", "query")
    return [line for line in lines if line == "y.sum().item()" or line.startswith("if") or not any(word in line for word in quiet)]
