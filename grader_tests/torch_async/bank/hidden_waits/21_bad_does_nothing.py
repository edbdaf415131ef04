# No step is the quietest.
# breaks: 1, 2
# kills: test_copies_do_not_wait, test_count_waits, test_data_stay, test_history, test_waits_for_nothing, test_weights
# misconception: gradients-add-up
def count_waits(work):
    return None


def quiet_step(net, loss, optimizer, X, y, history):
    pass
