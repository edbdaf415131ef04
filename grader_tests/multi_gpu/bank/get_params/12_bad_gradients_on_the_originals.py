# The originals get the gradients.
# breaks: 7
# misconception: as-in-context
def get_params(params, ctx):
    for p in params:
        p.attach_grad()
    return [p.copyto(ctx) for p in params]
