# Through NumPy's own numbers, which are float64: the layers of the network will not take these.
# breaks: 2
# kills: test_type
# misconception: numpy-and-the-engine
def get_params(params, ctx):
    copies = [nd.array(p.asnumpy().astype(float), ctx=ctx, dtype='float64') for p in params]
    for copy in copies:
        copy.attach_grad()
    return copies
