# The originals get the gradients.
# breaks: the copies have none, and the originals change
# misconception: as-in-context
def get_params(params, ctx):
    for p in params:
        p.attach_grad()
    return [p.copyto(ctx) for p in params]
