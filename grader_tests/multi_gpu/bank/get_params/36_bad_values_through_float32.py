# The values go through float32, and get back their type.
# breaks: 2
# kills: test_type
# misconception: numpy-and-the-engine
def get_params(params, ctx):
    new = [param.astype("float32").copyto(ctx).astype(param.dtype) for param in params]
    for param in new:
        param.attach_grad()
    return new
