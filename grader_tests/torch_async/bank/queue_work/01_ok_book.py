# As the notebook says.
def queue_work(x):
    return (x @ x).sum()
