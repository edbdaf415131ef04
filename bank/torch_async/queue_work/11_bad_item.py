# A number of Python: waits.
# breaks: waits for nothing
# misconception: asks-for-a-number
def queue_work(x):
    return (x @ x).sum().item()
