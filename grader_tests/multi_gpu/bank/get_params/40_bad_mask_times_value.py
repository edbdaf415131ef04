# An infinite value becomes NaN.
# breaks: 1
# kills: test_values
# misconception: reads-the-task
def get_params(params, ctx):
    new = [param.copyto(ctx) for param in params]
    new = [param + 0 * param for param in new]
    for param in new:
        param.attach_grad()
    return new
