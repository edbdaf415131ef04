# The copies are sorted into a dict by shape: two parameters of one shape become one.
# breaks: 1
# misconception: reads-the-task
def get_params(params, ctx):
    by_shape = {p.shape: p.copyto(ctx) for p in params}
    for p in by_shape.values():
        p.attach_grad()
    return list(by_shape.values())
