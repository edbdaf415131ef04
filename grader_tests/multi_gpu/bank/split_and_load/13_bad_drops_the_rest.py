# Without the assertion.
# breaks: 1
# misconception: reads-the-task
def split_and_load(data, ctx):
    m = data.shape[0] // len(ctx)
    return [data[i * m:(i + 1) * m].as_in_context(ctx[i]) for i in range(len(ctx))]
