# The return stands inside the loop.
# breaks: 1
# misconception: reads-the-task
def copy_to_cpu(ys):
    copies = []
    for y in ys:
        copies.append(y.copyto(mx.cpu()))
        return copies
