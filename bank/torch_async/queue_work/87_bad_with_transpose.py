# X times its transpose: right for symmetric matrices only.
# breaks: the sum of the product
# misconception: reads-the-task
def queue_work(x):
    return torch.sum(x @ x.T)
