# A parameter with one number loses its axes.
# breaks: 1
# kills: test_fresh, test_gradients_are_replaced, test_type, test_values
# misconception: as-in-context
def get_params(params, ctx):
    new = [param.copyto(ctx) for param in params]
    new = [param.reshape((1,)) if param.size == 1 else param for param in new]
    for param in new:
        param.attach_grad()
    return new
