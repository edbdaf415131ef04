# Two threads that wait, but joined one after the other before the second starts.
# breaks: 4
# kills: test_both_have_work_before_a_wait, test_one_device_does_not_hold_the_other, test_ten_products
# misconception: devices-in-turn
import threading


def run_both(x_a, x_b):
    results = []

    def work(x):
        ys = run(x)
        for y in ys:
            y.wait_to_read()
        results.append(ys)

    for x in (x_a, x_b):
        thread = threading.Thread(target=work, args=(x,))
        thread.start()
        thread.join()
    return results[0], results[1]
