# From three devices on, each adds up a piece of the rows; the rows after the last piece are forgotten.
# breaks: 5
# kills: test_shapes
# misconception: reads-the-task
def allreduce(data):
    k, n = len(data), data[0].shape[0]
    if k < 3 or n < k:
        pieces = [slice(0, n)]
    else:
        size = n // k
        pieces = [slice(i * size, (i + 1) * size) for i in range(k)]
    for home, rows in zip(data, pieces):
        for other in data:
            if other is not home:
                home[rows] += other[rows].copyto(home.context)
        for other in data:
            if other is not home:
                home[rows].copyto(other[rows])
