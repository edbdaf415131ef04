# A constant from ordinary host memory is itself a wait.
# breaks: 2
# kills: test_does_not_wait
# misconception: asks-for-a-number
def queue_work(x):
    one = torch.tensor(1.0).to(x.device, non_blocking=True)
    return (x @ x).sum() * one
