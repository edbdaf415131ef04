# Row by row and column by column, as in the example.
# breaks: 5
# misconception: reads-the-task
def allreduce(data):
    rows, columns = data[0].shape
    place = data[0].context
    for r in range(rows):
        total = nd.zeros((columns,), ctx=place, dtype=data[0].dtype)
        for d in data:
            total += d[r].as_in_context(place)
        for d in data:
            d[r] = total
