# Copies ten arrays, however many there are.
# breaks: 1
# misconception: reads-the-task
def copy_to_cpu(ys):
    return [y.copyto(host) for y, _ in zip(ys, range(10))]
