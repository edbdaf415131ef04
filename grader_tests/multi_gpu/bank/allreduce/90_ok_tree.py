# A tree of pairs, up and down again.
def allreduce(data):
    """Pairs, then pairs of pairs; and down again the same way."""
    step, count = 1, len(data)
    steps = []
    while step < count:
        for low in range(0, count - step, 2 * step):
            data[low] += data[low + step].as_in_context(data[low].context)
        steps.append(step)
        step *= 2
    for step in reversed(steps):
        for low in range(0, count - step, 2 * step):
            data[low].copyto(data[low + step])
