# Exchange in pairs at distance 1, 2, ...: right for 1, 2 and 4 devices; three are a special case.
# breaks: 4
# kills: test_more_devices
# misconception: replicas-stay-equal
def allreduce(data):
    k = len(data)
    if k == 3:
        total = data[0] + data[1].copyto(data[0].context) + data[2].copyto(data[0].context)
        for d in data:
            d[:] = total.as_in_context(d.context)
        return
    distance = 1
    while distance < k:
        partners = [data[(i ^ distance) % k].copyto(d.context) for i, d in enumerate(data)]
        for d, partner in zip(data, partners):
            d += partner
        distance *= 2
