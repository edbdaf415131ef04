# Even and odd parameters: made for two ranks.
# breaks: any number of ranks
def zero1(params, lr):
    rank, size = dist.get_rank(), dist.get_world_size()
    optimizer = torch.optim.Adam(params[rank::2] if rank < 2 else params[:1], lr=lr)

    def step():
        optimizer.step()
        for number, p in enumerate(params):
            dist.broadcast(p.data, number % 2)

    return step
