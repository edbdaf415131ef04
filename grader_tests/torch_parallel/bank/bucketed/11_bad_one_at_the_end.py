# One bucket, in finish.
# breaks: 2, 5
# kills: test_most, test_overlap
# misconception: gradients-come-one-by-one
def bucketed(net, most):
    params = [p for p in net.parameters() if p.requires_grad]

    def finish():
        flat = torch.cat([p.grad.flatten() for p in params])
        dist.all_reduce(flat, op=dist.ReduceOp.AVG)
        for p, part in zip(params, flat.split([p.numel() for p in params])):
            p.grad.copy_(part.view_as(p))

    return finish
