# First to the device, then a copy there.
def get_params(params, ctx):
    def fresh(param):
        there = param.as_in_context(ctx).copy()
        there.attach_grad(grad_req='write')
        return there

    return list(map(fresh, params))
