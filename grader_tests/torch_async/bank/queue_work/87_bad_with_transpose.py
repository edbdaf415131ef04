# X times its transpose: right for symmetric matrices only.
# breaks: the sum of the product
# kills: test_value
# misconception: reads-the-task
def queue_work(x):
    return torch.sum(x @ x.T)
