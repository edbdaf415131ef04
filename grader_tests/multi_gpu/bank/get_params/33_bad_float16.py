# Half the memory: the replicas are float16.
# breaks: 2
# misconception: numpy-and-the-engine
def get_params(params, ctx):
    copies = [p.astype('float16').copyto(ctx) for p in params]
    for copy in copies:
        copy.attach_grad()
    return copies
