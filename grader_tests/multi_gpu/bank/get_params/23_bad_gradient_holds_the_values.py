# The gradient buffer is a copy of the parameter.
# breaks: 4
# misconception: as-in-context
def get_params(params, ctx):
    new_params = [p.copyto(ctx) for p in params]
    autograd.mark_variables(new_params, [p.copy() for p in new_params])
    return new_params
