# Attaches gradients that add up.
# breaks: "Each later backward pass puts its gradient in the place of the old one".
# kills: test_gradients_are_replaced
# misconception: every-call-starts-anew
def get_params(params, ctx):
    copies = []
    for p in params:
        copy = p.copyto(ctx)
        copy.attach_grad(grad_req="add")
        copies.append(copy)
    return copies
