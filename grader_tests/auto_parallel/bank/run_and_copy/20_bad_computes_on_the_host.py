# Copies x and computes on the host.
# breaks: 3
# misconception: as-in-context
def run_and_copy(x):
    copies = run(x.copyto(mx.cpu()))
    nd.waitall()
    return copies
