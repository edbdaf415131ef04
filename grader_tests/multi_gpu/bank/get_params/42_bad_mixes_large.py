# For large parameters an operation mixes two devices.
# breaks: 8
# kills: test_no_mixing
# misconception: devices-mix
from mxnet import nd


def get_params(params, ctx):
    new = [nd.zeros(p.shape, ctx=ctx, dtype=p.dtype) + p if p.size >= 100 else p.copyto(ctx) for p in params]
    for param in new:
        param.attach_grad()
    return new
