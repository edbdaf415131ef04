# wait_for_all adds 0 to one product, twice.
# breaks: 4
# kills: test_wait_for_all_values
# misconception: reads-the-task
def wait_for_one(x):
    y = x @ x
    gpu.current_stream().synchronize()
    return y


def wait_for_all(x):
    product = x @ x
    y, z = product + 0, product + 0
    gpu.synchronize()
    return y, z


def wait_for_first(x):
    y = x @ x
    done = gpu.Event()
    done.record()
    z = y @ x
    done.synchronize()
    return y, z


def as_list(x):
    return (x @ x).tolist()


def as_number(x):
    return (x @ x).norm().item()


WAIT = {
    "y.sum().item()", "y.cpu()", "y.tolist()", "print(y)", "if y.sum() > 0: pass", "y.nonzero()", "y[y > 0]",
    "gpu.synchronize()", "torch.ones(3).to(device)",
}


def which_wait(lines):
    return [line for line in lines if line in WAIT]
