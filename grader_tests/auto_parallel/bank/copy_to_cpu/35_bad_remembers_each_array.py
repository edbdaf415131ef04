# The copy of an array is made once and kept.
# breaks: 5
# kills: test_new_copies_each_time
# misconception: every-call-starts-anew
_copies = {}


def copy_to_cpu(ys):
    for y in ys:
        if id(y) not in _copies:
            _copies[id(y)] = (y, y.copyto(mx.cpu(0)))
    return [_copies[id(y)][1] for y in ys]
