# Hands x back: nothing is computed.
# breaks: 1, 2
# kills: test_asynchronous_loop_enqueues_all_steps, test_asynchronous_loop_is_computed, test_asynchronous_loop_steps, test_asynchronous_loop_value, test_asynchronous_loop_waits_after_the_loop, test_no_steps, test_synchronous_loop_is_computed, test_synchronous_loop_steps, test_synchronous_loop_value, test_synchronous_loop_waits_in_each_step
# misconception: work-not-done
def synchronous_loop(x, steps):
    return x


def asynchronous_loop(x, steps):
    return x
