# Sums before it multiplies.
# breaks: 1
# misconception: reads-the-task
def queue_work(x):
    total = x.sum()
    return total * total
