# Moves x to the notebook's second device, wherever it lies.
# breaks: 4
# misconception: as-in-context
def run(x):
    x = x.as_in_context(device)
    return [nd.dot(x, x) for _ in range(10)]
