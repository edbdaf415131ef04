# It waits for large arrays.
# breaks: 4
# kills: test_does_not_wait
# misconception: hidden-waits
def copy_to_cpu(ys):
    for y in ys:
        if y.size >= 1000:
            y.wait_to_read()
    return [y.copyto(mx.cpu(0)) for y in ys]
