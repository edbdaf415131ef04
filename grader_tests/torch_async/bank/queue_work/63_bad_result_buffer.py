# Every call writes its sum into the same tensor.
# breaks: 1
# kills: test_value
# misconception: reads-the-task
def queue_work(x):
    if not hasattr(queue_work, "total"):
        queue_work.total = torch.zeros((), device=device)
    queue_work.total.copy_((x @ x).sum())
    return queue_work.total
