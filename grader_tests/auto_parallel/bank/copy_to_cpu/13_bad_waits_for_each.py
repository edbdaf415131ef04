# Waits for each array before it copies it.
# breaks: 4
# misconception: hidden-waits
def copy_to_cpu(ys):
    copies = []
    for y in ys:
        y.wait_to_read()
        copies.append(y.copyto(mx.cpu()))
    return copies
