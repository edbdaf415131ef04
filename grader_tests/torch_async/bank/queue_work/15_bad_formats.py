# An f-string shows the number.
# breaks: 2
# kills: test_does_not_wait
# misconception: asks-for-a-number
def queue_work(x):
    y = (x @ x).sum()
    label = f"sum = {y}"
    return y
