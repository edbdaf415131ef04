# A ring: what a device got from its neighbor it adds and passes on.
def allreduce(data):
    k = len(data)
    passing = [array.copy() for array in data]
    for _ in range(k - 1):
        passing = [passing[(i - 1) % k].copyto(data[i].context) for i in range(k)]
        for i in range(k):
            data[i] += passing[i]
