# A barrier in each step.
# breaks: 5
# kills: test_no_wait
# misconception: host-orders-streams
def zero1(params, lr):
    rank, size = dist.get_rank(), dist.get_world_size()
    optimizer = torch.optim.Adam(params[rank::size], lr=lr)

    def step():
        optimizer.step()
        dist.barrier()
        for number, p in enumerate(params):
            dist.broadcast(p.data, number % size)

    return step
