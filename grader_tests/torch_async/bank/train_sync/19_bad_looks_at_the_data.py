# Goes through the data, twice, and trains nothing.
# breaks: 1, 2
# kills: test_data_stay, test_finished_at_return, test_no_older_gradients, test_one_batch_in_flight, test_one_pass, test_returns_the_loss, test_weights
# misconception: reads-the-task
def train_sync(net, data_iter, loss, optimizer):
    for X, y in data_iter():
        pass
    for X, y in data_iter():
        loss(net(X.to(device)), y.to(device))
