# Goes through the data, twice, and trains nothing.
# breaks: 1, 2
# kills: test_copies_do_not_wait, test_data_stay, test_finished_at_return, test_no_older_gradients, test_no_wait_in_the_loop, test_one_pass, test_pinned_batches, test_returns_the_loss, test_weights
# misconception: reads-the-task
def train_async(net, data_iter, loss, optimizer):
    for X, y in data_iter():
        pass
    for X, y in data_iter():
        loss(net(X.to(device)), y.to(device))
