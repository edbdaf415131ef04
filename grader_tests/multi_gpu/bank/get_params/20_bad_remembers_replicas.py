# The replica of a device is made once and kept.
# breaks: 6
# misconception: as-in-context
_replicas = {}


def get_params(params, ctx):
    if ctx not in _replicas:
        _replicas[ctx] = [p.copyto(ctx) for p in params]
        for p in _replicas[ctx]:
            p.attach_grad()
    return _replicas[ctx]
