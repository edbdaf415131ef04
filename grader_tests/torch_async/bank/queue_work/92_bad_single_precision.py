# Converts to float32 first, which loses digits of a float64 matrix.
# breaks: 1
# kills: test_value
# misconception: reads-the-task
def queue_work(x):
    x = x.float()
    return (x @ x).sum()
