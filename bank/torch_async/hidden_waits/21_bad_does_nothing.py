# No step is the quietest.
# breaks: all of it
# misconception: gradients-add-up
def count_waits(work):
    return None


def quiet_step(net, loss, optimizer, X, y, history):
    pass
