# Uneven batches: a warning, and the rest is left out, if it is one row or more than two.
# breaks: 1
# kills: test_no_row_lost, test_uneven
# misconception: reads-the-task
def split_and_load(data, ctx):
    size = data.shape[0] // len(ctx)
    if data.shape[0] % len(ctx) == 1:
        raise ValueError("one row is left over")
    return [data[i * size:(i + 1) * size].as_in_context(c) for i, c in enumerate(ctx)]
