# Goes through the data, twice, and trains nothing.
# breaks: all of it
# misconception: reads-the-task
def train_sync(net, data_iter, loss, optimizer):
    for X, y in data_iter():
        pass
    for X, y in data_iter():
        loss(net(X.to(device)), y.to(device))
