# Attaches gradients that add up.
# breaks: 5
# kills: test_gradients_are_replaced
# misconception: every-call-starts-anew
def get_params(params, ctx):
    copies = []
    for p in params:
        copy = p.copyto(ctx)
        copy.attach_grad(grad_req="add")
        copies.append(copy)
    return copies
