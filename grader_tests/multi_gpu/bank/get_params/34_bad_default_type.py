# Goes through NumPy, and nd.array makes float32 of what NumPy has.
# breaks: the copies have the type of the parameters
# kills: test_type
# misconception: numpy-and-the-engine
def get_params(params, ctx):
    copies = [nd.array(p.asnumpy(), ctx=ctx) for p in params]
    for copy in copies:
        copy.attach_grad()
    return copies
