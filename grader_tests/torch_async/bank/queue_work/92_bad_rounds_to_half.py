# Rounds the sum to half precision.
# breaks: 1
# kills: test_value
# misconception: reads-the-task
def queue_work(x):
    return (x @ x).sum().half().to(x.dtype)
