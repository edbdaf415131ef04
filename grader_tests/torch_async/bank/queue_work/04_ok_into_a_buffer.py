# Into a buffer of its own.
def queue_work(x):
    out = torch.empty_like(x)
    torch.matmul(x, x, out=out)
    return out.sum()
