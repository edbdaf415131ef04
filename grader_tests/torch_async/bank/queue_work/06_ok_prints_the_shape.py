# Shapes and types are known at once.
def queue_work(x):
    y = x.matmul(x)
    print(y.shape, y.dtype, y.device)
    return y.sum()
