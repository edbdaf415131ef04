# Leaves out elements that are not a number.
# breaks: 1
# kills: test_value
# misconception: reads-the-task
def queue_work(x):
    return torch.nansum(x @ x)
