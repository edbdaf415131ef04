# nd.array copies what it gets.
def get_params(params, ctx):
    replica = []
    for param in params:
        fresh = nd.array(param, ctx=ctx, dtype=param.dtype)
        fresh.attach_grad()
        replica.append(fresh)
    return replica
