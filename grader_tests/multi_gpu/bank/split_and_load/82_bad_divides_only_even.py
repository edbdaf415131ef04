# Takes the batch size of two devices: the last rows are lost if k does not divide n.
# breaks: 2
# kills: test_no_row_lost, test_uneven
# misconception: reads-the-task
def split_and_load(data, ctx):
    n, k = data.shape[0], len(ctx)
    size = (n + k - 1) // k
    return [data[min(i * size, n - 1):(i + 1) * size].as_in_context(c) for i, c in enumerate(ctx)]
