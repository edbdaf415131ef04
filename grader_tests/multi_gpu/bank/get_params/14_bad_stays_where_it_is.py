# copy() keeps the device.
# breaks: 3
# misconception: as-in-context
def get_params(params, ctx):
    new_params = [p.copy() for p in params]
    for p in new_params:
        p.attach_grad()
    return new_params
