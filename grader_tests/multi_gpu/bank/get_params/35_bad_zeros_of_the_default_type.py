# New arrays of the default type, filled with the values.
# breaks: 2
# kills: test_type
# misconception: numpy-and-the-engine
def get_params(params, ctx):
    copies = []
    for p in params:
        copy = nd.zeros(p.shape, ctx=ctx)
        copy[:] = p.astype("float32")
        copy.attach_grad()
        copies.append(copy)
    return copies
