# Only copies.
# breaks: 4
# misconception: as-in-context
def get_params(params, ctx):
    return [p.copyto(ctx) for p in params]
