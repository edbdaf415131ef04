# Empty arrays on the device, filled by copyto.
def get_params(params, ctx):
    replica = [nd.empty(param.shape, ctx=ctx, dtype=param.dtype) for param in params]
    for param, copied in zip(params, replica):
        param.copyto(copied)
        copied.attach_grad()
    return replica
