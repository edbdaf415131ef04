# Copies eight parameters at most.
# breaks: 1
# kills: test_values
# misconception: reads-the-task
def get_params(params, ctx):
    new = [p.copyto(ctx) for p in params[:8]]
    for p in new:
        p.attach_grad()
    return new
