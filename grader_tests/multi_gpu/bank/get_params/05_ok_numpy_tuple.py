# Through NumPy; a tuple.
def get_params(params, ctx):
    copies = tuple(nd.array(p.asnumpy(), ctx=ctx, dtype=p.dtype) for p in params)
    for copy in copies:
        copy.attach_grad()
    return copies
