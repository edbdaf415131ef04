# yield makes a generator.
# breaks: 1
# misconception: reads-the-task
def get_params(params, ctx):
    for p in params:
        p = p.copyto(ctx)
        p.attach_grad()
        yield p
