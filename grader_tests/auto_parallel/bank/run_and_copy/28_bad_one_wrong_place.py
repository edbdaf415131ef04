# The loop runs over the copies' context but the products stay where they are.
# breaks: 3
# misconception: as-in-context
def run_and_copy(x):
    copies = [y.copyto(x.context) for y in run(x)]
    nd.waitall()
    return copies
