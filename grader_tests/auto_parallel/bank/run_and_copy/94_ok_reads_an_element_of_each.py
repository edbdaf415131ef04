# Waits at the end by reading one number of each copy, the last one first.
def run_and_copy(x):
    copies = [y.as_in_context(mx.cpu(0)) for y in run(x)]
    for copy in reversed(copies):
        copy[0, 0].asscalar()
    return tuple(copies)
