# Large parameters become float32.
# breaks: 2
# kills: test_type
# misconception: numpy-and-the-engine
def get_params(params, ctx):
    new = [param.copyto(ctx).astype("float32" if param.size >= 100 else param.dtype) for param in params]
    for param in new:
        param.attach_grad()
    return new
