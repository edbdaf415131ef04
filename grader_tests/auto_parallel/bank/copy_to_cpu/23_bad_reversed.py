# insert(0, ...) turns the order around.
# breaks: 1
# misconception: reads-the-task
def copy_to_cpu(ys):
    copies = []
    for y in ys:
        copies.insert(0, y.copyto(mx.cpu()))
    return copies
