# Only copies.
# breaks: no gradients
def get_params(params, ctx):
    return [p.copyto(ctx) for p in params]
