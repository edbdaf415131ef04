# An if needs the answer now.
# breaks: 1, 2
# kills: test_does_not_wait, test_value
# misconception: asks-for-a-number
def queue_work(x):
    y = (x @ x).sum()
    if torch.isnan(y):
        raise ValueError("not a number")
    return y
