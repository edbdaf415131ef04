# deepcopy makes a copy from the numbers, so it waits for them.
# breaks: 4
# kills: test_does_not_wait
# misconception: hidden-waits
import copy


def copy_to_cpu(ys):
    return [copy.deepcopy(y).as_in_context(mx.cpu()) for y in ys]
