# Wait_for_first asks for a number of y after z, which_wait takes query and the pinned copy for waits.
# breaks: 8, 11
# kills: test_wait_for_first_waits_for_y_alone, test_which_wait
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
    y[0, 0].item()
    return y, z


def as_list(x):
    return (x @ x).tolist()


def as_number(x):
    return (x @ x).norm().item()


def which_wait(lines):
    words = ("item", "cpu", "tolist", "print", "if ", "nonzero", "[y", "synchronize", "ones(3)", "query", "wait_stream")
    return [line for line in lines if any(word in line for word in words)]
