# The list of tensors is in another order afterwards.
# breaks: 12
# kills: test_list_stays
# misconception: reads-the-task
def allreduce(data):
    data.reverse()
    for t in data[1:]:
        data[0] += t.to(data[0].device)
    for t in data[1:]:
        t.copy_(data[0])


def ring_allreduce(data):
    k = len(data)
    pieces = [t.tensor_split(k) for t in data]
    for put, shift in ((torch.Tensor.add_, 0), (torch.Tensor.copy_, 1)):
        for turn in range(k - 1):
            for r in range(k):
                n = (r + shift - turn) % k
                put(pieces[(r + 1) % k][n], pieces[r][n].to(data[(r + 1) % k].device))
