# A slice is a view of the same memory.
# breaks: 6
# misconception: as-in-context
def get_params(params, ctx):
    new_params = [p[:].as_in_context(ctx) for p in params]
    for p in new_params:
        p.attach_grad()
    return new_params
