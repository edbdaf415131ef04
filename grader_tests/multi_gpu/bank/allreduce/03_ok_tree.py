# A tree: neighbors add up in pairs, then the sum goes down the same way.
def allreduce(data):
    n = len(data)
    step = 1
    while step < n:
        for i in range(0, n - step, 2 * step):
            data[i] += data[i + step].as_in_context(data[i].context)
        step *= 2
    while step > 1:
        step //= 2
        for i in range(0, n - step, 2 * step):
            data[i].copyto(data[i + step])
