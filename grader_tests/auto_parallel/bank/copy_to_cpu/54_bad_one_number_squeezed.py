# An array of one number loses its axes.
# breaks: 1
# kills: test_new_copies_each_time, test_value
# misconception: reads-the-task
def copy_to_cpu(ys):
    copies = [y.copyto(mx.cpu(0)) for y in ys]
    return [copy.reshape((1,)) if copy.size == 1 else copy for copy in copies]
