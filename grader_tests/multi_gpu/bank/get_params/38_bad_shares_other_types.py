# Parameters of other types than float32 are not copied.
# breaks: 6
# kills: test_fresh
# misconception: as-in-context
import numpy


def get_params(params, ctx):
    new = [param.copyto(ctx) if param.dtype == numpy.float32 else param.as_in_context(ctx)[:] for param in params]
    for param in new:
        param.attach_grad()
    return new
