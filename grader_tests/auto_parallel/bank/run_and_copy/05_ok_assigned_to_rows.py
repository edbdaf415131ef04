# One large array on the host; each copy goes into its own row.
def run_and_copy(x):
    everything = nd.empty((10,) + x.shape, ctx=mx.cpu(0))
    for i, y in enumerate(run(x)):
        everything[i] = y
    everything.wait_to_read()
    return [everything[i] for i in range(10)]
