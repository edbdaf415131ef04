# wait_for_all computes the product once, and returns the same tensor twice.
# breaks: 4
# kills: test_wait_for_all_values
# misconception: reads-the-task
def wait_for_one(x):
    y = x @ x
    gpu.current_stream().synchronize()
    return y


def wait_for_all(x):
    y = x @ x
    gpu.synchronize()
    return y, y


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
