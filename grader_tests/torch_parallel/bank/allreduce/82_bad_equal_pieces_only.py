# Pieces of len // k rows: the rows after them are not summed up.
# breaks: 7
# kills: test_uneven
# misconception: reads-the-task
def allreduce(data):
    total = sum(t.to(data[0].device) for t in data)
    for t in data:
        t.copy_(total)


def ring_allreduce(data):
    k = len(data)
    size = len(data[0]) // k

    def rows(number):
        return slice(number % k * size, (number % k + 1) * size)

    for step in range(2 * (k - 1)):
        for r in range(k):
            mine, target = data[r][rows(r - step)], data[(r + 1) % k][rows(r - step)]
            if step < k - 1:
                target.add_(mine.to(target.device))
            else:
                target.copy_(mine)
