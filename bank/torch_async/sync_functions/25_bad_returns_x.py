# Hands x back: nothing is computed.
# breaks: all of it
# misconception: reads-the-task
def wait_for_one(x):
    return x


def wait_for_all(x):
    return x


def wait_for_first(x):
    return x


def as_list(x):
    return x


def as_number(x):
    return x


def which_wait(lines):
    return lines[0]
