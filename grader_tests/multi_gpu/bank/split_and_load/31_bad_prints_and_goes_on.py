# An uneven batch prints a warning and loses its rest.
# breaks: 2
# misconception: reads-the-task
def split_and_load(data, ctx):
    n, k = data.shape[0], len(ctx)
    m = n // k
    if m * k != n:
        print('warning: uneven batch')
    return [data[i * m:(i + 1) * m].as_in_context(ctx[i]) for i in range(k)]
