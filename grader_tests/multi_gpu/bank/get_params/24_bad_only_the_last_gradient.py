# attach_grad is after the loop.
# breaks: 4
# misconception: as-in-context
def get_params(params, ctx):
    new_params = []
    for param in params:
        copy = param.copyto(ctx)
        new_params.append(copy)
    copy.attach_grad()
    return new_params
