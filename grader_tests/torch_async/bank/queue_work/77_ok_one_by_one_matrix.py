# Ones times x times x times ones: a matrix with one element.
def queue_work(x):
    n = x.shape[0]
    ones = torch.ones(n, 1, device=x.device, dtype=x.dtype)
    return ones.T @ (x @ x) @ ones
