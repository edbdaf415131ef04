# Looks at every product in an if, for safety.
# breaks: 6
# misconception: wait-in-the-loop
def run_and_copy(x):
    copies = []
    for y in run(x):
        if y.sum().asscalar() != y.sum().asscalar():
            raise ValueError('not a number')
        copies.append(y.copyto(mx.cpu()))
    nd.waitall()
    return copies
