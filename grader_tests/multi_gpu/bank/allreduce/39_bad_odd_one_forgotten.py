# A tree of pairs; with an odd number of arrays the last one has no partner.
# breaks: 4
# misconception: replicas-stay-equal
def allreduce(data):
    pairs = len(data) - len(data) % 2
    step = 1
    while step < pairs:
        for i in range(0, pairs, 2 * step):
            if i + step < pairs:
                data[i] += data[i + step].as_in_context(data[i].context)
        step *= 2
    for other in data[1:]:
        data[0].copyto(other)
