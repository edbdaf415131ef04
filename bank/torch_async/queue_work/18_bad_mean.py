# The mean.
# breaks: the sum of the product
# misconception: reads-the-task
def queue_work(x):
    return (x @ x).mean()
