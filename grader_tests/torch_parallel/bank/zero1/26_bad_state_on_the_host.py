# The whole of Adam, with its state in the host's memory.
# breaks: 2
# kills: test_no_wait, test_like_one_adam, test_three_ranks
# misconception: host-orders-streams
def zero1(params, lr):
    hosts = [p.detach().cpu().requires_grad_() for p in params]
    optimizer = torch.optim.Adam(hosts, lr=lr)

    def step():
        for host, p in zip(hosts, params):
            host.grad = p.grad.cpu()
        optimizer.step()
        for host, p in zip(hosts, params):
            p.data.copy_(host.detach())

    return step
