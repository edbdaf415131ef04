# The work is done with float32, whatever the type of x.
# breaks: 1
# kills: test_value
# misconception: reads-the-task
def queue_work(x):
    x = x.astype("float32")
    return nd.dot(x, x).sum()
