# wait_for_one waits for the default stream, not for the current one.
# breaks: 2
# kills: test_wait_for_one_is_computed
# misconception: place-in-a-stream
def wait_for_one(x):
    y = x @ x
    gpu.default_stream().synchronize()
    return y


def wait_for_all(x):
    """Compute x @ x twice, wait for everything on the device, and return both results.

    x: tensor of shape (n, n) on the device. Returns two tensors of shape (n, n).
    """
    y, z = x @ x, x @ x
    gpu.synchronize()
    return y, z


def wait_for_first(x):
    """Enqueue y = x @ x and z = y @ x, wait for y alone, and return both.

    x: tensor of shape (n, n) on the device. Returns two tensors of shape (n, n).
    """
    y = x @ x
    done = gpu.Event()
    done.record()
    z = y @ x
    done.synchronize()
    return y, z


def as_list(x):
    """Return x @ x as a list of rows, each one a list of numbers."""
    return (x @ x).tolist()


def as_number(x):
    """Return the norm of x @ x, the root of the sum of the squares, as one Python number."""
    return (x @ x).norm().item()


def which_wait(lines):
    """Return a list of the lines that make the front end wait.

    lines: list of some of the texts above.
    """
    waiting = {
        "y.sum().item()", "y.cpu()", "y.tolist()", "print(y)", "if y.sum() > 0: pass", "y.nonzero()", "y[y > 0]",
        "gpu.synchronize()", "torch.ones(3).to(device)",
    }
    return [line for line in lines if line in waiting]
