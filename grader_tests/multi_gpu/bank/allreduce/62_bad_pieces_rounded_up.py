# From three devices on, each adds up a piece of the rows, rounded up: some pieces begin after the last row.
# breaks: 5
# kills: test_shapes
# misconception: reads-the-task
def allreduce(data):
    k, n = len(data), data[0].shape[0]
    size = n if k < 3 or n < k else (n + k - 1) // k
    for home, begin in zip(data, range(0, n, size) if size == n else range(0, k * size, size)):
        rows = slice(begin, begin + size)
        for other in data:
            if other is not home:
                home[rows] += other[rows].copyto(home.context)
        for other in data:
            if other is not home:
                home[rows].copyto(other[rows])
