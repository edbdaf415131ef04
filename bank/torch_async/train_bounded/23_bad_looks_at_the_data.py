# Goes through the data, twice, and trains nothing.
# breaks: all of it
# misconception: reads-the-task
def train_bounded(net, data_iter, loss, optimizer, in_flight=2):
    for X, y in data_iter():
        pass
    for X, y in data_iter():
        loss(net(X.to(device)), y.to(device))
