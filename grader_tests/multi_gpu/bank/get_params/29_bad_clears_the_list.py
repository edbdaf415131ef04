# Takes the parameters out of the list, one by one.
# breaks: 7
# misconception: names-and-arrays
def get_params(params, ctx):
    replica = []
    while params:
        replica.append(params.pop(0).copyto(ctx))
        replica[-1].attach_grad()
    return replica
