# Helpers have names that the visible check below gives to other things.
def copy(y):
    return y.copyto(mx.cpu())


def copies(ys):
    return [copy(y) for y in ys]


def copy_to_cpu(ys):
    return copies(ys)
