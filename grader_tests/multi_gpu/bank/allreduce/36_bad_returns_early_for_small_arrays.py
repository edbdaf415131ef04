# Biases are "too small to matter".
# breaks: 5
# misconception: reads-the-task
def allreduce(data):
    if len(data[0].shape) == 1:
        return
    total = sum(d.copyto(data[0].context) for d in data)
    for d in data:
        total.copyto(d)
