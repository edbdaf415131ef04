# Hands x back: nothing is computed.
# breaks: 1, 2
# kills: test_as_list, test_as_number, test_wait_for_all_leaves_nothing, test_wait_for_all_values, test_wait_for_first_values, test_wait_for_first_waits_for_y_alone, test_wait_for_one_is_computed, test_wait_for_one_leaves_other_streams_alone, test_wait_for_one_value, test_which_wait
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
