# The return is indented too far.
# breaks: only the first parameter comes back
# misconception: reads-the-task
def get_params(params, ctx):
    replica = []
    for param in params:
        copied = param.copyto(ctx)
        copied.attach_grad()
        replica.append(copied)
        return replica
