# Finds the waiting lines by running each one with the debug mode "error".
import contextlib
import io


def wait_for_one(x):
    y = x @ x
    done = gpu.Event()
    done.record()
    done.synchronize()
    return y


def wait_for_all(x):
    y, z = x @ x, x @ x
    gpu.synchronize()
    return y, z


def wait_for_first(x):
    y = x @ x
    done = gpu.Event(enable_timing=True)
    done.record()
    z = y @ x
    done.synchronize()
    return y, z


def as_list(x):
    return torch.matmul(x, x).tolist()


def as_number(x):
    return torch.linalg.matrix_norm(x @ x).item()


def _waits(line):
    if ".synchronize" in line:
        return True
    y = torch.rand(3, 3, device=device)
    gpu.set_sync_debug_mode("error")
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(line, {"y": y, "torch": torch, "gpu": gpu, "device": device})
    except RuntimeError:
        return True
    finally:
        gpu.set_sync_debug_mode("default")
    return False


def which_wait(lines):
    return list(filter(_waits, lines))
