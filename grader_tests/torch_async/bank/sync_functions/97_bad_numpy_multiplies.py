# as_list and as_number multiply on the host with NumPy.
# breaks: 9, 10
# kills: test_as_list, test_as_number
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
    e = gpu.current_stream().record_event()
    z = y @ x
    e.synchronize()
    return y, z


def as_list(x):
    a = x.cpu().numpy()
    return (a @ a).tolist()


def as_number(x):
    a = x.cpu().numpy()
    return float(numpy.linalg.norm(a @ a))


def which_wait(lines):
    waits = {"y.sum().item()", "y.cpu()", "y.tolist()", "print(y)", "if y.sum() > 0: pass", "y.nonzero()", "y[y > 0]", "gpu.synchronize()",
             "torch.ones(3).to(device)"}
    return [line for line in lines if line in waits]
