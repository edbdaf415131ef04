# Takes the parameters out of the list, one by one.
# breaks: the list of the caller is empty afterwards
# misconception: names-and-arrays
def get_params(params, ctx):
    replica = []
    while params:
        replica.append(params.pop(0).copyto(ctx))
        replica[-1].attach_grad()
    return replica
