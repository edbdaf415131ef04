# zeros_like takes only the shape.
# breaks: 1
# misconception: reads-the-task
def get_params(params, ctx):
    new_params = [nd.zeros_like(p).as_in_context(ctx) for p in params]
    for p in new_params:
        p.attach_grad()
    return new_params
