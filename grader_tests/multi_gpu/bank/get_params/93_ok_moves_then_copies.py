# as_in_context may give the parameter itself, so its result is copied; the gradients replace each other.
def get_params(params, ctx):
    copies = []
    for param in params:
        copy = param.as_in_context(ctx).copy()
        copy.attach_grad(grad_req="write")
        copies.append(copy)
    return copies
