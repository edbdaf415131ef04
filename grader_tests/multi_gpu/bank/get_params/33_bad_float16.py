# Half the memory: the replicas are float16.
# breaks: the copies have the type of the parameters
# misconception: numpy-and-the-engine
def get_params(params, ctx):
    copies = [p.astype('float16').copyto(ctx) for p in params]
    for copy in copies:
        copy.attach_grad()
    return copies
