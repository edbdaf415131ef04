# A copy "of everything": the old gradient is also copied.
# breaks: 4
# misconception: as-in-context
def get_params(params, ctx):
    replica = []
    for param in params:
        copied = param.copyto(ctx)
        copied.attach_grad()
        if param.grad is not None:
            param.grad.copyto(copied.grad)
        replica.append(copied)
    return replica
