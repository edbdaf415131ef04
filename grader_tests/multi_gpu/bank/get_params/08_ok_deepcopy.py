# A deep copy where the parameter is, then the move; grad_req written out.
import copy


def get_params(params, ctx):
    replica = []
    for param in copy.deepcopy(list(params)):
        moved = param.as_in_context(ctx)
        moved.attach_grad(grad_req='write')
        replica.append(moved)
    return replica
