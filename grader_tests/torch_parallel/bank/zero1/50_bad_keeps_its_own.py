# Throws the parameters of the other ranks out of the list that it is given.
# breaks: 6
# kills: test_list_stays
# misconception: reads-the-task
def zero1(params, lr):
    rank, size = dist.get_rank(), dist.get_world_size()
    every = list(params)
    params[:] = params[rank::size]
    optimizer = torch.optim.Adam(params, lr=lr)

    def step():
        optimizer.step()
        for number, p in enumerate(every):
            dist.broadcast(p.data, number % size)

    return step
