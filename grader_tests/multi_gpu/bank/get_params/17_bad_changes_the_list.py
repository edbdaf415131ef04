# The copies replace the originals in the list.
# breaks: 7
# misconception: names-and-arrays
def get_params(params, ctx):
    for i in range(len(params)):
        params[i] = params[i].copyto(ctx)
        params[i].attach_grad()
    return params
