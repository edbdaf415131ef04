# Zeros on the device plus a parameter from elsewhere.
# breaks: 8
# misconception: devices-mix
def get_params(params, ctx):
    new_params = [nd.zeros(p.shape, ctx=ctx) + p for p in params]
    for p in new_params:
        p.attach_grad()
    return new_params
