# An assert against NaN waits for the answer.
# breaks: 1, 2
# kills: test_does_not_wait, test_value
# misconception: asks-for-a-number
def queue_work(x):
    total = (x @ x).sum()
    assert not torch.isnan(total), "there is a NaN"
    return total
