# Which_wait takes the lines out of the list that it was given.
# breaks: 13
# kills: test_list_stays
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
    event = gpu.Event()
    y = x @ x
    event.record()
    z = y @ x
    event.synchronize()
    return y, z


def as_list(x):
    return (x @ x).tolist()


def as_number(x):
    return (x @ x).norm().item()


def which_wait(lines):
    words = ("item", ".cpu()", "tolist", "print", "if ", "nonzero", "[y", "synchronize", "torch.ones(3).to")
    waiting = []
    while lines:
        line = lines.pop()
        if any(word in line for word in words):
            waiting.append(line)
    return waiting
