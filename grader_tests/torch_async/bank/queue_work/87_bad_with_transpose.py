# X times its transpose: right for symmetric matrices only.
# breaks: 1
# kills: test_value
# misconception: reads-the-task
def queue_work(x):
    return torch.sum(x @ x.T)
