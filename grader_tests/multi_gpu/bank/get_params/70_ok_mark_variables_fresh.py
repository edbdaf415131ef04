# Fills empty arrays and marks them as variables.
def get_params(params, ctx):
    def fresh(p):
        return p.copyto(nd.empty(p.shape, ctx, p.dtype))

    copies = [*map(fresh, params)]
    autograd.mark_variables(copies, [nd.zeros_like(c) for c in copies], grad_reqs="write")
    return copies
