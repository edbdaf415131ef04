# Goes through NumPy, and nd.array makes float32 of what NumPy has.
# breaks: 2
# kills: test_type
# misconception: numpy-and-the-engine
def get_params(params, ctx):
    copies = [nd.array(p.asnumpy(), ctx=ctx) for p in params]
    for copy in copies:
        copy.attach_grad()
    return copies
