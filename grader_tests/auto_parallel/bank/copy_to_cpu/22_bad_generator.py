# A generator enqueues nothing until somebody asks.
# breaks: 1
# misconception: reads-the-task
def copy_to_cpu(ys):
    return (y.copyto(mx.cpu()) for y in ys)
