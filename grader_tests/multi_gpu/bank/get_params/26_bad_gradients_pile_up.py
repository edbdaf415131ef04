# grad_req='add', because gradients are to be added up over the devices.
# breaks: 5
# misconception: every-call-starts-anew
def get_params(params, ctx):
    replica = [param.copyto(ctx) for param in params]
    for param in replica:
        param.attach_grad(grad_req='add')
    return replica
