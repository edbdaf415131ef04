# Goes through the data, twice, and trains nothing.
# breaks: 1, 2
# kills: test_copies_do_not_wait, test_data_stay, test_default, test_finished_at_return, test_makes_use_of_the_bound, test_more_room_than_batches, test_never_more, test_no_older_gradients, test_one_pass, test_weights
# misconception: reads-the-task
def train_bounded(net, data_iter, loss, optimizer, in_flight=2):
    for X, y in data_iter():
        pass
    for X, y in data_iter():
        loss(net(X.to(device)), y.to(device))
