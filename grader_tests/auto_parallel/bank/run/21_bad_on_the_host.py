# Brings x to the host first, since mx.cpu() is the default.
# breaks: 4
# misconception: as-in-context
def run(x):
    x = x.as_in_context(mx.cpu())
    return [nd.dot(x, x) for _ in range(10)]
