# A list of a class of its own, which nobody can go through.
# breaks: 5
# kills: test_new_copies_each_time, test_on_the_host
# misconception: every-call-starts-anew
class Copies(list):
    def __iter__(self):
        raise ValueError("not now")


def copy_to_cpu(ys):
    return Copies(y.copyto(mx.cpu()) for y in ys)
