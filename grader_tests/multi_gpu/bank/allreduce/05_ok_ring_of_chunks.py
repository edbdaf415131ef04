# The ring of real libraries: every device adds up one chunk, then the chunks go round.
def allreduce(data):
    k = len(data)
    flat = [array.reshape((-1,)) for array in data]    # views of the same memory
    size = flat[0].shape[0]
    bounds = [size * c // k for c in range(k + 1)]

    def chunk(device, number):
        number %= k
        return flat[device][bounds[number]:bounds[number + 1]]

    def empty(number):
        number %= k
        return bounds[number] == bounds[number + 1]

    for step in range(k - 1):
        for i in range(k):
            if not empty(i - step):
                j = (i + 1) % k
                mine = chunk(j, i - step)
                mine += chunk(i, i - step).copyto(data[j].context)
    for step in range(k - 1):
        for i in range(k):
            if not empty(i + 1 - step):
                chunk(i, i + 1 - step).copyto(chunk((i + 1) % k, i + 1 - step))
