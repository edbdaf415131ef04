# A number of Python: waits.
# breaks: 2
# kills: test_does_not_wait, test_work_is_in_the_queue
# misconception: asks-for-a-number
def queue_work(x):
    return (x @ x).sum().item()
