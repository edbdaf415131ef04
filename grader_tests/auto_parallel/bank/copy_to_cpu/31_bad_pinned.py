# Into pinned memory, from which a GPU copies faster: that is another context than cpu(0).
# breaks: 3
# kills: test_on_the_host
# misconception: as-in-context
def copy_to_cpu(ys):
    return [y.copyto(mx.cpu_pinned()) for y in ys]
