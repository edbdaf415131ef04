# The sum of a product is the product of the sums of columns and rows.
def queue_work(x):
    columns = x.sum(dim=0)
    rows = x.sum(dim=1)
    return torch.dot(columns, rows)
