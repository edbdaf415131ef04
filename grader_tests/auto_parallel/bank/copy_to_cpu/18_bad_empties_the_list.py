# Takes the arrays out of the caller's list one by one.
# breaks: 6
# misconception: names-and-arrays
def copy_to_cpu(ys):
    copies = []
    while ys:
        copies.append(ys.pop(0).copyto(mx.cpu()))
    return copies
