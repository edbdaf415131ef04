# The mean.
# breaks: 1
# kills: test_value
# misconception: reads-the-task
def queue_work(x):
    return (x @ x).mean()
