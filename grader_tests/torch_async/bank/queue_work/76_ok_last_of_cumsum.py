# The last one of the running sums, a view.
def queue_work(x):
    product = torch.linalg.matrix_power(x, 2)
    return product.flatten().cumsum(0)[-1]
