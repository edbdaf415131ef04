# Sums before it multiplies.
# breaks: the value: the product first, then the sum
# misconception: reads-the-task
def queue_work(x):
    total = x.sum()
    return total * total
