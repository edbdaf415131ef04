# A promise of Python's own: nothing is on the device when it returns.
# breaks: 3
# kills: test_does_not_wait, test_value, test_work_is_in_the_queue
# misconception: reads-the-task
def queue_work(x):
    return lambda: (x @ x).sum()
