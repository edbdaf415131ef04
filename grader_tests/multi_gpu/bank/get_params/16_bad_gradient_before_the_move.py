# The gradient is attached first; the array on the other device is a new one, without it.
# breaks: 4
# misconception: as-in-context
def get_params(params, ctx):
    new_params = []
    for p in params:
        p = p.copy()
        p.attach_grad()
        new_params.append(p.as_in_context(ctx))
    return new_params
