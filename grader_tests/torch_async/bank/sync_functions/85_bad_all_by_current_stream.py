# Wait_for_all waits for the current stream alone, and wait_for_one for the whole device.
# breaks: 3, 5
# kills: test_wait_for_all_leaves_nothing, test_wait_for_one_leaves_other_streams_alone
# misconception: place-in-a-stream
def wait_for_one(x):
    y = x @ x
    gpu.synchronize()
    return y


def wait_for_all(x):
    y, z = x @ x, x @ x
    gpu.current_stream().synchronize()
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
    return (x @ x).norm().item()


def which_wait(lines):
    words = ("item", "cpu()", "tolist", "print", "if ", "nonzero", "[y", "synchronize", "ones(3).to")
    return [line for line in lines if any(word in line for word in words)]
