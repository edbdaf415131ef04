# Waits until the copies are there.
# breaks: 4
# misconception: hidden-waits
def copy_to_cpu(ys):
    copies = [y.copyto(mx.cpu()) for y in ys]
    nd.waitall()
    return copies
