# One element in a matrix, under no_grad; warns.
def queue_work(x):
    warnings.warn("a matrix of one element")
    with torch.no_grad():
        return (x @ x).sum().reshape(1, 1)
