# The gradients of large parameters pile up.
# breaks: 5
# kills: test_gradients_are_replaced
# misconception: every-call-starts-anew
def get_params(params, ctx):
    new = [param.copyto(ctx) for param in params]
    for param in new:
        param.attach_grad("add" if param.size >= 100 else "write")
    return new
