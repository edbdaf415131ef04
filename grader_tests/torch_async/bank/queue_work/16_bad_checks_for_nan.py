# An if needs the answer now.
# breaks: 2
# kills: test_does_not_wait
# misconception: asks-for-a-number
def queue_work(x):
    y = (x @ x).sum()
    if torch.isnan(y):
        raise ValueError("not a number")
    return y
