# Rows are dealt out like cards.
# breaks: 1
# misconception: reads-the-task
def split_and_load(data, ctx):
    k = len(ctx)
    if data.shape[0] % k:
        raise ValueError('uneven batch')
    return [data[i::k].as_in_context(ctx[i]) for i in range(k)]
