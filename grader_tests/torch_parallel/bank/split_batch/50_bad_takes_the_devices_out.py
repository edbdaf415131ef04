# Takes the devices out of the list that it is given.
# breaks: 9
# kills: test_list_stays
# misconception: reads-the-task
def split_batch(X, y, devices):
    count, Xs, ys = len(devices), [], []
    for a, b in zip(X.tensor_split(count), y.tensor_split(count)):
        device = devices.pop(0)
        Xs.append(a.pin_memory().to(device, non_blocking=True))
        ys.append(b.pin_memory().to(device, non_blocking=True))
    return Xs, ys
