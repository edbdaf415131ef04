# Waits for the last product of each device, the second device first.
def run_both(x_a, x_b):
    work = {'a': run(x_a), 'b': run(x_b)}
    for name in ('b', 'a'):
        work[name][-1].wait_to_read()
    return work['a'], work['b']
