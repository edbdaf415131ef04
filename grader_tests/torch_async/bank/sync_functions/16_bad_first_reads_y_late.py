# Reading y after z in the same stream also waits for z.
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
    y[0, 0].item()
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
