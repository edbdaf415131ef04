# The list of the given parameters holds the last replica afterwards.
# breaks: 10
# kills: test_list_stays
# misconception: reads-the-task
def broadcast_parameters(params, devices):
    replicas = []
    for place in devices:
        replicas.append([p.detach().to(place, copy=True).requires_grad_() for p in params])
    params[:] = replicas[-1]
    return replicas
