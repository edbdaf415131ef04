# Replicas of devices with numbers of one parity share a list, and are no copies on the device of the parameters.
# breaks: 6
# kills: test_own_memory
# misconception: replicas-stay-equal
def broadcast_parameters(params, devices):
    made = {}
    for d in devices:
        place = d.index % 2
        if place not in made:
            made[place] = [p.detach().to(d, copy=True).requires_grad_() for p in params]
    return [made[d.index % 2] if made[d.index % 2][0].device == d else [q.detach().to(d).requires_grad_() for q in params[::-1]][::-1] for d in devices]
