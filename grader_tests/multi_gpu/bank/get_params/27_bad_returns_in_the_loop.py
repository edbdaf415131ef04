# The return is indented too far.
# breaks: 1
# misconception: reads-the-task
def get_params(params, ctx):
    replica = []
    for param in params:
        copied = param.copyto(ctx)
        copied.attach_grad()
        replica.append(copied)
        return replica
